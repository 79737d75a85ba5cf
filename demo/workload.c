/*
 * workload: a program for the demo of the tools. Three threads run at the same time: one
 * sorts, one hashes, one computes. Then a child process compresses zeros with gzip(1) in
 * a shell.
 */
#include <err.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SORTED = 1 << 18, HASHED = 1 << 20 };

static const double work_seconds = 1.2;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Source: Marsaglia, Xorshift RNGs, 2003 (xorshift64) */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t sort_once(uint64_t *random)
{
	uint64_t *const v = malloc(SORTED * sizeof(*v));

	if (!v)
		err(1, "sort");
	for (int i = 0; i < SORTED; i++)
		v[i] = next_random(random);
	qsort(v, SORTED, sizeof(*v), by_value);
	const uint64_t median = v[SORTED / 2];
	free(v);
	return median;
}

/* Hash random bytes with FNV-1a, 64 bits. */
static uint64_t hash_once(uint64_t *random)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (int i = 0; i < HASHED; i++)
		h = (h ^ (next_random(random) & 0xff)) * UINT64_C(0x100000001b3);
	return h;
}

/* Count the steps of Collatz sequences. */
static uint64_t compute_once(uint64_t *random)
{
	uint64_t steps = 0;

	for (int i = 0; i < 10000; i++)
		for (uint64_t x = next_random(random) >> 40 | 1; x != 1; steps++)
			x = x & 1 ? 3 * x + 1 : x / 2;
	return steps;
}

struct job {
	const char *name;
	uint64_t (*once)(uint64_t *random);
	unsigned rounds; /* out */
	uint64_t result; /* out */
};

static void *work(void *arg)
{
	struct job *const job = arg;
	uint64_t random = UINT64_C(88172645463325252);

	for (const double end = now() + work_seconds; now() < end; job->rounds++)
		job->result ^= job->once(&random);
	return NULL;
}

static void compress_in_child(void)
{
	const pid_t pid = fork();

	if (pid == -1)
		err(1, "fork");
	if (!pid) {
		execl("/bin/sh", "sh", "-c",
		      "head -c 50000000 /dev/zero | gzip -9 | wc -c", NULL);
		err(127, "/bin/sh");
	}
	if (waitpid(pid, NULL, 0) == -1)
		err(1, "waitpid");
}

int main(void)
{
	struct job jobs[] = {
		{.name = "sort", .once = sort_once},
		{.name = "hash", .once = hash_once},
		{.name = "compute", .once = compute_once},
	};
	enum { N = sizeof(jobs) / sizeof(*jobs) };
	pthread_t threads[N];

	for (int i = 0; i < N; i++)
		if (pthread_create(&threads[i], NULL, work, &jobs[i]))
			errx(1, "cannot create a thread");
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < N; i++)
		printf("%s: %u rounds, %016llx\n", jobs[i].name, jobs[i].rounds,
		       (unsigned long long)jobs[i].result);
	fflush(stdout);
	compress_in_child();
	return 0;
}
