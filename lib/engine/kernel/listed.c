#include "engine/kernel/listed.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

enum {
	FIELD_EVENT = 0xffff, /* the bits of config that hold the event number */
	LAST_COMMON = 0x30,   /* every kernel that lists events lists them up to here */
	CHAIN = 0x1e,	      /* joins two counters: never listed */
};

/* Returns the event number in a file with the text "event=0x0011", or -1. */
static long read_event(const char *dir, const char *name)
{
	char text[64];
	long number;

	if (file_read(text, sizeof(text), "%s/%s", dir, name) < 0 ||
	    sscanf(text, "event=%li", &number) != 1)
		return -1;
	return number;
}

/*
 * Returns whether a PMU lists an event number, or -1 if the PMU lists no events at all.
 */
static int lists(const char *root, const char *pmu, long number)
{
	char path[256];
	int found = -1;

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s/events", root,
		 pmu);
	DIR *d = opendir(path);
	if (!d)
		return -1;
	for (const struct dirent *e; found != 1 && (e = readdir(d));)
		if (e->d_name[0] != '.')
			found = read_event(path, e->d_name) == number;
	closedir(d);
	return found;
}

static int is_armv8(const char *pmu)
{
	return strncmp(pmu, "armv8_", 6) == 0 || strncmp(pmu, "armv9_", 6) == 0;
}

int kernel_listed_lacks(const char *root, const struct kernel_core *core, unsigned ncores,
			const struct kernel_event *ev)
{
	const long number = (long)(ev->config[0] & FIELD_EVENT);
	int lacking = 0;

	if (number > LAST_COMMON || number == CHAIN)
		return 0;
	for (unsigned i = 0; i < ncores; i++) {
		if (ev->type != PERF_TYPE_RAW && ev->type != core[i].type)
			continue;
		if (!is_armv8(core[i].name) || lists(root, core[i].name, number) != 0)
			return 0;
		lacking = 1;
	}
	return lacking;
}
