/*
 * stress LIBRARY SEED {LWPS FORKS}...: in each round, as many LWPs exist and are bound at
 * the same time; then they bind, sample and unbind sets, fork, and open and close the
 * library at random, until they have forked FORKS times in all. Some end with a set
 * bound. All rounds have one session, and sets that all LWPs share. A breakpoint counts
 * the calls of a function, so that each count of a set that is still bound is known. In
 * the end nothing is left of the LWPs: no descriptor, no mapping of an event, no LWP, no
 * process. Prints what was done.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libcpc.h>

enum { SHARED = 8, STACK = 256 * 1024, PATIENCE = 10000 /* ms */ };

#define CALLS(DO)               \
	DO(cpc_open)            \
	DO(cpc_close)           \
	DO(cpc_seterrhndlr)     \
	DO(cpc_set_create)      \
	DO(cpc_set_destroy)     \
	DO(cpc_set_add_request) \
	DO(cpc_buf_create)      \
	DO(cpc_buf_destroy)     \
	DO(cpc_buf_get)         \
	DO(cpc_bind_curlwp)     \
	DO(cpc_set_sample)      \
	DO(cpc_unbind)

/* The calls of the library, which stays in memory after dlclose(3). */
static struct {
#define MEMBER(call) __typeof__(call) *call;
	CALLS(MEMBER)
} lib;

static cpc_t *cpc;
static const char *path;
static cpc_set_t *shared[SHARED]; /* of all LWPs, each of which may unbind them */
static unsigned long binds, samples, unbound, forks, reopened;
static pthread_barrier_t all_bound;

/* An LWP, or a child of fork(2). */
struct lwp {
	pthread_t thread;
	unsigned seed, forks; /* forks that it has still to do */
	cpc_set_t *own, *bound;
	cpc_buf_t *buf;
	uint64_t hits; /* calls of hit() since the bind */
};

static void count(unsigned long *n)
{
	__atomic_add_fetch(n, 1, __ATOMIC_RELAXED);
}

static __attribute__((noinline)) void hit(void)
{
	__asm__ volatile("");
}

