/* Whose births are recorded, and machines on which the lives of LWPs are not recorded. */
#include "engine/kernel/lifetimes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/kernel/bind.h"

static long ncpus; /* of the machine */

/* Takes the place of the function of the C library. */
long sysconf(int name)
{
	return name == _SC_PAGESIZE ? 4096 : name == _SC_NPROCESSORS_CONF ? ncpus : -1;
}

static int refuse(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
		  unsigned long flags)
{
	(void)attr;
	(void)tid;
	(void)cpu;
	(void)group_fd;
	(void)flags;
	errno = EINVAL;
	return -1;
}

static struct evsel page_faults(void)
{
	return (struct evsel){
		.name = (char[]){"page-faults"},
		.factor = 1,
		.n = 1,
		.ev = {{.type = PERF_TYPE_SOFTWARE,
			.config = {PERF_COUNT_SW_PAGE_FAULTS}}},
	};
}

static void refuses_many_cpus(void **state)
{
	static const struct {
		int line;
		long ncpus;
		const char *words;
	} cases[] = {
		{__LINE__, 1, NULL},
		{__LINE__, 32, NULL},
		{__LINE__, 33,
		 "this machine has 33 CPUs, and the lives of LWPs can be recorded on at "
		 "most 32"},
		{__LINE__, 4096,
		 "this machine has 4096 CPUs, and the lives of LWPs can be recorded on "
		 "at most 32"},
	};
	const struct kernel_env env = {.root = "", .perf_open = refuse};
	struct evsel faults = page_faults();
	const struct evsel *const sel = &faults;
	struct kernel_host host = {0};

	(void)state;
	kernel_host_init(&host, &env);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct why why = {0};

		ncpus = cases[i].ncpus;
		errno = 0;
		if (kernel_lifetimes_open(&host, getpid(), &sel, 1, &why))
			fail_msg("case of line %d: opened", cases[i].line);
		const int many = errno == ENOTSUP && strstr(why.text, " CPUs, ") != NULL;
		if (many != (cases[i].words != NULL) ||
		    (many && strcmp(why.text, cases[i].words) != 0))
			fail_msg("case of line %d: %s", cases[i].line, why.text);
	}
	kernel_host_free(&host);
}

/* Opens of events of births: a letter of whose they are, and the CPU. */
static char births[64];
static int all_errno; /* of events of all processes, or 0 */

/* The descriptors cannot be mapped. */
static int open_nothing(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
			unsigned long flags)
{
	char text[16];

	(void)group_fd;
	(void)flags;
	if (attr->task) {
		assert_int_equal(attr->inherit, tid != -1);
		assert_int_equal(attr->disabled, tid != -1);
		snprintf(text, sizeof text, "%c%d ", tid == -1 ? 'a' : 'h', cpu);
		strcat(births, text);
	}
	if (tid != -1 || !all_errno)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	errno = all_errno;
	return -1;
}

static void births_are_those_of_all_if_it_is_allowed(void **state)
{
	static const struct {
		int line, error;
		const char *births;
	} cases[] = {
		{__LINE__, 0, "a0 a1 a2 "},
		{__LINE__, EACCES, "a0 h0 h1 h2 "},
		{__LINE__, EPERM, "a0 h0 h1 h2 "},
		/* CPUs that are offline have no events. */
		{__LINE__, ENODEV, "a0 a1 a2 "},
		{__LINE__, ENOMEM, "a0 "},
	};
	const struct kernel_env env = {.root = "", .perf_open = open_nothing};
	struct evsel faults = page_faults();
	const struct evsel *const sel = &faults;

	(void)state;
	ncpus = 3;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct kernel_host host = {0};
		struct why why = {0};

		kernel_host_init(&host, &env);
		births[0] = '\0';
		all_errno = cases[i].error;
		assert_null(kernel_lifetimes_open(&host, getpid(), &sel, 1, &why));
		kernel_host_free(&host);
		if (strcmp(births, cases[i].births) != 0)
			fail_msg("case of line %d: %s", cases[i].line, births);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_many_cpus),
		cmocka_unit_test(births_are_those_of_all_if_it_is_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
