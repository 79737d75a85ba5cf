/*
 * A signal handler samples, stops and starts the set of its LWP while the LWP is in any
 * other call of the library: the handler never waits for a lock, and counts stay right.
 */
#include <libcpc.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

enum { USER = CPC_COUNT_USER, SIGNALS = 300, DEADLINE_S = 60 };

static cpc_t *cpc;
static cpc_set_t *set;
static cpc_buf_t *buf;
static volatile sig_atomic_t signals, failures;

static void on_signal(int sig)
{
	static uint64_t last;
	uint64_t now = 0;

	(void)sig;
	failures += cpc_disable(cpc) == -1 || cpc_enable(cpc) == -1 ||
		    cpc_request_preset(cpc, 0, 0) == -1 ||
		    cpc_set_sample(cpc, set, buf) == -1 ||
		    cpc_buf_get(cpc, buf, 0, &now) == -1 || now < last;
	last = now;
	signals++;
}

/* Makes calls that take the lock of the library, and calls that allocate and free. */
static void other_calls(void)
{
	cpc_set_t *other = cpc_set_create(cpc);

	assert_int_equal(cpc_set_add_request(cpc, other, "page-faults", 0, USER, 0, NULL),
			 0);
	cpc_set_t *copy = cpc_set_dup(cpc, other);
	cpc_buf_t *b = cpc_buf_create(cpc, copy);

	assert_non_null(b);
	assert_int_equal(cpc_buf_destroy(cpc, b), 0);
	assert_int_equal(cpc_set_destroy(cpc, copy), 0);
	assert_int_equal(cpc_set_destroy(cpc, other), 0);
	assert_int_equal(cpc_close(cpc_open(CPC_VER_CURRENT)), 0);
}

static void a_handler_interrupts_other_calls(void **state)
{
	const struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	const struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};

	(void)state;
	/* A handler that waits for a lock which its own LWP has would wait forever. */
	alarm(DEADLINE_S);
	cpc = cpc_open(CPC_VER_CURRENT);
	assert_non_null(cpc);
	set = cpc_set_create(cpc);
	assert_int_equal(cpc_set_add_request(cpc, set, "page-faults", 0, USER, 0, NULL),
			 0);
	buf = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	assert_int_equal(sigaction(SIGPROF, &act, NULL), 0);
	assert_int_equal(setitimer(ITIMER_PROF, &every, NULL), 0);
	while (signals < SIGNALS)
		other_calls();
	assert_int_equal(setitimer(ITIMER_PROF, &never, NULL), 0);
	assert_int_equal(failures, 0);
	assert_int_equal(cpc_close(cpc), 0);
	alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_handler_interrupts_other_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