static void load(void)
{
	void *handle = dlopen(path, RTLD_NOW);

	if (!handle)
		errx(1, "%s", dlerror());
#define FIND(call)                                         \
	if (!(*(void **)&lib.call = dlsym(handle, #call))) \
		errx(1, "%s", dlerror());
	CALLS(FIND)
	dlclose(handle);
}

static cpc_set_t *make_set(void)
{
	cpc_set_t *set = lib.cpc_set_create(cpc);
	char event[64];

	snprintf(event, sizeof event, "mem:%p:x", (void *)hit);
	if (set &&
	    lib.cpc_set_add_request(cpc, set, event, 0, CPC_COUNT_USER, 0, NULL) != -1)
		return set;
	err(1, "%s", event);
}

static void start(struct lwp *l, cpc_set_t *set)
{
	if (lib.cpc_bind_curlwp(cpc, set, 0) == -1)
		err(1, "cpc_bind_curlwp");
	l->bound = set;
	l->hits = 0;
	count(&binds);
}

static void work(struct lwp *l)
{
	for (int n = rand_r(&l->seed) % 20; n-- > 0; l->hits++)
		hit();
}

/* Only a set that others know can have been unbound meanwhile. */
static void check(struct lwp *l)
{
	uint64_t value;

	if (!l->bound)
		return;
	if (lib.cpc_set_sample(cpc, l->bound, l->buf) == -1) {
		if (errno != EINVAL || l->bound == l->own)
			err(1, "cpc_set_sample");
		l->bound = NULL;
		count(&unbound);
		return;
	}
	if (lib.cpc_buf_get(cpc, l->buf, 0, &value) == -1)
		err(1, "cpc_buf_get");
	if (value != l->hits)
		errx(1, "%llu calls are counted as %llu", (unsigned long long)l->hits,
		     (unsigned long long)value);
	count(&samples);
}

/* A child has none of the counters of its parent, and can count itself. */
static int in_child(struct lwp *l)
{
	if (l->bound && lib.cpc_set_sample(cpc, l->bound, l->buf) != -1)
		return 2;
	start(l, l->own);
	work(l);
	check(l);
	return lib.cpc_unbind(cpc, l->own) ? 3 : 0;
}

static void fork_once(struct lwp *l)
{
	int status;
	const pid_t pid = fork();

	if (pid == -1)
		err(1, "fork");
	if (pid == 0)
		_exit(in_child(l));
	if (waitpid(pid, &status, 0) == -1)
		err(1, "waitpid");
	if (status)
		errx(1, "a child ended with status %#x", (unsigned)status);
	l->forks--;
	count(&forks);
}

/* An LWP that is created by the C library cannot inherit a set. */
static void inherit(void)
{
	cpc_set_t *set = make_set();

	if (lib.cpc_bind_curlwp(cpc, set, CPC_BIND_LWP_INHERIT) != -1 || errno != ENOTSUP)
		errx(1, "CPC_BIND_LWP_INHERIT works in a library that was opened");
	lib.cpc_set_destroy(cpc, set);
}

static void reopen(void)
{
	void *handle = dlopen(path, RTLD_NOW);

	if (!handle)
		errx(1, "%s", dlerror());
	dlclose(handle);
	count(&reopened);
}

/* Undo the LWP's binding; those of a shared set can be gone already. */
static void unbind(struct lwp *l)
{
	if (l->bound && lib.cpc_unbind(cpc, l->bound) == -1 && l->bound == l->own)
		err(1, "cpc_unbind");
	l->bound = NULL;
}

/* Unbind a shared set from all LWPs, or only from this one if it has the set. */
static void unbind_shared(struct lwp *l)
{
	cpc_set_t *set = shared[rand_r(&l->seed) % SHARED];

	lib.cpc_unbind(cpc, set);
	if (l->bound == set)
		l->bound = NULL;
}

static void random_action(struct lwp *l)
{
	const int action = rand_r(&l->seed) % 20;

	if (action == 0)
		fork_once(l);
	else if (action == 1)
		inherit();
	else if (action == 2)
		reopen();
	else if (action < 6)
		start(l, l->own);
	else if (action < 10)
		start(l, shared[rand_r(&l->seed) % SHARED]);
	else if (action < 12)
		unbind(l);
	else if (action < 14)
		unbind_shared(l);
	else
		work(l);
	check(l);
}

static void *run(void *arg)
{
	struct lwp *l = arg;

	l->own = make_set();
	l->buf = lib.cpc_buf_create(cpc, l->own);
	if (!l->buf)
		err(1, "cpc_buf_create");
	start(l, l->own);
	pthread_barrier_wait(&all_bound);
	while (l->forks > 0)
		random_action(l);
	if (rand_r(&l->seed) & 1) {
		lib.cpc_set_destroy(cpc, l->own);
		lib.cpc_buf_destroy(cpc, l->buf);
	}
	return NULL;
}

/* Returns the number of entries of a folder, such as /proc/self/fd. */
static int entries(const char *folder)
{
	DIR *d = opendir(folder);
	int n = 0;

	if (!d)
		err(1, "%s", folder);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static int mapped_events(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];
	int n = 0;

	if (!f)
		err(1, "/proc/self/maps");
	while (fgets(line, sizeof line, f))
		n += strstr(line, "perf_event") != NULL;
	fclose(f);
	return n;
}

static void ignore_message(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn, (void)subcode, (void)fmt, (void)ap;
}

static void *end_at_once(void *arg)
{
	return arg;
}

static void run_round(unsigned seed, unsigned lwps, unsigned total)
{
	struct lwp *l = calloc(lwps, sizeof *l);
	pthread_attr_t attr;

	if (!l)
		err(1, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_barrier_init(&all_bound, NULL, lwps);
	for (unsigned i = 0; i < lwps; i++) {
		l[i].seed = seed * 1000003 + i;
		l[i].forks = total / lwps + (i < total % lwps);
		errno = pthread_create(&l[i].thread, &attr, run, &l[i]);
		if (errno)
			err(1, "pthread_create");
	}
	for (unsigned i = 0; i < lwps; i++)
		pthread_join(l[i].thread, NULL);
	pthread_barrier_destroy(&all_bound);
	pthread_attr_destroy(&attr);
	free(l);
}

static void open_session(void)
{
	cpc = lib.cpc_open(CPC_VER_CURRENT);
	if (!cpc)
		err(1, "cpc_open");
	lib.cpc_seterrhndlr(cpc, ignore_message);
	for (int i = 0; i < SHARED; i++)
		shared[i] = make_set();
}

int main(int argc, char **argv)
{
	struct rlimit most;
	pthread_t first;

	if (argc < 5 || argc % 2 == 0)
		errx(2, "usage: stress LIBRARY SEED {LWPS FORKS}...");
	path = argv[1];
	getrlimit(RLIMIT_NOFILE, &most);
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_NOFILE, &most);
	load();
	/* ThreadSanitizer has an LWP of its own from the first pthread_create(3) on. */
	errno = pthread_create(&first, NULL, end_at_once, NULL);
	if (errno)
		err(1, "pthread_create");
	pthread_join(first, NULL);
	const int descriptors = entries("/proc/self/fd"),
		  tasks = entries("/proc/self/task");
	open_session();
	for (int i = 3; i < argc; i += 2)
		run_round((unsigned)(atoi(argv[2]) + i), (unsigned)atoi(argv[i]),
			  (unsigned)atoi(argv[i + 1]));
	lib.cpc_close(cpc);
	if (entries("/proc/self/fd") != descriptors)
		errx(1, "%d descriptors are left",
		     entries("/proc/self/fd") - descriptors);
	/* The kernel wakes pthread_join(3) shortly before an LWP has ended. */
	for (int ms = 0; entries("/proc/self/task") != tasks; ms++) {
		if (ms == PATIENCE)
			errx(1, "LWPs are left");
		usleep(1000);
	}
	if (mapped_events())
		errx(1, "mappings of events are left");
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
		errx(1, "a process is left");
	printf("%lu binds %lu samples %lu unbound %lu forks %lu reopened\n", binds,
	       samples, unbound, forks, reopened);
	return 0;
}
