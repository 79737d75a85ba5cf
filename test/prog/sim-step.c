/*
 * sim-step PROGRAM [ARG...]: executes a program in single steps and prints the number of
 * its instructions, to which tests compare the simulator. A string instruction with a rep
 * prefix counts once, although each of its iterations is a step.
 */
#include <err.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* Is the instruction at pc a string instruction with a rep prefix? */
static int is_rep(pid_t pid, unsigned long pc)
{
	const long word = ptrace(PTRACE_PEEKTEXT, pid, pc, NULL);
	const unsigned char *byte = (const unsigned char *)&word;
	int rep = 0;

	for (unsigned i = 0; i < sizeof word; i++) {
		if (byte[i] == 0xf2 || byte[i] == 0xf3)
			rep = 1;
		else if (byte[i] != 0x66 && byte[i] != 0x67 && (byte[i] & 0xf0) != 0x40)
			return rep && ((byte[i] >= 0xa4 && byte[i] <= 0xa7) ||
				       (byte[i] >= 0xaa && byte[i] <= 0xaf));
	}
	return 0;
}

static unsigned long pc_of(pid_t pid)
{
	return (unsigned long)ptrace(PTRACE_PEEKUSER, pid,
				     offsetof(struct user_regs_struct, rip), NULL);
}

int main(int argc, char **argv)
{
	unsigned long n = 0, last = 0;
	int status;

	if (argc < 2)
		errx(2, "usage: sim-step PROGRAM [ARG...]");
	const pid_t pid = fork();
	if (pid == -1)
		err(1, "fork");
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[1], argv + 1);
		err(127, "%s", argv[1]);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		const unsigned long pc = pc_of(pid);

		/* All iterations of a string instruction stop at the same pc. */
		n += pc != last || !is_rep(pid, pc);
		last = pc;
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) == -1)
			err(1, "cannot step");
	}
	printf("%lu\n", n);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
