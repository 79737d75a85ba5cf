#include "suite/record/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"

/*
 * The keys of /proc/cpuinfo that name a processor: x86, then other architectures. Arm64
 * has no name there, only the numbers of the implementer and of the part.
 */
static const char *const model_keys[] = {"model name", "cpu model", "Processor", "cpu",
					 "CPU part"};

/*
 * Copy the value of a line "KEY\t: VALUE" of text. Returns whether there is such a line.
 */
static int find_value(const char *text, const char *key, char *value, size_t size)
{
	const size_t len = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, len) != 0)
			continue;
		const char *p = line + len + strspn(line + len, " \t");
		if (*p != ':')
			continue;
		p += 1 + strspn(p + 1, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(p, "\n"), p);
		return 1;
	}
	return 0;
}

static void find_model(char *model, size_t size)
{
	char text[4096];

	if (file_read(text, sizeof text, "/proc/cpuinfo") == -1)
		return;
	for (unsigned i = 0; i < sizeof model_keys / sizeof model_keys[0]; i++)
		if (find_value(text, model_keys[i], model, size))
			return;
}

static int paranoid(void)
{
	char text[32], *end;

	if (file_read(text, sizeof text, "/proc/sys/kernel/perf_event_paranoid") == -1)
		return INT_MIN;
	const long v = strtol(text, &end, 10);
	return end == text ? INT_MIN : (int)v;
}

/* Returns the digit with which a file of the system begins, or -1. */
static int read_digit(const char *root, const char *path)
{
	char text[16];

	if (file_read(text, sizeof text, "%s/sys/devices/system/cpu/%s", root, path) <=
		    0 ||
	    *text < '0' || *text > '9')
		return -1;
	return *text - '0';
}

/* Source: Linux, Documentation/admin-guide/pm/cpufreq.rst and intel_pstate.rst */
void record_host_frequency(struct record_host *h, const char *root)
{
	const int without = read_digit(root, "intel_pstate/no_turbo");

	if (file_read(h->governor, sizeof h->governor,
		      "%s/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
		      root) == -1)
		h->governor[0] = '\0';
	h->governor[strcspn(h->governor, "\n")] = '\0';
	h->turbo = without == -1 ? read_digit(root, "cpufreq/boost") : !without;
}

static int find_facts(struct record_host *h)
{
	struct utsname u;
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (cpus > 0)
		h->cpus = (unsigned)cpus;
	if (uname(&u) == 0)
		snprintf(h->kernel, sizeof h->kernel, "%s", u.release);
	find_model(h->cpu_model, sizeof h->cpu_model);
	h->paranoid = paranoid();
	record_host_frequency(h, "");
	h->cwd = getcwd(NULL, 0);
	return h->cwd || errno != ENOMEM ? 0 : -1;
}

int record_host(struct record_host *h, int all)
{
	*h = (struct record_host){.paranoid = INT_MIN, .turbo = -1};
	if (gethostname(h->name, sizeof h->name) == -1)
		h->name[0] = '\0';
	h->name[sizeof h->name - 1] = '\0';
	return all ? find_facts(h) : 0;
}

void record_host_free(struct record_host *h)
{
	free(h->cwd);
	h->cwd = NULL;
}
