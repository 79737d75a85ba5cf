/* Which perf event stands for an event, on machines that a test describes. */
#include "engine/sample/set.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../fake_root.h"

/* What the perf events of the machine can do. */
static struct {
	int cycles, stack, exclude; /* 1: hardware events; branch stacks; IBS by mode */
	unsigned precise;	    /* the highest precise_ip */
	int error;		    /* of each event, or 0 */
	int no_lost;		    /* as before Linux 6.0, PERF_FORMAT_LOST is unknown */
} can;

static int open_event(struct perf_event_attr *a, pid_t tid, int cpu, int group_fd,
		      unsigned long flags)
{
	const int hardware = a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_RAW;

	(void)tid, (void)cpu, (void)group_fd, (void)flags;
	if (can.error)
		return errno = can.error, -1;
	if (can.no_lost && a->read_format & PERF_FORMAT_LOST)
		return errno = EINVAL, -1;
	if (hardware && !can.cycles)
		return errno = ENOENT, -1;
	if (a->precise_ip > can.precise)
		return errno = EOPNOTSUPP, -1;
	if (a->branch_sample_type && !can.stack)
		return errno = EOPNOTSUPP, -1;
	if (a->type == 11 && (a->exclude_kernel || a->exclude_hv) && !can.exclude)
		return errno = EINVAL, -1;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static char root[] = "/tmp/sample.XXXXXX";
static const struct kernel_env env = {root, open_event};

static void put(const char *path, const char *text)
{
	char full[256];

	snprintf(full, sizeof full, "sys/bus/event_source/devices/%s", path);
	fake_root_put(root, full, text);
}

/* An Intel machine with mem-loads; an AMD machine with IBS; one without a PMU. */
static void make_intel(void)
{
	put("cpu/type", "4\n");
	put("cpu/caps/max_precise", "3\n");
	put("cpu/format/event", "config:0-7\n");
	put("cpu/format/umask", "config:8-15\n");
	put("cpu/format/ldlat", "config1:0-15\n");
	put("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
}

static void make_amd(void)
{
	put("ibs_op/type", "11\n");
	put("ibs_op/format/cnt_ctl", "config:19\n");
}

static struct sample_set *begin(void (*make)(void))
{
	memset(&can, 0, sizeof can);
	can.cycles = make != NULL;
	strcpy(root, "/tmp/sample.XXXXXX");
	assert_non_null(mkdtemp(root));
	if (make)
		make();
	struct sample_set *s = sample_set_new(&env);
	assert_non_null(s);
	return s;
}

static void end(struct sample_set *s)
{
	sample_set_free(s);
	assert_int_equal(fake_root_remove(root), 0);
}

static void add(struct sample_set *s, const char *name, uint64_t interval,
		const char *origin)
{
	struct why why = {""};
	unsigned n;

	if (sample_set_add(s, name, interval, &why) == -1)
		fail_msg("%s: %s", name, why.text);
	const struct sample_source *source = sample_set_sources(s, &n);
	assert_string_equal(source[n - 1].origin, origin);
	assert_string_equal(source[n - 1].name, name);
}

static void refuse(struct sample_set *s, const char *name, uint64_t interval, int error,
		   const char *text)
{
	struct why why = {""};

	assert_int_equal(sample_set_add(s, name, interval, &why), -1);
	assert_int_equal(errno, error);
	if (!strstr(why.text, text))
		fail_msg("%s: '%s' lacks '%s'", name, why.text, text);
}

static void without_pmu(void **state)
{
	struct sample_set *s = begin(NULL);
	unsigned n;

	(void)state;
	refuse(s, "ire", 1000, ENOTSUP,
	       "ire: this machine has no counter of instructions");
	refuse(s, "bre", 1000, ENOTSUP, "bre: this machine records neither stacks");
	refuse(s, "dme", 1000, ENOTSUP, "dme: this machine does not record addresses");
	refuse(s, "cnh", 9999, EINVAL, "give an interval of 10000 or more");
	add(s, "cnh", 20000, "perf cpu-clock:u, ns in place of cycles");
	add(s, "rnh", 0, "perf cpu-clock:u, ns in place of reference cycles");
	const struct sample_source *source = sample_set_sources(s, &n);
	assert_int_equal(n, 2);
	assert_int_equal(source[0].id, LWP_EVENT_CNH);
	assert_int_equal(source[0].interval, 20000);
	assert_int_equal(source[0].substitute, 1);
	assert_int_equal(source[0].counts, 0);
	assert_int_equal(source[1].id, LWP_EVENT_RNH);
	assert_int_equal(source[1].interval, 1000000);
	end(s);
}

static void mistakes(void **state)
{
	struct sample_set *s = begin(make_intel);

	(void)state;
	refuse(s, "d1_rd_miss", 0, EINVAL, "choose ire, bre, dme, cnh or rnh");
	refuse(s, "ire", (1 << 25) + 1, EINVAL, "greater than 33554432");
	add(s, "ire", 1 << 25, "perf instructions:u");
	refuse(s, "ire", 1000, EEXIST, "ire is given twice");
	end(s);
}

/* Another refusal than that of a missing event is no reason for a substitute. */
static void forbidden(void **state)
{
	struct sample_set *s = begin(make_intel);

	(void)state;
	fake_root_put(root, "proc/sys/kernel/perf_event_paranoid", "4\n");
	can.error = EACCES;
	refuse(s, "cnh", 0, EACCES, "cnh: ");
	can.error = EMFILE;
	refuse(s, "dme", 0, EMFILE, "dme: ");
	end(s);
}

static void on_intel(void **state)
{
	struct sample_set *s = begin(make_intel);

	(void)state;
	refuse(s, "bre", 0, ENOTSUP, "bre: ");
	can.precise = 2;
	can.stack = 1;
	add(s, "ire", 500, "perf instructions:upp");
	add(s, "bre", 500,
	    "perf branches:upp, the last taken branch of the branch stack");
	can.precise = 1;
	add(s, "dme", 500, "perf mem-loads:up, loads that missed");
	add(s, "cnh", 500, "perf cycles:up");
	add(s, "rnh", 500, "perf ref-cycles:u");
	assert_int_equal(s->choice[0].attr[0].sample_period, 500);
	assert_int_equal(s->choice[0].attr[0].exclude_kernel, 1);
	assert_int_equal(s->choice[0].attr[0].precise_ip, 2);
	assert_int_equal(s->choice[2].attr[0].type, PERF_TYPE_RAW);
	assert_int_equal(s->choice[2].attr[0].config, 0x1cd);
	assert_int_equal(s->choice[2].attr[0].config1, 3);
	assert_int_equal(s->choice[2].attr[0].sample_type,
			 sample_kind_type(SAMPLE_LOADS));
	assert_int_equal(s->source[0].counts, 1);
	assert_int_equal(s->source[2].counts, 0);
	end(s);
}

static void on_amd(void **state)
{
	struct sample_set *s = begin(make_amd);

	(void)state;
	refuse(s, "dme", 1001, EINVAL, "multiple of 16");
	add(s, "dme", 1600, "perf ibs_op:u, ops that missed");
	assert_int_equal(s->choice[0].attr[0].type, 11);
	assert_int_equal(s->choice[0].attr[0].config, 1 << 19);
	assert_int_equal(s->choice[0].attr[0].exclude_kernel, 0);
	refuse(s, "bre", 1600, EBUSY, "dme has the only counter of ibs_op");
	end(s);

	/* a kernel that leaves samples of system mode out */
	s = begin(make_amd);
	put("ibs_op/format/swfilt", "config2:0\n");
	can.exclude = 1;
	add(s, "bre", 1600, "perf ibs_op:u, ops that are branches");
	assert_int_equal(s->choice[0].attr[0].config2, 1);
	assert_int_equal(s->choice[0].attr[0].exclude_kernel, 1);
	end(s);
}

/* A machine with two kinds of cores has an event for each. */
static void make_hybrid(void)
{
	put("cpu_atom/type", "10\n");
	put("cpu_atom/cpus", "4-7\n");
	put("cpu_core/type", "4\n");
	put("cpu_core/cpus", "0-3\n");
}

static void on_hybrid(void **state)
{
	struct sample_set *s = begin(make_hybrid);

	(void)state;
	/* which do not say that they are precise */
	can.precise = 3;
	add(s, "cnh", 0, "perf cycles:u");
	assert_int_equal(s->choice[0].n, 2);
	assert_int_equal(s->choice[0].attr[0].config, UINT64_C(10) << 32);
	assert_int_equal(s->choice[0].attr[1].config, UINT64_C(4) << 32);
	end(s);
}

/* Before Linux 6.0 the kernel does not count lost records. */
static void on_older_kernels(void **state)
{
	(void)state;
	for (int no_lost = 0; no_lost < 2; no_lost++) {
		struct sample_set *s = begin(make_intel);

		sample_set_free(s);
		can.no_lost = no_lost;
		s = sample_set_new(&env);
		assert_non_null(s);
		add(s, "ire", 0, "perf instructions:u");
		assert_int_equal(s->choice[0].attr[0].read_format,
				 PERF_FORMAT_TOTAL_TIME_ENABLED |
					 PERF_FORMAT_TOTAL_TIME_RUNNING |
					 (no_lost ? 0 : PERF_FORMAT_LOST));
		end(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_pmu),	    cmocka_unit_test(mistakes),
		cmocka_unit_test(forbidden),	    cmocka_unit_test(on_intel),
		cmocka_unit_test(on_amd),	    cmocka_unit_test(on_hybrid),
		cmocka_unit_test(on_older_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
