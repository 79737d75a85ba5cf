/*
 * simpages [-m MACHINE] [-c COUNTER,...] [-r] [-n] [-o OPTION] LAUNCHER PROGRAM [ARG...]:
 * runs a program under the simulator and prints "pid tid state counter value" for each
 * counter (-c; default: all) of each process (tid is "total"), and with -r of each LWP.
 * -n: in an empty environment. -o: a further option of the simulator. The exit status is
 * the program's, or 128 + n if signal n ended it.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/machine.h"
#include "sim/shared/pages.h"
#include "sim/shared/vocab.h"
#include "sim_counters.h"

enum { MAX_OPTIONS = 8 };

static uint64_t mask_of(char *names)
{
	uint64_t mask = 0;

	for (char *save, *s = strtok_r(names, ",", &save); s;
	     s = strtok_r(NULL, ",", &save)) {
		int c = 0;

		while (c < SIM_NCOUNTERS && strcmp(sim_vocab[c].name, s))
			c++;
		if (c == SIM_NCOUNTERS)
			errx(2, "no counter '%s'", s);
		mask |= UINT64_C(1) << c;
	}
	return mask;
}

static void report(void *arg, const char *text)
{
	(void)arg;
	errx(2, "%s", text);
}

static int pages_make(struct pages_head **head, uint64_t requested, const char *machine)
{
	const struct machine_choice choice = {.name = machine};
	struct machine_mistakes mistakes = {.fn = report};
	const off_t size = PAGES_HEAD_SIZE + (off_t)PAGES_MAX * PAGES_PAGE_SIZE;
	const int fd = memfd_create("pages", MFD_CLOEXEC);

	if (fd == -1 || ftruncate(fd, size))
		err(1, "cannot make the pages");
	*head = mmap(NULL, sizeof **head, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (*head == MAP_FAILED)
		err(1, "cannot map the pages");
	(*head)->version = PAGES_VERSION;
	(*head)->ncounters = SIM_NCOUNTERS;
	(*head)->requested = requested;
	if (machine_open(&choice, &(*head)->machine, NULL, &mistakes) == -1)
		err(1, "cannot read machine %s", machine);
	(*head)->magic = PAGES_MAGIC;
	return fd;
}

static void print_counts(int pid, int tid, const char *state, uint64_t requested,
			 const uint64_t *count)
{
	for (int c = 0; c < SIM_NCOUNTERS; c++) {
		if (!(requested >> c & 1))
			continue;
		if (tid)
			printf("%d %d %s", pid, tid, state);
		else
			printf("%d total %s", pid, state);
		printf(" %s %llu\n", sim_vocab[c].name, (unsigned long long)count[c]);
	}
}

static void print_page(const struct pages_page *p, uint64_t requested, int rows)
{
	static const char *const state[] = {"none", "running", "ended", "native"};
	static const char *const row[] = {"free", "running", "ended"};

	printf("%d state %s execs %u notes %u rows %u\n", p->pid, state[p->state & 3],
	       p->execs, p->notes, p->nrows);
	print_counts(p->pid, 0, "-", requested, p->total);
	for (unsigned i = 0; rows && i < p->nrows; i++)
		print_counts(p->pid, p->row[i].tid, row[p->row[i].state % 3], requested,
			     p->row[i].count);
}

static void print_all(int fd, const struct pages_head *head, int rows)
{
	for (unsigned i = 0; i < head->npages && i < PAGES_MAX; i++) {
		const struct pages_page *const p =
			mmap(NULL, sizeof *p, PROT_READ, MAP_SHARED, fd,
			     PAGES_HEAD_SIZE + (off_t)i * PAGES_PAGE_SIZE);

		if (p == MAP_FAILED)
			err(1, "cannot map a page");
		print_page(p, head->requested, rows);
		munmap((void *)(uintptr_t)p, sizeof *p);
	}
}

static int run(int fd, char **argv, int empty_env, char **option)
{
	char pages[64];
	char *args[32] = {argv[0],
			  "-q",
			  "--vgdb=no",
			  "--trace-children=yes",
			  "--log-file=/dev/null",
			  "--tool=cpcsim",
			  pages};
	int n = 7, status;

	snprintf(pages, sizeof pages, "--cpc-pages=/proc/%d/fd/%d", (int)getpid(), fd);
	for (; *option; option++)
		args[n++] = *option;
	args[n++] = "--";
	for (int i = 1; argv[i]; i++) {
		if (n == 31)
			errx(2, "too many arguments");
		args[n++] = argv[i];
	}
	const pid_t pid = fork();
	if (pid == -1)
		err(1, "fork");
	if (pid == 0) {
		if (empty_env)
			clearenv();
		execv(argv[0], args);
		err(127, "%s", argv[0]);
	}
	while (waitpid(pid, &status, 0) != pid)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	const char *machine = "r10000";
	uint64_t requested = (UINT64_C(1) << SIM_NCOUNTERS) - 1;
	char *option[MAX_OPTIONS + 1] = {NULL};
	unsigned noptions = 0;
	struct pages_head *head;
	int c, rows = 0, empty_env = 0;

	while ((c = getopt(argc, argv, "+m:c:o:rn")) != -1)
		switch (c) {
		case 'm':
			machine = optarg;
			break;
		case 'c':
			requested = mask_of(optarg);
			break;
		case 'o':
			if (noptions == MAX_OPTIONS)
				errx(2, "too many options");
			option[noptions++] = optarg;
			break;
		case 'r':
			rows = 1;
			break;
		case 'n':
			empty_env = 1;
			break;
		default:
			return 2;
		}
	if (argc - optind < 2)
		errx(2, "usage: simpages [-rn] [-o OPTION] [-m MACHINE] [-c COUNTER,...] "
			"LAUNCHER PROGRAM [ARG...]");
	const int fd = pages_make(&head, requested, machine);
	const int status = run(fd, argv + optind, empty_env, option);
	print_all(fd, head, rows);
	return status;
}
