#include "engine/kernel/pfm.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <libcpc.h>

enum { BOTH = CPC_COUNT_USER | CPC_COUNT_SYSTEM };

/*
 * test/data has the encodings of events of x86 processors; with LIBPFM_ENCODE_INACTIVE
 * libpfm4 encodes these events on every machine.
 */
static void encodes_as_recorded(void **state)
{
	(void)state;
	char name[256];
	unsigned type, lines = 0;
	unsigned long long config, config1;
	FILE *f = fopen("test/data/host_encodings.tsv", "r");

	assert_non_null(f);
	assert_true(fscanf(f, "#%*[^\n]") == 0);
	while (fscanf(f, "%255s %u %llx %llx", name, &type, &config, &config1) == 4) {
		struct kernel_event ev;
		struct why why = {""};
		lines++;
		if (kernel_pfm_encode(name, CPC_COUNT_USER, &ev, &why) ||
		    ev.type != type || ev.config[0] != config ||
		    ev.config[1] != config1 || ev.exclude_user || !ev.exclude_kernel ||
		    !ev.exclude_hv)
			fail_msg("row %u, %s: type %u config 0x%llx '%s'", lines, name,
				 ev.type, (unsigned long long)ev.config[0], why.text);
	}
	fclose(f);
	assert_true(lines > 100);
}

static const struct {
	int line;
	const char *name;
	unsigned flags;
	int err;
	unsigned xu, xk, xh; /* excluded: user, kernel, hypervisor */
	const char *text;
} names[] = {
	{__LINE__, "perf::CYCLES", CPC_COUNT_USER, 0, 0, 1, 1, NULL},
	{__LINE__, "perf::CYCLES", CPC_COUNT_SYSTEM, 0, 1, 0, 0, NULL},
	{__LINE__, "perf::CYCLES", BOTH, 0, 0, 0, 0, NULL},
	{__LINE__, "perf::CYCLES", 0, 0, 1, 1, 1, NULL},
	{__LINE__, "cycles:k", CPC_COUNT_USER, 0, 1, 0, 0, NULL},
	{__LINE__, "cycles:u", BOTH, 0, 0, 1, 1, NULL},
	{__LINE__, "cycles:nope", CPC_COUNT_USER, EINVAL, 0, 0, 0,
	 "invalid event attribute"},
	{__LINE__, "cycles:period=100", CPC_COUNT_USER, EINVAL, 0, 0, 0,
	 "period and freq are for sampling, not for counting"},
	{__LINE__, "cycles:pinned", CPC_COUNT_USER, EINVAL, 0, 0, 0,
	 "pinned and excl are not supported"},
	{__LINE__, "cycles:cpu=0", CPC_COUNT_USER, EINVAL, 0, 0, 0,
	 "modifier cpu is not supported"},
	{__LINE__, "no_such_event", CPC_COUNT_USER, ENOENT, 0, 0, 0,
	 "not an event of this machine"},
	{__LINE__, "nopmu::CYCLES", CPC_COUNT_USER, ENOENT, 0, 0, 0,
	 "not an event of this machine"},
	{__LINE__, "", CPC_COUNT_USER, ENOENT, 0, 0, 0, "not an event of this machine"},
};

static void sets_modes_or_refuses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct kernel_event ev;
		struct why why = {""};
		errno = 0;
		const int rc =
			kernel_pfm_encode(names[i].name, names[i].flags, &ev, &why);
		const int good = names[i].err
					 ? rc == -1 && errno == names[i].err &&
						   strstr(why.text, names[i].text)
					 : rc == 0 && ev.exclude_user == names[i].xu &&
						   ev.exclude_kernel == names[i].xk &&
						   ev.exclude_hv == names[i].xh;
		if (!good)
			fail_msg("line %d: rc %d, '%s'", names[i].line, rc, why.text);
	}
}

static void knows_names(void **state)
{
	(void)state;
	assert_true(kernel_pfm_knows("INSTRUCTIONS"));
	assert_true(kernel_pfm_knows("page-faults"));
	/* an event with a wrong modifier */
	assert_true(kernel_pfm_knows("cycles:nope"));
	assert_false(kernel_pfm_knows("EC_ref"));
	assert_false(kernel_pfm_knows("mem:0x1000:x"));
}

struct seen {
	unsigned n;
	int cycles, faults, umask;
};

static void see(void *arg, const char *name, const char *title)
{
	struct seen *s = arg;

	assert_non_null(title);
	assert_true(kernel_pfm_knows(name));
	s->n++;
	s->cycles |= strcmp(name, "CYCLES") == 0;
	s->faults |= strcmp(name, "PAGE-FAULTS") == 0;
	s->umask |= strchr(name, ':') != NULL;
}

static void lists_events(void **state)
{
	(void)state;
	struct seen all = {0};

	kernel_pfm_walk(&all, see);
	assert_true(all.cycles && all.umask);
	assert_false(all.faults);
}

/*
 * libpfm4 reads the processor from the environment when it is initialised: so this test
 * runs first, and in a process of its own.
 */
static void names_the_processor(void **state)
{
	(void)state;
	int status;

	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		char buf[128], small[4];
		setenv("LIBPFM_FORCE_PMU", "skl", 1);
		kernel_pfm_pmu(buf, sizeof(buf));
		kernel_pfm_pmu(small, sizeof(small));
		_exit(strcmp(buf, "Intel Skylake (skl)") != 0 ||
		      strcmp(small, "Int") != 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Events of other processors, if libpfm4 knows this processor and if it does not. */
static void refuses_events_of_other_processors(void **state)
{
	static const struct {
		int line;
		const char *pmu, *name, *text; /* NULL: not foreign */
	} cases[] = {
		{__LINE__, "skl", "nhm::INST_RETIRED:ANY",
		 "nhm::INST_RETIRED:ANY: this event is of nhm, but this processor is "
		 "Intel Skylake (skl)"},
		{__LINE__, "skl", "NHM::inst_retired", "this event is of nhm, but"},
		{__LINE__, "skl", "SB_DRAIN", NULL},
		{__LINE__, "skl", "nhm::NO_SUCH", NULL},
		{__LINE__, "skl", "nhm::", NULL},
		{__LINE__, "skl", "skl::INST_RETIRED", NULL},
		{__LINE__, "perf", "inst_retired:any_p",
		 "but does not know this processor; count"},
		{__LINE__, "perf", "icl::INST_RETIRED", "other processors (icl)"},
		{__LINE__, "perf", "NO_SUCH", NULL},
		{__LINE__, "perf", "", NULL},
	};
	int status;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			struct why why = {""};
			setenv("LIBPFM_FORCE_PMU", cases[i].pmu, 1);
			errno = 0;
			const int is = kernel_pfm_foreign(cases[i].name, &why);
			_exit(cases[i].text ? !is || errno != ENOENT ||
						      !strstr(why.text, cases[i].text)
					    : is || *why.text);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		if (status)
			fail_msg("line %d", cases[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_processor),
		cmocka_unit_test(refuses_events_of_other_processors),
		cmocka_unit_test(encodes_as_recorded),
		cmocka_unit_test(sets_modes_or_refuses),
		cmocka_unit_test(knows_names),
		cmocka_unit_test(lists_events),
	};
	/* libpfm4 has the tables of x86 only on x86. */
#if defined(__x86_64__) || defined(__i386__)
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	(void)tests;
	puts("skipped: libpfm4 has no x86 tables here");
	return 0;
#endif
}
