#include "engine/kernel/own.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	uint64_t config;
} software[] = {
	{"alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"cgroup-switches", PERF_COUNT_SW_CGROUP_SWITCHES},
	{"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-clock", PERF_COUNT_SW_CPU_CLOCK},
	{"cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
	{"cs", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS},
	{"faults", PERF_COUNT_SW_PAGE_FAULTS},
	{"major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
	{"minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"page-faults", PERF_COUNT_SW_PAGE_FAULTS},
	{"task-clock", PERF_COUNT_SW_TASK_CLOCK},
};

int kernel_own_find(const char *name, uint64_t *config)
{
	for (size_t i = 0; i < sizeof(software) / sizeof(software[0]); i++)
		if (strcasecmp(name, software[i].name) == 0) {
			*config = software[i].config;
			return 1;
		}
	return 0;
}
