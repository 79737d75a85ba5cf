/* Modes under filters of system calls, see seccomp(2). */
#include "modes.h"

#include <err.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"

/* From now on the calls that tracers and counters make have this result. */
static void filter_calls(unsigned result)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, result),
	};
	const struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == -1)
		err(1, "seccomp");
}

static void call_ptrace(void)
{
	errno = 0;
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	printf("ptrace: %d\n", errno);
}

/* The calls fail, in this process, in its threads and children, and after exec(2). */
void mode_filter_errno(void)
{
	filter_calls(SECCOMP_RET_ERRNO | ENOSYS);
	call_ptrace();
	pthread_join(start(one_hit, NULL), NULL);
	const pid_t pid = child();
	if (pid == 0) {
		hit_and_report(2);
		exec_self("one");
	}
	printf("status %d\n", WEXITSTATUS(await(pid)));
	hit_and_report(1);
}

/* The calls send SIGSYS to a handler. */
void mode_filter_trap(void)
{
	signal(SIGSYS, on_signal);
	filter_calls(SECCOMP_RET_TRAP);
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	hit_and_report(2);
	printf("%d\n", (int)received);
}

/* The calls kill the process. */
void mode_filter_kill(void)
{
	const pid_t pid = child();
	if (pid == 0) {
		hit_and_report(2);
		filter_calls(SECCOMP_RET_KILL_PROCESS);
		call_ptrace();
		_exit(0);
	}
	printf("signal %d\n", WTERMSIG(await(pid)));
	hit_and_report(1);
}

/* Strict mode: one child ends itself, and another one makes a call that kills it. */
void mode_strict(void)
{
	for (int i = 0; i < 2; i++) {
		const pid_t pid = child();
		if (pid == 0) {
			hit_report(4);
			hits(1);
			if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == -1)
				err(1, "seccomp");
			hits(3);
			syscall(i ? SYS_getpid : SYS_exit, 7);
		}
		const int st = await(pid);
		printf("signal %d, status %d\n", WIFSIGNALED(st) ? WTERMSIG(st) : 0,
		       WIFEXITED(st) ? WEXITSTATUS(st) : 0);
	}
}
