/*
 * fork(2) while LWPs count: no lock of the library may be left locked in the child, which
 * has copies of the sessions, sets and bufs and none of the counters.
 */
#include <libcpc.h>

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { USER = CPC_COUNT_USER, LWPS = 4, FORKS = 1000, PAGES = 20, DEADLINE_S = 20 };

static cpc_t *cpc;
static cpc_set_t *shared; /* bound by the forking LWP and by others */
static cpc_buf_t *buf;
static int ends; /* the LWPs of the load end */

/* Touches new memory, with a page fault for each page. */
static void work(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = PAGES * page;
	volatile char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		_exit(90);
	madvise((void *)p, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += page)
		p[i] = 1;
	munmap((void *)p, size);
}

static cpc_set_t *make_set(cpc_t *session)
{
	cpc_set_t *set = cpc_set_create(session);

	if (set &&
	    cpc_set_add_request(session, set, "page-faults", 0, USER, 0, NULL) == 0)
		return set;
	return NULL;
}

static void ignore_message(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn, (void)subcode, (void)fmt, (void)ap;
}

/* Holds the locks of the library most of the time. */
static void *load(void *arg)
{
	const int own_session = *(const int *)arg;

	while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
		cpc_t *session = own_session ? cpc_open(CPC_VER_CURRENT) : cpc;
		cpc_seterrhndlr(session, ignore_message);
		cpc_set_t *set = make_set(session);
		cpc_buf_t *mine = cpc_buf_create(session, set);

		cpc_bind_curlwp(session, set, CPC_BIND_LWP_INHERIT);
		cpc_set_sample(session, set, mine);
		cpc_set_add_request(session, set, "no such event", 0, USER, 0, NULL);
		if (!own_session)
			cpc_bind_curlwp(cpc, shared, 0);
		cpc_set_destroy(session, set);
		cpc_buf_destroy(session, mine);
		if (own_session)
			cpc_close(session);
	}
	return NULL;
}

/* Returns 0 if a set counts this LWP, or the number of the step that failed. */
static int counts(cpc_t *session, cpc_set_t *set)
{
	cpc_buf_t *mine = cpc_buf_create(session, set);
	uint64_t n = 0;

	if (!mine)
		return 1;
	if (cpc_bind_curlwp(session, set, 0) == -1)
		return 2;
	work();
	if (cpc_set_sample(session, set, mine) == -1 ||
	    cpc_buf_get(session, mine, 0, &n) == -1)
		return 3;
	if (n < PAGES || n > 100 * PAGES)
		return 4;
	if (cpc_unbind(session, set) == -1)
		return 5;
	return cpc_buf_destroy(session, mine) == -1 ? 6 : 0;
}

static void *counts_shared(void *arg)
{
	(void)arg;
	return (void *)(intptr_t)counts(cpc, shared);
}

/* All that a child can do. Returns 0, or the number of the step that failed. */
static int live_in_child(void)
{
	pthread_t thread;
	void *bad;

	errno = 0;
	if (cpc_set_sample(cpc, shared, buf) != -1 || errno != EINVAL)
		return 10;
	if (cpc_disable(cpc) != -1)
		return 11;
	int rc = counts(cpc, shared);
	if (rc)
		return 20 + rc;
	if (pthread_create(&thread, NULL, counts_shared, NULL) ||
	    pthread_join(thread, &bad) || bad)
		return 30;
	cpc_t *session = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = session ? make_set(session) : NULL;
	rc = set ? counts(session, set) : 9;
	if (rc)
		return 40 + rc;
	return cpc_close(session) || cpc_close(cpc) ? 50 : 0;
}

/* Returns the wait status of a child; SIGALRM ends a child that waits for a lock. */
static int status_of(pid_t pid)
{
	int st;

	return pid > 0 && waitpid(pid, &st, 0) == pid ? st : -1;
}

static int status_of_child(void)
{
	const pid_t pid = fork();

	if (pid == 0) {
		alarm(DEADLINE_S);
		_exit(live_in_child());
	}
	return status_of(pid);
}

static int begin(void **state)
{
	(void)state;
	cpc = cpc_open(CPC_VER_CURRENT);
	shared = cpc ? make_set(cpc) : NULL;
	buf = shared ? cpc_buf_create(cpc, shared) : NULL;
	return !buf;
}

static int end(void **state)
{
	(void)state;
	return cpc_close(cpc);
}

/* The parent counts on, whatever its children do with their copies. */
static void forks_under_load(void **state)
{
	static const int own_session[LWPS] = {1};
	pthread_t thread[LWPS];
	int forks = 0, st = 0;
	uint64_t n;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	print_message(
		"AddressSanitizer's own allocator is locked in children of fork(2)\n");
	skip();
#endif
	cpc_seterrhndlr(cpc, ignore_message);
	assert_int_equal(cpc_bind_curlwp(cpc, shared, CPC_BIND_LWP_INHERIT), 0);
	for (int i = 0; i < LWPS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, load,
						(void *)(uintptr_t)&own_session[i]),
				 0);
	for (; forks < FORKS && st == 0; forks++) {
		st = status_of_child();
		work();
	}
	__atomic_store_n(&ends, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < LWPS; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	if (st)
		fail_msg("child %d: wait status %#x", forks, (unsigned)st);
	assert_int_equal(cpc_set_sample(cpc, shared, buf), 0);
	assert_int_equal(cpc_buf_get(cpc, buf, 0, &n), 0);
	assert_true(n >= FORKS * PAGES);
}

static pid_t forked;

/* Called with the session locked. The child returns from the handler, too. */
static void fork_in_handler(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn, (void)subcode, (void)fmt, (void)ap;
	forked = fork();
	if (forked == 0)
		alarm(DEADLINE_S);
}

static void forks_in_an_error_handler(void **state)
{
	(void)state;
	cpc_set_t *set = make_set(cpc);
	cpc_seterrhndlr(cpc, fork_in_handler);
	cpc_set_add_request(cpc, set, "no such event", 0, USER, 0, NULL);
	if (forked == 0)
		_exit(live_in_child());
	cpc_seterrhndlr(cpc, NULL);
	assert_int_equal(status_of(forked), 0);
}

/*
 * A handler of pthread_atfork(3) that is older than the session is called before the
 * library's.
 */
static cpc_t *used_at_fork;

static void use_session(void)
{
	if (used_at_fork && !cpc_set_create(used_at_fork))
		_exit(91);
}

static void is_used_in_handlers_of_fork(void **state)
{
	(void)state;
	used_at_fork = cpc;
	assert_int_equal(status_of_child(), 0);
	used_at_fork = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(forks_under_load, begin, end),
		cmocka_unit_test_setup_teardown(forks_in_an_error_handler, begin, end),
		cmocka_unit_test_setup_teardown(is_used_in_handlers_of_fork, begin, end),
	};

	pthread_atfork(use_session, use_session, use_session);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
