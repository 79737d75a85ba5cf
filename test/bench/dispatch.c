/*
 * dispatch [ROUNDS]: prints the costs of pfm_dispatch_events() for several inputs, in ns
 * for a call: the least and the median of ROUNDS (default 11) rounds of 10,000 calls.
 */
#include <perfmon/pfmlib_itanium2.h>

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 10000, MAX_ROUNDS = 1001 };

static const struct input {
	const char *title;
	const char *name[PMU_ITA2_NUM_COUNTERS];
	unsigned char mod, opcode, code,
		data; /* use modifiers, opcode matching; number of ranges */
} inputs[] = {
	{"1 event", {"CPU_CYCLES"}, 0, 0, 0, 0},
	{"4 events",
	 {"CPU_CYCLES", "IA64_INST_RETIRED", "L3_MISSES", "BACK_END_BUBBLE_ALL"},
	 0,
	 0,
	 0,
	 0},
	{"4 events of both cache groups",
	 {"L2_REFERENCES", "L1D_READS_SET1", "L2_DATA_REFERENCES_L2_ALL",
	  "L1D_READ_MISSES_ALL"},
	 0,
	 0,
	 0,
	 0},
	{"4 events, EARs",
	 {"DATA_EAR_CACHE_LAT4", "L1I_EAR_CACHE_LAT8", "CPU_CYCLES", "IA64_INST_RETIRED"},
	 1,
	 0,
	 0,
	 0},
	{"4 events, branch trace buffer",
	 {"BRANCH_EVENT", "IA64_INST_RETIRED", "CPU_CYCLES", "L3_MISSES"},
	 1,
	 0,
	 0,
	 0},
	{"4 events, opcodes, a code range, 2 data ranges",
	 {"IA64_INST_RETIRED", "NOPS_RETIRED", "PREDICATE_SQUASHED_RETIRED",
	  "LOADS_RETIRED"},
	 1,
	 1,
	 1,
	 2},
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void prepare(const struct input *i, pfmlib_input_param_t *in,
		    pfmlib_ita2_input_param_t *mod)
{
	in->pfp_dfl_plm = PFM_PLM3;
	for (unsigned e = 0; e < PMU_ITA2_NUM_COUNTERS && i->name[e]; e++) {
		if (pfm_find_event(i->name[e], &in->pfp_events[e].event) !=
		    PFMLIB_SUCCESS)
			errx(1, "%s: no such event", i->name[e]);
		in->pfp_event_count = e + 1;
		mod->pfp_ita2_counters[e].flags = PFMLIB_ITA2_FL_EVT_NO_QUALCHECK;
	}
	mod->pfp_ita2_pmc8.opcm_used = i->opcode;
	mod->pfp_ita2_pmc8.pmc_val = 0x1400028003fff1f8;
	mod->pfp_ita2_irange.rr_used = i->code != 0;
	mod->pfp_ita2_drange.rr_used = i->data != 0;
	for (unsigned k = 0; k < i->code; k++)
		mod->pfp_ita2_irange.rr_limits[k] = (pfmlib_ita2_input_rr_desc_t){
			0, 0x1230 + k * 0x10000, 0x14f70 + k * 0x10000};
	for (unsigned k = 0; k < i->data; k++)
		mod->pfp_ita2_drange.rr_limits[k] = (pfmlib_ita2_input_rr_desc_t){
			0, 0x6000000000012000 + k * 0x100000,
			0x6000000000015000 + k * 0x100000};
}

static void measure(const struct input *i, unsigned rounds)
{
	static pfmlib_input_param_t in;
	static pfmlib_output_param_t out;
	pfmlib_ita2_input_param_t mod = {0};
	pfmlib_ita2_output_param_t mod_out;
	double ns[MAX_ROUNDS];

	in = (pfmlib_input_param_t){0};
	prepare(i, &in, &mod);
	for (unsigned r = 0; r < rounds; r++) {
		const double start = now_ns();

		for (unsigned c = 0; c < CALLS; c++) {
			const int ret =
				pfm_dispatch_events(&in, i->mod ? &mod : NULL, &out,
						    i->mod ? &mod_out : NULL);

			if (ret != PFMLIB_SUCCESS)
				errx(1, "%s: %s", i->title, pfm_strerror(ret));
		}
		ns[r] = (now_ns() - start) / CALLS;
	}
	qsort(ns, rounds, sizeof(*ns), ascending);
	printf("%-48s %8.0f %8.0f\n", i->title, ns[0], ns[rounds / 2]);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 11;

	if (rounds < 1 || rounds > MAX_ROUNDS)
		errx(2, "usage: dispatch [ROUNDS], 1 to %d", MAX_ROUNDS);
	if (pfm_initialize() != PFMLIB_SUCCESS)
		errx(1, "pfm_initialize");
	printf("%-48s %8s %8s\n", "pfm_dispatch_events(), ns a call", "least", "median");
	for (size_t i = 0; i < sizeof(inputs) / sizeof(*inputs); i++)
		measure(&inputs[i], (unsigned)rounds);
	return 0;
}
