/*
 * crew [-x PROGRAM] MEMBER...: runs a thread for each member at the same time and waits
 * for them. MEMBER is NAME=MS: the thread gives itself this name and spins for so many
 * ms of its own time on a processor; OLD>NAME=MS: it has the name OLD until just before
 * its end. -x: the last thread then executes PROGRAM. -s N: N threads that end at once
 * run first, one after the other.
 */
#include <err.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static const char *program; /* of -x */

static int64_t thread_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

struct member {
	char *old, *name;
	long ms;
	int last;
};

static void *work(void *arg)
{
	const struct member *m = arg;

	prctl(PR_SET_NAME, m->old ? m->old : m->name);
	while (thread_ms() < m->ms)
		;
	prctl(PR_SET_NAME, m->name);
	if (program && m->last)
		execl(program, program, (char *)NULL);
	return NULL;
}

static void parse(struct member *m, char *text)
{
	char *ms = strrchr(text, '='), *old = strchr(text, '>');

	if (!ms)
		errx(2, "'%s' is not NAME=MS", text);
	*ms++ = '\0';
	m->ms = atol(ms);
	m->name = old ? old + 1 : text;
	m->old = old ? text : NULL;
	if (old)
		*old = '\0';
}

static void *nothing(void *arg)
{
	return arg;
}

static void short_threads(long n)
{
	while (n-- > 0) {
		pthread_t t;

		if (pthread_create(&t, NULL, nothing, NULL) || pthread_join(t, NULL))
			errx(1, "no thread");
	}
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "x:s:")) != -1)
		if (c == 'x')
			program = optarg;
		else if (c == 's')
			short_threads(atol(optarg));
		else
			return 2;
	const int n = argc - optind;
	struct member *m = calloc((size_t)n + 1, sizeof *m);
	pthread_t *t = calloc((size_t)n + 1, sizeof *t);

	if (!m || !t)
		err(1, "no memory");
	for (int i = 0; i < n; i++) {
		parse(&m[i], argv[optind + i]);
		m[i].last = i == n - 1;
		if (pthread_create(&t[i], NULL, work, &m[i]))
			errx(1, "no thread");
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}
