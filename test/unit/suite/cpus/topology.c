/* The cores and sockets of machines whose sysfs is a folder of the test. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_root.h"
#include "suite/cpus/topology.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

enum { NO = -2 }; /* no such file */

/* The files of a CPU in sysfs. */
struct cpu {
	int package, die, cluster, core;
	const char *siblings; /* NULL: no such file */
};

static char *new_root(void)
{
	static char root[64];

	strcpy(root, "/tmp/topology-XXXXXX");
	assert_non_null(mkdtemp(root));
	return root;
}

static void path_of(char path[128], int cpu, const char *file)
{
	snprintf(path, 128, "sys/devices/system/cpu/cpu%d/topology/%s", cpu, file);
}

static void put_id(const char *root, int cpu, const char *file, int id)
{
	char path[128], text[16];

	if (id == NO)
		return;
	path_of(path, cpu, file);
	snprintf(text, sizeof text, "%d\n", id);
	fake_root_put(root, path, text);
}

static void put_cpu(const char *root, int cpu, const struct cpu *c)
{
	char path[128], text[64];

	put_id(root, cpu, "physical_package_id", c->package);
	put_id(root, cpu, "die_id", c->die);
	put_id(root, cpu, "cluster_id", c->cluster);
	put_id(root, cpu, "core_id", c->core);
	if (!c->siblings)
		return;
	path_of(path, cpu, "thread_siblings_list");
	snprintf(text, sizeof text, "%s\n", c->siblings);
	fake_root_put(root, path, text);
}

/* Remove the topology folder of a CPU, as the kernel does when the CPU goes offline. */
static void drop_cpu(const char *root, int cpu)
{
	char path[128], full[256];

	path_of(path, cpu, "");
	snprintf(full, sizeof full, "%s/%s", root, path);
	assert_int_equal(fake_root_remove(full), 0);
}

static void put_online(const char *root, const char *list)
{
	fake_root_put(root, "sys/devices/system/cpu/online", list);
}

/* Return "core.socket ..." of CPUs 0 to n - 1. */
static char *places(struct topology *t, int n)
{
	static char text[256];
	size_t len = 0;

	*text = '\0';
	for (int cpu = 0; cpu < n; cpu++) {
		int core = -9, socket = -9;
		topology_place(t, cpu, &core, &socket);
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%d.%d",
					cpu ? " " : "", core, socket);
	}
	return text;
}

