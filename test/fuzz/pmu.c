/*
 * Reads any files as the PMUs of a machine (descriptors.h): their CPUs and the events
 * that they list. The first line of the input is an event: "TYPE CONFIG". Build with
 * clang -fsanitize=fuzzer,address,undefined.
 */
#include "engine/kernel/pmu.h"

#include "descriptors.h"
#include "engine/kernel/listed.h"
#include "lists.h"

/* The folder of PMUs. */
#define DEVICES "/sys/bus/event_source/devices"

/* A PMU is a folder with a file type that is not empty. */
static void check_pmu(const struct kernel_pmu *p)
{
	char path[PATH_MAX];

	check(files_format(path, DEVICES "/%s/type", p->name) == 0 && files_find(path) &&
		      files_find(path)->size,
	      "a PMU has a type");
}

static void check_cpus(struct kernel_pmus *p, uint32_t type)
{
	struct cpulist l;
	int cpu = -1;
	const int rc = kernel_pmu_cpus(p, "", type, &l);

	check(rc >= 0 || errno == EINVAL, "a list that is not read is malformed");
	const int percpu = kernel_pmu_is_percpu(p, "", type, &cpu);

	check(rc > 0 || (!l.n && !l.cpu), "no CPUs without a list");
	check(!percpu || (rc == 1 && l.n && l.cpu[0] == cpu),
	      "a PMU that is for several CPUs is read on the first of them");
	for (unsigned i = 1; i < l.n; i++)
		check(l.cpu[i - 1] < l.cpu[i], "CPUs ascend");
	cpulist_free(&l);
}

/* A PMU of Arm that lists an event does not lack it. */
static void check_listed(const struct kernel_event *ev)
{
	struct kernel_core core[KERNEL_SYSFS_CORES];
	const unsigned n = kernel_sysfs_cores("", core);
	const int lacks = kernel_listed_lacks("", core, n, ev);

	check(lacks == !!lacks, "an event is lacking or not");
	check(!lacks || n > 0, "no event is lacking without a core");
}

static void check_pmus(void)
{
	struct kernel_pmus p = {0};

	check(kernel_pmu_read(&p, "") == 0, "folders in memory can be read");
	for (unsigned i = 0; i < p.n; i++) {
		check(!i || strcmp(p.pmu[i - 1].name, p.pmu[i].name) < 0,
		      "PMUs are sorted");
		check_pmu(&p.pmu[i]);
		check_cpus(&p, p.pmu[i].type);
	}
	check_cpus(&p, UINT32_MAX);
	kernel_pmu_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned type = 0;
	unsigned long long config = 0;

	sscanf(files_open(data, size), "%u %llx", &type, &config);
	const struct kernel_event ev = {.type = type, .config = {config}};
	if (lists_are_small()) {
		struct kernel_pmus none = {0};

		check_pmus();
		check_cpus(&none, kernel_pmu_of(&ev));
		kernel_pmu_free(&none);
		check_listed(&ev);
	}
	descriptors_close();
	return 0;
}
