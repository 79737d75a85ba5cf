/* Prints the registers with which an Itanium 2 counts some events in user mode. */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_itanium2.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"CPU_CYCLES", "IA64_INST_RETIRED",
				    "DATA_EAR_CACHE_LAT4"};
enum { COUNT = sizeof(names) / sizeof(*names) };

static pfmlib_input_param_t inp;
static pfmlib_output_param_t outp;

static int failed(const char *what, int ret)
{
	fprintf(stderr, "%s: %s\n", what, pfm_strerror(ret));
	return 1;
}

int main(void)
{
	pfmlib_ita2_input_param_t ita2_inp;
	pfmlib_ita2_output_param_t ita2_outp;
	unsigned int i;
	int ret;

	if ((ret = pfm_initialize()) != PFMLIB_SUCCESS)
		return failed("libpfm", ret);
	memset(&ita2_inp, 0, sizeof(ita2_inp));
	memset(&ita2_outp, 0, sizeof(ita2_outp));
	for (i = 0; i < COUNT; i++) {
		ret = pfm_find_event(names[i], &inp.pfp_events[i].event);
		if (ret != PFMLIB_SUCCESS)
			return failed(names[i], ret);
		if (pfm_ita2_is_dear(inp.pfp_events[i].event))
			printf("%s is of the D-EAR\n", names[i]);
	}
	inp.pfp_event_count = COUNT;
	inp.pfp_dfl_plm = PFM_PLM3;
	ita2_inp.pfp_ita2_counters[1].thres = 2;

	ret = pfm_dispatch_events(&inp, &ita2_inp, &outp, &ita2_outp);
	if (ret != PFMLIB_SUCCESS)
		return failed("pfm_dispatch_events", ret);
	for (i = 0; i < outp.pfp_pmc_count; i++)
		printf("PMC%u = 0x%llx\n", outp.pfp_pmcs[i].reg_num,
		       outp.pfp_pmcs[i].reg_value);
	for (i = 0; i < outp.pfp_pmd_count; i++)
		printf("PMD%u\n", outp.pfp_pmds[i].reg_num);
	return 0;
}