static const struct {
	int line;
	const char *online, *want;
	int n;
	struct cpu cpu[8];
} machines[] = {
	/* two sockets of two cores of two threads; the kernel's numbers have gaps */
	{__LINE__,
	 "0-7\n",
	 "0.0 1.1 2.0 3.1 0.0 1.1 2.0 3.1",
	 8,
	 {{0, 0, 0, 0, "0,4"},
	  {1, 0, 8, 0, "1,5"},
	  {0, 0, 1, 9, "2,6"},
	  {1, 0, 9, 9, "3,7"},
	  {0, 0, 0, 0, "0,4"},
	  {1, 0, 8, 0, "1,5"},
	  {0, 0, 1, 9, "2,6"},
	  {1, 0, 9, 9, "3,7"}}},
	/* the same machine with an old kernel, which has ids only */
	{__LINE__,
	 "0-7\n",
	 "0.0 1.1 2.0 3.1 0.0 1.1 2.0 3.1",
	 8,
	 {{0, NO, NO, 0, NULL},
	  {1, NO, NO, 0, NULL},
	  {0, NO, NO, 9, NULL},
	  {1, NO, NO, 9, NULL},
	  {0, NO, NO, 0, NULL},
	  {1, NO, NO, 0, NULL},
	  {0, NO, NO, 9, NULL},
	  {1, NO, NO, 9, NULL}}},
	/* cores have numbers within dies */
	{__LINE__,
	 "0-3\n",
	 "0.0 1.0 2.0 3.0",
	 4,
	 {{0, 0, NO, 0, NULL},
	  {0, 0, NO, 1, NULL},
	  {0, 1, NO, 0, NULL},
	  {0, 1, NO, 1, NULL}}},
	/* cores have numbers within clusters, as with a device tree of arm64 */
	{__LINE__,
	 "0-3\n",
	 "0.0 1.0 2.0 3.0",
	 4,
	 {{0, -1, 0, 0, NULL},
	  {0, -1, 0, 1, NULL},
	  {0, -1, 1, 0, NULL},
	  {0, -1, 1, 1, NULL}}},
	/* ids are not unique: the lists of siblings are used */
	{__LINE__,
	 "0-3\n",
	 "0.0 1.0 2.0 3.0",
	 4,
	 {{0, -1, 0, 0, "0"},
	  {0, -1, 0, 1, "1"},
	  {0, -1, 0, 0, "2"},
	  {0, -1, 0, 1, "3"}}},
	/* ids differ within a core, as in a virtual machine: the lists are used too */
	{__LINE__,
	 "0-3\n",
	 "0.0 0.0 1.0 1.0",
	 4,
	 {{0, 0, 0, 0, "0-1"},
	  {0, 0, 1, 0, "0-1"},
	  {0, 0, 2, 1, "2-3"},
	  {0, 0, 3, 1, "2-3"}}},
	/* no ids of packages and cores, but lists of siblings */
	{__LINE__, "0-1\n", "0.0 1.0", 2, {{-1, -1, -1, 0, "0"}, {-1, -1, -1, 1, "1"}}},
	{__LINE__, "0-1\n", "0.0 1.0", 2, {{-1, NO, NO, -1, "0"}, {-1, NO, NO, -1, "1"}}},
	{__LINE__,
	 "0-1\n",
	 "-1.0 -1.0",
	 2,
	 {{-1, NO, NO, -1, NULL}, {-1, NO, NO, -1, NULL}}},
	{__LINE__, "0-1\n", "0.0 1.-1", 2, {{0, NO, NO, 3, NULL}, {NO, NO, NO, 3, NULL}}},
	/* large numbers of sockets, as with ACPI on arm64 */
	{__LINE__,
	 "0-1\n",
	 "0.36 1.3180",
	 2,
	 {{36, -1, -1, 0, "0"}, {3180, -1, -1, 0, "1"}}},
	/* no list of online CPUs: cores are numbered in the order of the calls */
	{__LINE__, NULL, "0.0 1.0", 2, {{0, 0, 0, 7, "0"}, {0, 0, 0, 5, "1"}}},
	/* unknown: no folder, an empty folder, junk */
	{__LINE__,
	 "0-2\n",
	 "-1.-1 -1.-1 0.0",
	 3,
	 {{NO, NO, NO, NO, NULL}, {NO, NO, NO, NO, NULL}, {0, 0, 0, 0, "2"}}},
	{__LINE__,
	 "what?\n",
	 "-1.-1 -1.-1",
	 2,
	 {{NO, NO, NO, NO, NULL}, {NO, NO, NO, NO, "junk"}}},
};

static void test_machines(void **state)
{
	int wrong = 0;
	(void)state;

	for (unsigned i = 0; i < LEN(machines); i++) {
		const char *root = new_root();
		if (machines[i].online)
			put_online(root, machines[i].online);
		for (int cpu = 0; cpu < machines[i].n; cpu++)
			put_cpu(root, cpu, &machines[i].cpu[cpu]);
		struct topology *t = topology_new(root);
		assert_non_null(t);
		char *got = places(t, machines[i].n);
		if (strcmp(got, machines[i].want) != 0) {
			print_error("line %d: %s\nwant: %s\n", machines[i].line, got,
				    machines[i].want);
			wrong++;
		}
		topology_free(t);
		assert_int_equal(fake_root_remove(root), 0);
	}
	assert_int_equal(wrong, 0);
}

/* topology_new() numbers all online CPUs; the order of later calls has no effect. */
static void test_order(void **state)
{
	const char *root = new_root();
	int core, socket;
	(void)state;

	put_online(root, "1-2,5\n");
	put_cpu(root, 1, &(struct cpu){0, 0, 0, 1, "1"});
	put_cpu(root, 2, &(struct cpu){0, 0, 0, 2, "2"});
	put_cpu(root, 5, &(struct cpu){3, 0, 0, 1, "5"});
	struct topology *t = topology_new(root);
	assert_int_equal(fake_root_remove(root), 0); /* all files were read before */
	topology_place(t, 5, &core, &socket);
	assert_int_equal(core, 2);
	assert_int_equal(socket, 3);
	assert_string_equal(places(t, 6), "-1.-1 0.0 1.0 -1.-1 -1.-1 2.3");
	topology_free(t);
}

