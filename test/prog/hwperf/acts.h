/*
 * What the programs that use the counters of hwperf.h share: each does one of several
 * acts, which its first argument names.
 */
#ifndef PROG_HWPERF_ACTS_H
#define PROG_HWPERF_ACTS_H

#include <hwperf.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The index of the event that most acts count. */
enum { INDEX = 3 };

struct act {
	const char *name;
	int nargs;
	void (*act)(char **arg);
};

/* Does the act that argv[1] names with the arguments after it. Returns 0, or exits. */
int act(const struct act *acts, size_t n, int argc, char **argv);

/* What start() passes to PIOCENEVCTRS. */
extern hwperf_profevctrarg_t act_args;

/* Sets event i of act_args; mode has bits HWPERF_CNTEN_*. */
void set_event(int i, int mode);

/*
 * Opens a handle of an LWP or of this process and names the event of INDEX: $EVENT, or
 * the calls of hit() if this variable is not set.
 */
int open_lwp(pid_t tid);
int open_self(void);

/* Starts the events of act_args. Returns the generation. */
int start(int fd);

/* Returns the count of INDEX. */
uint64_t count(int fd);

/* Returns the generation by PIOCGETEVCTRL, or -1 if this command fails. */
int generation_of(int fd);

/* Prints the errno of a command, or "ok". */
void try(const char *what, int fd, int cmd, void *arg);

/* Causes a page fault in each of so many pages. */
void fault(int pages);

/*
 * Returns the page faults of this process by getrusage(2): the kernel may fault more than
 * once for a page.
 */
long all_faults(void);

/* Waits until a child has ended, and does not reap it. */
void await(pid_t pid);

/* Acts of files of their own; hwperf/act.c has their table. */
void act_children(char **arg);
void act_forkhandler(char **arg);
void act_namespace(char **arg);
void act_lost(char **arg);
void act_save(char **arg);
void act_hits(char **arg);
void act_program(char **arg);
void act_system(char **arg);
void act_reader(char **arg);
void act_bystander(char **arg);
void act_ended(char **arg);
void act_resources(char **arg);
void act_groups(char **arg);
void act_handles(char **arg);
void act_ignore(char **arg);
void act_leader(char **arg);

#endif
