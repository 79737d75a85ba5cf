/*
 * Reads any files as the CPUs of a machine (files.h; the first line is a CPU): their
 * cores, sockets and caches. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "suite/cpus/topology.h"

#include "engine/kernel/machine.h"
#include "engine/machine.h"
#include "engine/machine_native.h"
#include "lists.h"

/* CPUs that are looked up, and a limit of their numbers, as great ones take long. */
enum { CPUS = 16, FAR = 4096 };

/* If the first CPU has no caches, machine_native() looks for those of 8192 CPUs. */
static int has_caches(void)
{
	char text[8];

	return __wrap_file_read(text, sizeof text, "%s",
				"/sys/devices/system/cpu/cpu0/cache/index0/level") > 0;
}

static void check_places(int extra)
{
	struct topology *const t = topology_new("");
	int core[CPUS + 1], socket[CPUS + 1], again, same;

	check(t != NULL, "there is enough memory");
	for (int i = 0; i <= CPUS; i++) {
		const int cpu = i < CPUS ? i : extra;

		check(topology_place(t, cpu, &core[i], &socket[i]) == 0,
		      "there is enough memory");
		check(core[i] >= -1 && core[i] < LISTS_MOST * CPUS,
		      "cores have small numbers");
		check(cpu >= 0 || (core[i] == -1 && socket[i] == -1),
		      "no such CPU has a core");
	}
	for (int i = 0; i < CPUS; i++) {
		check(topology_place(t, i, &again, &same) == 0, "there is enough memory");
		check(again == core[i] && same == socket[i], "a CPU keeps its place");
	}
	topology_free(t);
}

static void message(void *arg, const char *text)
{
	(void)arg;
	check(*text && !strchr(text, '\n') && !strchr(text, '\033'),
	      "a message is a line of text");
}

static void check_caches(void)
{
	const char *const generic = machine_texts[0].text;
	struct machine_mistakes to = {NULL, message, 0};
	char *const text = machine_native("", generic, &to);
	struct machine m;

	check(text || (to.n > 0 && errno == EINVAL), "a refusal has a message");
	if (text) {
		const struct machine_source source = {
			.path = "native", .text = text, .len = strlen(text)};

		to.n = 0;
		check(machine_parse(&source, &m, &to) == 0 || to.n > 0,
		      "a text that is refused has messages");
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int cpu = (int)strtol(files_open(data, size), NULL, 10);

	if (lists_are_small()) {
		struct kernel_machine m;

		check_places(cpu < FAR ? cpu : INT_MAX);
		if (has_caches())
			check_caches();
		kernel_machine_is_online("", cpu);
		kernel_machine_read("", &m);
		check(m.hypervisor == !!m.hypervisor && m.lockdown == !!m.lockdown,
		      "facts are 0 or 1");
	}
	files_close();
	return 0;
}
