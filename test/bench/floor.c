/*
 * floor CMD [ARG...]: counts a tree of processes with inherited events at the least
 * possible cost: fork, open two software events on the child, let the child execute,
 * wait, read. Prints the counts on stderr.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NEVENTS = 2 };

static int open_event(uint64_t config, pid_t pid)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = config,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
		.exclude_kernel = 1,
		.read_format =
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1,
				    PERF_FLAG_FD_CLOEXEC);

	if (fd == -1)
		err(1, "perf_event_open");
	return fd;
}

int main(int argc, char **argv)
{
	const uint64_t config[NEVENTS] = {PERF_COUNT_SW_TASK_CLOCK,
					  PERF_COUNT_SW_PAGE_FAULTS};
	int go[2], fd[NEVENTS], status;
	uint64_t value[3];
	char byte;

	if (argc < 2 || pipe2(go, O_CLOEXEC) == -1)
		errx(2, "usage: floor CMD [ARG...]");
	const pid_t pid = fork();
	if (pid == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) == 1)
			execvp(argv[1], argv + 1);
		_exit(127);
	}
	for (int i = 0; i < NEVENTS; i++)
		fd[i] = open_event(config[i], pid);
	if (write(go[1], "", 1) != 1 || waitpid(pid, &status, 0) != pid)
		err(1, "%s", argv[1]);
	for (int i = 0; i < NEVENTS; i++)
		if (read(fd[i], value, sizeof value) == (ssize_t)sizeof value)
			fprintf(stderr, "%llu\n", (unsigned long long)value[0]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
