/* Whose births are recorded, and machines on which the lives of LWPs are not recorded. */
#include "engine/kernel/lifetimes.h"

#include <dlfcn.h>
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
#include "fake_root.h"

/* The folder in place of the root folder. */
static char root[64];

/* NULL: the machine does not have the list. */
static void make_machine(const char *present, const char *online)
{
	strcpy(root, "/tmp/opencpc-lifetimes-XXXXXX");
	fake_root_make(root, NULL, 0);
	if (present)
		fake_root_put(root, "sys/devices/system/cpu/present", present);
	if (online)
		fake_root_put(root, "sys/devices/system/cpu/online", online);
}

static long nconfigured; /* of the machine */

/* Takes the place of the function of the C library, which sanitizers call, too. */
long sysconf(int name)
{
	long (*const of_library)(int name) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");

	return name == _SC_NPROCESSORS_CONF ? nconfigured : of_library(name);
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

/* Opens of events of births: a letter of whose they are, and the CPU. */
static char births[512];
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

/* Try to record the lives of LWPs on the machine, which fails; *why gets the reason. */
static void open_there(struct why *why)
{
	const struct kernel_env env = {.root = root, .perf_open = open_nothing};
	struct evsel faults = page_faults();
	const struct evsel *const sel = &faults;
	struct kernel_host host = {0};

	*why = (struct why){0};
	births[0] = '\0';
	kernel_host_init(&host, &env);
	assert_null(kernel_lifetimes_open(&host, getpid(), &sel, 1, why));
	kernel_host_free(&host);
	assert_int_equal(fake_root_remove(root), 0);
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
		/* CPUs that are offline can come online later. */
		{__LINE__, ENODEV, "a0 h0 a1 h1 a2 h2 "},
		{__LINE__, ENOMEM, "a0 "},
	};
	struct why why;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		make_machine("0-2", NULL);
		all_errno = cases[i].error;
		open_there(&why);
		if (strcmp(births, cases[i].births) != 0)
			fail_msg("case of line %d: %s", cases[i].line, births);
	}
}

static void births_are_those_of_the_cpus_that_can_come_online(void **state)
{
	static const struct {
		int line;
		const char *present, *online, *births;
	} cases[] = {
		{__LINE__, "0-1,4", "0-1,4", "a0 a1 a4 "},
		{__LINE__, "0-3", "0,2", "a0 a1 a2 a3 "},
		{__LINE__, "0-9", "0-1", "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 "},
		/* 9 CPUs are offline, as each second is without hyper-threading. */
		{__LINE__, "0-17", "0,2,4,6,8,10,12,14,16",
		 "a0 a2 a4 a6 a8 a10 a12 a14 a16 "},
		{__LINE__, "0-2", NULL, "a0 a1 a2 "},
		{__LINE__, "0-12", "\n", "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 "},
		/* Without the list, those that the C library knows. */
		{__LINE__, NULL, "0", "a0 a1 a2 a3 "},
		{__LINE__, "\n", "0", "a0 a1 a2 a3 "},
	};
	struct why why;

	(void)state;
	all_errno = 0;
	nconfigured = 4;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		make_machine(cases[i].present, cases[i].online);
		open_there(&why);
		if (strcmp(births, cases[i].births) != 0)
			fail_msg("case of line %d: %s", cases[i].line, births);
	}
}

/* A user who may observe all processes has records on any number of CPUs. */
static void many_cpus_need_the_right_to_observe_all(void **state)
{
	static const struct {
		int line, error;
		const char *present, *words;
	} cases[] = {
		{__LINE__, EACCES, "0-31", "cannot open the events"},
		{__LINE__, EACCES, "0-32",
		 "this machine has 33 CPUs; on more than 32 the records need root or "
		 "CAP_PERFMON, as LWPs would begin slowly otherwise"},
		{__LINE__, EPERM, "0-4095", "this machine has 4096 CPUs; "},
		{__LINE__, 0, "0-39", "cannot open the events"},
		{__LINE__, E2BIG, "0-39", "cannot open the events"},
	};
	struct why why;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		make_machine(cases[i].present, NULL);
		all_errno = cases[i].error;
		open_there(&why);
		if (strncmp(why.text, cases[i].words, strlen(cases[i].words)) != 0)
			fail_msg("case of line %d: %s", cases[i].line, why.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_cpus_need_the_right_to_observe_all),
		cmocka_unit_test(births_are_those_of_all_if_it_is_allowed),
		cmocka_unit_test(births_are_those_of_the_cpus_that_can_come_online),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
