/*
 * ranks MODE [FOLDER]: one of several ranks of a parallel program. Rank N calls hit()
 * 2000 * (N + 1) times, and writes to as many fresh pages. MODE:
 *
 * address  print the address of hit()
 * work     end with status 0
 * wait     append "ready PID" to FOLDER/log.N, and wait
 * save     the same, but for each SIGTERM, SIGINT or SIGUSR1 append its name; end with
 *          status 0 when the file FOLDER/end exists
 *
 * If the program is compiled with USE_MPI the rank is MPI's, and all ranks wait for each
 * other before they end. Else it is in the environment.
 */
#include "hit.h"

#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef USE_MPI
#include <mpi.h>
#endif

enum { PAGES = 2000, PAGE = 4096 };

#ifdef USE_MPI
static unsigned begin(void)
{
	int rank;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return (unsigned)rank;
}

static void end(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
}
#else
static unsigned begin(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK",
					    "PMIX_RANK", "SLURM_PROCID"};
	const char *rank = NULL;

	for (unsigned i = 0; i < sizeof names / sizeof names[0] && !rank; i++)
		rank = getenv(names[i]);
	if (!rank)
		errx(1, "no rank in the environment");
	return (unsigned)strtoul(rank, NULL, 10);
}

static void end(void)
{
}
#endif

static void work(unsigned n)
{
	const size_t size = (size_t)n * PAGE;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		err(1, "mmap");
	madvise(p, size, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < size; at += PAGE)
		p[at] = 1;
	hits(n);
}

static int log_fd;

static void append(const char *text)
{
	if (write(log_fd, text, strlen(text)) == -1)
		_exit(1);
}

static void on_signal(int sig)
{
	append(sig == SIGTERM ? "TERM\n" : sig == SIGINT ? "INT\n" : "USR1\n");
}

static void catch_signals(void)
{
	const struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGUSR1, &sa, NULL);
}

static void wait_in(const char *folder, unsigned rank)
{
	const struct timespec moment = {.tv_nsec = 10000000};
	char name[4096], ready[32];

	snprintf(name, sizeof name, "%s/log.%u", folder, rank);
	log_fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (log_fd == -1)
		err(1, "%s", name);
	snprintf(ready, sizeof ready, "ready %d\n", (int)getpid());
	append(ready);
	snprintf(name, sizeof name, "%s/end", folder);
	while (access(name, F_OK) == -1)
		nanosleep(&moment, NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (strcmp(mode, "address") == 0) {
		hit_print_address();
		return 0;
	}
	const unsigned rank = begin();
	if (strcmp(mode, "save") == 0)
		catch_signals();
	work(PAGES * (rank + 1));
	if (strcmp(mode, "work") != 0)
		wait_in(argc > 2 ? argv[2] : ".", rank);
	end();
	return 0;
}
