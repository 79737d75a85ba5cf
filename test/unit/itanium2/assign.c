#include "itanium2/assign.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ANY UINT64_MAX

/*
 * Events, the counters that the caller allows, and the assigned counters or the message.
 */
static const struct {
	int line;
	struct {
		const char *name;
		uint64_t pics;
	} w[5];
	const char *want;
} cases[] = {
	{__LINE__, {{0}}, ""},
	{__LINE__, {{"CPU_CYCLES", ANY}}, "4"},
	{__LINE__,
	 {{"CPU_CYCLES", ANY},
	  {"CPU_CYCLES", ANY},
	  {"NOPS_RETIRED", ANY},
	  {"BUS_HITM", ANY}},
	 "4 5 6 7"},
	{__LINE__, {{"CPU_CYCLES", 0x80}, {"NOPS_RETIRED", ANY}}, "7 4"},
	/* groups of which one event must be on a certain counter */
	{__LINE__, {{"LOADS_RETIRED", ANY}}, "5"},
	{__LINE__, {{"LOADS_RETIRED", ANY}, {"MISALIGNED_LOADS_RETIRED", ANY}}, "4 5"},
	{__LINE__, {{"L2_REFERENCES", ANY}}, "4"},
	{__LINE__, {{"CPU_CYCLES", ANY}, {"L2_REFERENCES", ANY}}, "5 4"},
	{__LINE__, {{"L2_REFERENCES", ANY}, {"L2_REFERENCES", ANY}}, "4 5"},
	{__LINE__, {{"L1D_READ_MISSES_ALL", ANY}, {"L2_REFERENCES", ANY}}, "5 4"},
	{__LINE__,
	 {{"LOADS_RETIRED", 0x50}},
	 "LOADS_RETIRED cannot be counted on the requested counters: the processor "
	 "has counters 4 to 7, one event of group L1D must be on counter 5"},
	{__LINE__,
	 {{"CPU_CYCLES", 0x10}, {"L2_REFERENCES", ANY}},
	 "CPU_CYCLES and L2_REFERENCES cannot be counted together on the requested "
	 "counters: the processor has counters 4 to 7, one event of group L2 must be on "
	 "counter 4"},
	/* one counter, too many events */
	{__LINE__,
	 {{"L2_FORCE_RECIRC_ANY", ANY},
	  {"NOPS_RETIRED", ANY},
	  {"L2_FORCE_RECIRC_ANY", ANY}},
	 "L2_FORCE_RECIRC_ANY and L2_FORCE_RECIRC_ANY: each can be counted only on "
	 "counter 4"},
	{__LINE__,
	 {{"CPU_CYCLES", ANY},
	  {"CPU_CYCLES", ANY},
	  {"CPU_CYCLES", ANY},
	  {"CPU_CYCLES", ANY},
	  {"BUS_HITM", ANY}},
	 "CPU_CYCLES, CPU_CYCLES, CPU_CYCLES, CPU_CYCLES and BUS_HITM cannot be counted "
	 "together: the processor has counters 4 to 7"},
	/* events of one group and of different sets */
	{__LINE__,
	 {{"CPU_CYCLES", ANY}, {"L1D_READS_SET0", ANY}, {"L1D_READ_MISSES_ALL", ANY}},
	 "L1D_READS_SET0 (group L1D, set 0) and L1D_READ_MISSES_ALL (set 1): events of "
	 "one group can be counted together only if they are of one set"},
	{__LINE__,
	 {{"L2_REFERENCES", ANY}, {"L2_SYNTH_PROBE", ANY}},
	 "L2_REFERENCES (group L2, set 1) and L2_SYNTH_PROBE (set 2): events of one "
	 "group can be counted together only if they are of one set"},
	/* unit masks of group L2: in sets 1 and 2 each event has its own */
	{__LINE__,
	 {{"L2_DATA_REFERENCES_L2_DATA_READS", ANY}, {"L2_DATA_REFERENCES_L2_ALL", ANY}},
	 "4 5"},
	{__LINE__,
	 {{"L2_IFET_CANCELS_BYPASS", ANY}, {"L2_IFET_CANCELS_CHG_PRIO", ANY}},
	 "L2_IFET_CANCELS_BYPASS (group L2, set 0, unit mask 0x2) and "
	 "L2_IFET_CANCELS_CHG_PRIO (unit mask 0xc): events of this set can be counted "
	 "together only if they have one unit mask"},
	{__LINE__, {{"L2_IFET_CANCELS_BYPASS", ANY}, {"L2_OZQ_ACQUIRE", ANY}}, "4 5"},
	{__LINE__,
	 {{"L2_OZQ_ACQUIRE", ANY}, {"L2_IFET_CANCELS_BYPASS", ANY}},
	 "L2_OZQ_ACQUIRE and L2_IFET_CANCELS_BYPASS (group L2, set 0) share the unit "
	 "mask of the latter, which must come first"},
	{__LINE__,
	 {{"L2_OZQ_CANCELS1_REL", ANY}, {"L2_OZQ_CANCELS1_REL", ANY}},
	 "L2_OZQ_CANCELS1_REL and L2_OZQ_CANCELS1_REL: only one of the L2_OZQ_CANCELS "
	 "events can be counted at a time"},
};

static void test_cases(void **state)
{
	const struct evtab *t = evtab_find("itanium2");

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct itanium2_wanted_event w[5];
		unsigned n = 0, pic[5];
		char got[400] = "";

		for (; n < 5 && cases[i].w[n].name; n++) {
			const char *name = cases[i].w[n].name;

			w[n] = (struct itanium2_wanted_event){name, evtab_name(t, name),
							      cases[i].w[n].pics};
			if (!w[n].row)
				fail_msg("line %d: no event %s", cases[i].line, name);
		}
		errno = 0;
		if (itanium2_assign(w, n, pic, got, sizeof got) == -1)
			assert_int_equal(errno, EINVAL);
		else
			for (unsigned k = 0; k < n; k++)
				sprintf(got + strlen(got), "%s%u", k ? " " : "", pic[k]);
		if (strcmp(got, cases[i].want) != 0)
			fail_msg("line %d: %s", cases[i].line, got);
	}
}

/* A message that does not fit is cut; at most 64 events are allowed. */
static void test_limits(void **state)
{
	const struct event *row = evtab_name(evtab_find("itanium2"), "CPU_CYCLES");
	struct itanium2_wanted_event w[65];
	unsigned pic[65];
	char err[400], small[20];

	(void)state;
	for (unsigned i = 0; i < 65; i++)
		w[i] = (struct itanium2_wanted_event){"CPU_CYCLES", row, ANY};
	assert_int_equal(itanium2_assign(w, 64, pic, small, sizeof small), -1);
	assert_string_equal(small, "CPU_CYCLES, CPU_CYC");
	assert_int_equal(itanium2_assign(w, 65, pic, err, sizeof err), -1);
	assert_string_equal(err, "65 events are too many");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
