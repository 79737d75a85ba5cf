/*
 * The modes of the program hostile, and what they share. Each mode prints the same
 * whether it is traced or not, and reports its calls of hit() as oracle.c does it.
 * Each signals, stops and ends only processes that it has created.
 */
#ifndef PROG_HOSTILE_MODES_H
#define PROG_HOSTILE_MODES_H

#include <pthread.h>
#include <signal.h>
#include <sys/types.h>

enum { ROUNDS = 20, THREADS = 4, LIMIT_S = 60 /* until alarm(2) ends a process */ };

/* The number of signals that on_signal() has received. */
extern volatile sig_atomic_t received;
void on_signal(int sig);

/* Calls fork(2); the child ends within LIMIT_S. */
pid_t child(void);

/* Waits for the end of a child and returns its wait status. */
int await(pid_t pid);

/* Executes this program in a mode. */
void exec_self(const char *mode);

pthread_t start(void *(*body)(void *), void *arg);

/* The body of a thread that calls hit() once. */
void *one_hit(void *arg);

void mode_stops(void);
void mode_stopped(void);
void mode_traps(void);
void mode_trap_death(void);
void mode_traceme(void);
void mode_debugger(void);
void mode_seize(void);
void mode_seize_end(void);
void mode_perf_off(void);
void mode_nproc(void);
void mode_nofile(void);
void mode_close(void);
void mode_exec_race(void);
void mode_exit_race(void);
void mode_births(void);
void mode_kill_race(void);
void mode_leader_gone(void);
void mode_vforks(void);
void mode_clones(void);
void mode_shared(void);
void mode_session(void);
void mode_deaf(void);
void mode_undumpable(void);
void mode_orphans(void);
void mode_namespace(void);
void mode_siblings(void);
void mode_untraced(void);
void mode_filter_errno(void);
void mode_filter_trap(void);
void mode_filter_kill(void);
void mode_strict(void);

#endif