/* CPUs go offline and come online; core 0 has CPUs 0 and 2, core 1 has 1 and 3. */
static void test_hotplug(void **state)
{
	const char *root = new_root();
	(void)state;

	put_online(root, "0-1\n");
	put_cpu(root, 0, &(struct cpu){0, 0, 0, 0, "0"});
	put_cpu(root, 1, &(struct cpu){0, 0, 0, 4, "1"});
	struct topology *t = topology_new(root);
	assert_string_equal(places(t, 5), "0.0 1.0 -1.-1 -1.-1 -1.-1");

	/* CPU 3 comes online and is on the core of its sibling */
	put_cpu(root, 1, &(struct cpu){0, 0, 0, 4, "1,3"});
	put_cpu(root, 3, &(struct cpu){0, 0, 0, 4, "1,3"});
	assert_string_equal(places(t, 5), "0.0 1.0 -1.-1 1.0 -1.-1");

	/* CPU 2 comes online without its sibling and is found by its ids */
	drop_cpu(root, 0);
	put_cpu(root, 2, &(struct cpu){0, 0, 0, 0, "2"});
	assert_string_equal(places(t, 5), "0.0 1.0 0.0 1.0 -1.-1");

	/* a CPU on a new core has the ids of a core that is online */
	put_cpu(root, 4, &(struct cpu){0, 0, 0, 4, "4"});
	assert_string_equal(places(t, 5), "0.0 1.0 0.0 1.0 2.0");

	/* all CPUs keep their numbers while offline, and CPU 0 when it is back */
	for (int cpu = 1; cpu <= 4; cpu++)
		drop_cpu(root, cpu);
	put_cpu(root, 0, &(struct cpu){0, 0, 0, 0, "0"});
	assert_string_equal(places(t, 5), "0.0 1.0 0.0 1.0 2.0");
	topology_free(t);
	assert_int_equal(fake_root_remove(root), 0);
}

/* Without ids of cores, a new core is not confused with one that is offline. */
static void test_hotplug_no_ids(void **state)
{
	const char *root = new_root();
	(void)state;

	put_online(root, "0\n");
	put_cpu(root, 0, &(struct cpu){0, NO, NO, -1, "0"});
	struct topology *t = topology_new(root);
	drop_cpu(root, 0);
	put_cpu(root, 1, &(struct cpu){0, NO, NO, -1, "1"});
	assert_string_equal(places(t, 2), "0.0 1.0");
	topology_free(t);
	assert_int_equal(fake_root_remove(root), 0);
}

static void test_odd_cpus(void **state)
{
	static const int odd[] = {-1, -2147483647 - 1, 2147483647, 1 << 20, 99999};
	const char *root = new_root();
	struct topology *t = topology_new(root);
	(void)state;

	assert_non_null(t);
	for (unsigned i = 0; i < LEN(odd); i++) {
		int core = 5, socket = 5;
		topology_place(t, odd[i], &core, &socket);
		assert_int_equal(core, -1);
		assert_int_equal(socket, -1);
	}
	topology_free(t);
	topology_free(NULL);
	assert_int_equal(fake_root_remove(root), 0);
}

/* On this machine each CPU that can run the test is on a core, and cores begin at 0. */
static void test_here(void **state)
{
	struct topology *t = topology_new("");
	int most = -1, core, socket;
	(void)state;

	assert_non_null(t);
	if (access("/sys/devices/system/cpu/online", R_OK) == -1) {
		topology_free(t);
		skip();
	}
	for (int cpu = 0; cpu < 1024; cpu++) {
		topology_place(t, cpu, &core, &socket);
		assert_in_range(core + 1, 0, most + 2);
		most = core > most ? core : most;
	}
	topology_free(t);
	assert_in_range(most, 0, 1023);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines), cmocka_unit_test(test_order),
		cmocka_unit_test(test_hotplug),	 cmocka_unit_test(test_hotplug_no_ids),
		cmocka_unit_test(test_odd_cpus), cmocka_unit_test(test_here),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
