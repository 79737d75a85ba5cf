/*
 * Encodes any name of an event of sysfs with any files of PMUs (files.h; the first line
 * is the name). A name is refused with a message, or the event is of the PMU and can be
 * encoded again by its fields. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "engine/kernel/sysfs.h"

#include "files.h"

static unsigned walked;

/* The event of a name that the walk gives is encoded or refused for its own terms. */
static void on_name(void *arg, const char *name, const char *title)
{
	struct kernel_event ev;
	struct why why = {""};
	char unit[128];

	(void)arg;
	walked++;
	check(!title && kernel_sysfs_is(name), "the walk gives names of sysfs");
	if (kernel_sysfs_encode("", name, &ev, unit, sizeof unit, &why) == -1)
		check(*why.text && errno, "a refusal has a message");
}

static void check_fields(const char *pmu)
{
	const uint64_t bits = kernel_sysfs_bits("", pmu);
	char **const fields = kernel_sysfs_fields("", pmu);

	check(fields && bits, "a PMU has fields and bits");
	for (char **f = fields; *f; f++) {
		struct kernel_event ev = {0}, full = {0};
		struct why why = {""};

		check(!f[1] || strcmp(f[0], f[1]) < 0, "fields are sorted");
		if (kernel_sysfs_set("", pmu, *f, 1, &ev, &why) == -1) {
			check(errno == EINVAL && *why.text, "a refusal has a message");
			continue;
		}
		check(ev.config[0] == 0 || (ev.config[0] & ~bits) == 0,
		      "a field is within the PMU's bits");
		kernel_sysfs_set("", pmu, *f, UINT64_MAX, &full, &why);
	}
	kernel_sysfs_free(fields);
}

static void check_event(const char *name)
{
	struct kernel_event ev, again;
	struct why why = {""};
	char unit[128], pmu[64], same[128];

	if (kernel_sysfs_encode("", name, &ev, unit, sizeof unit, &why) == -1) {
		check((errno == EINVAL || errno == ENOENT) && *why.text,
		      "a refusal has a message");
		return;
	}
	kernel_sysfs_pmu(name, pmu, sizeof pmu);
	check_fields(pmu);
	snprintf(same, sizeof same, "%s/config=%#llx,config1=%#llx,config2=%#llx/", pmu,
		 (unsigned long long)ev.config[0], (unsigned long long)ev.config[1],
		 (unsigned long long)ev.config[2]);
	check(kernel_sysfs_encode("", same, &again, unit, sizeof unit, &why) == 0,
	      "an event is encoded by its words of configuration");
	check(again.type == ev.type && again.percpu == ev.percpu &&
		      memcmp(again.config, ev.config, sizeof ev.config) == 0,
	      "the event is the same");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kernel_core core[KERNEL_SYSFS_CORES];
	const char *const name = files_open(data, size);

	check_event(name);
	const unsigned n = kernel_sysfs_cores("", core);
	check(n <= KERNEL_SYSFS_CORES, "the array has room for all cores");
	for (unsigned i = 1; i < n; i++)
		check(strcmp(core[i - 1].name, core[i].name) < 0, "cores are sorted");
	walked = 0;
	const struct engine_walk w = {.name = on_name};
	kernel_sysfs_walk("", &w);
	check(walked <= files.n, "an event is a file");
	check_fields(NULL);
	files_close();
	return 0;
}
