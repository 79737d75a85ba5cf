/*
 * ptyrun PAIR... -- CMD [ARG...]: runs a command on a new terminal and types keys.
 *
 * Each PAIR is two arguments, TEXT KEYS: when TEXT has appeared in the output (after the
 * TEXT of the pair before), KEYS are typed. In KEYS, ^C is the interrupt key, ^Z the stop
 * key, and ^J the return key. The terminal's output goes to stdout. The exit status is
 * the command's (128 + n by signal n), or 124 if there was no output for 60 seconds.
 */
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SILENCE_MS = 60000 };

static void type(int fd, const char *keys)
{
	for (; *keys; keys++) {
		char c = *keys;
		if (c == '^' && keys[1])
			c = *++keys - '@';
		if (write(fd, &c, 1) != 1)
			err(125, "terminal");
	}
}

/*
 * Copies the terminal's output to stdout and types each pair's keys after its text, until
 * the terminal is closed. Returns -1 after SILENCE_MS without output.
 */
static int relay(int fd, char **pair, int npairs)
{
	char seen[65536];
	size_t n = 0;
	for (;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		if (poll(&p, 1, SILENCE_MS) <= 0)
			return -1;
		if (n == sizeof(seen) - 1)
			n = 0;
		const ssize_t got = read(fd, seen + n, sizeof(seen) - 1 - n);
		if (got <= 0)
			return 0; /* EIO: the last process has closed it */
		fwrite(seen + n, 1, got, stdout);
		fflush(stdout);
		n += got;
		seen[n] = '\0';
		if (npairs > 0 && strstr(seen, pair[0])) {
			type(fd, pair[1]);
			n = 0;
			pair += 2;
			npairs--;
		}
	}
}

int main(int argc, char **argv)
{
	int cmd = 1;
	while (cmd < argc && strcmp(argv[cmd], "--") != 0)
		cmd++;
	if (cmd + 1 >= argc || cmd % 2 == 0) {
		fprintf(stderr, "usage: ptyrun [TEXT KEYS]... -- CMD [ARG...]\n");
		return 2;
	}
	int fd;
	const pid_t pid = forkpty(&fd, NULL, NULL, NULL);
	if (pid < 0)
		err(125, "forkpty");
	if (pid == 0) {
		execvp(argv[cmd + 1], argv + cmd + 1);
		err(errno == ENOENT ? 127 : 126, "%s", argv[cmd + 1]);
	}
	const int failed = relay(fd, argv + 1, (cmd - 1) / 2);
	if (failed)
		kill(pid, SIGKILL);
	int st;
	if (waitpid(pid, &st, 0) != pid)
		err(125, "wait");
	if (failed)
		return 124;
	return WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
}
