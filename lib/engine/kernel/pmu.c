#include "engine/kernel/pmu.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "engine/kernel/event.h"

/* Bytes for a list of CPUs; a list of every second one of 8192 CPUs is shorter. */
enum { LIST_SIZE = 65536 };

static const char devices[] = "sys/bus/event_source/devices";

uint32_t kernel_pmu_of(const struct kernel_event *ev)
{
	switch (ev->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		return (uint32_t)(ev->config[0] >> PERF_PMU_TYPE_SHIFT);
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return 0;
	}
	return ev->type;
}

static int open_file(const char *root, const char *pmu, const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s/%s/%s", root, devices, pmu, file);
	for (;;) {
		const int fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 || errno != EMFILE || file_raise_limit(1))
			return fd;
	}
}

/* Returns the rest of a file, which the caller frees, or NULL with errno. */
static char *read_all(int fd)
{
	char *text = malloc(LIST_SIZE);
	size_t len = 0;
	ssize_t n = 1;

	while (text && n > 0 && len < LIST_SIZE - 1) {
		n = read(fd, text + len, LIST_SIZE - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	}
	if (!text || n < 0) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	return text;
}

/* Read a list of CPUs of a PMU. Returns 1, 0 if it has no such file, or -1 with errno. */
static int read_list(const char *root, const char *pmu, const char *file,
		     struct cpulist *l)
{
	const int fd = open_file(root, pmu, file);

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
	char *text = read_all(fd);
	close(fd);
	if (!text)
		return -1;
	const int rc = cpulist_parse(l, text);
	free(text);
	return rc ? -1 : 1;
}

static int add(struct kernel_pmus *p, const char *root, const char *name)
{
	char text[32];

	if (name[0] == '.' || strlen(name) >= sizeof(p->pmu->name))
		return 0;
	const int fd = open_file(root, name, "type");
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
	const ssize_t n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	if (array_grow(&p->pmu, p->n, sizeof *p->pmu) == -1)
		return -1;
	p->pmu[p->n].type = (uint32_t)strtoul(text, NULL, 10);
	strcpy(p->pmu[p->n++].name, name);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct kernel_pmu *)a)->name,
		      ((const struct kernel_pmu *)b)->name);
}

int kernel_pmu_read(struct kernel_pmus *p, const char *root)
{
	char path[512];
	int rc = 0;

	kernel_pmu_free(p);
	snprintf(path, sizeof(path), "%s/%s", root, devices);
	DIR *d = opendir(path);
	while (!d && errno == EMFILE && file_raise_limit(1) == 0)
		d = opendir(path);
	if (!d)
		return errno == ENOENT ? 0 : -1;
	for (const struct dirent *e; rc == 0 && (e = readdir(d));)
		rc = add(p, root, e->d_name);
	const int err = errno;
	closedir(d);
	if (p->n > 1)
		qsort(p->pmu, p->n, sizeof(*p->pmu), by_name);
	errno = err;
	return rc;
}

static const char *name_of(const struct kernel_pmus *p, uint32_t type)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->pmu[i].type == type)
			return p->pmu[i].name;
	return NULL;
}

/*
 * Returns the name of a PMU, or NULL with *rc 0 if there is no such PMU, or -1 if sysfs
 * could not be read. Modules can add PMUs after sysfs was read; their numbers are above
 * the kernel's own.
 */
static const char *find(struct kernel_pmus *p, const char *root, uint32_t type, int *rc)
{
	const char *name = name_of(p, type);

	*rc = 0;
	if (name || !type || (p->pmu && type < PERF_TYPE_MAX))
		return name;
	*rc = kernel_pmu_read(p, root);
	return *rc ? NULL : name_of(p, type);
}

/*
 * Core PMUs of a machine with several of them have the file cpus. PMUs that count for a
 * package or die have cpumask: the CPUs to which the kernel redirects their events
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices and -uncore).
 */
int kernel_pmu_cpus(struct kernel_pmus *p, const char *root, uint32_t type,
		    struct cpulist *l)
{
	int rc;
	const char *name = find(p, root, type, &rc);

	*l = (struct cpulist){0};
	if (!name)
		return rc;
	rc = read_list(root, name, "cpumask", l);
	return rc ? rc : read_list(root, name, "cpus", l);
}

int kernel_pmu_is_percpu(struct kernel_pmus *p, const char *root, uint32_t type, int *cpu)
{
	struct cpulist l = {0};
	int rc;
	const char *name = find(p, root, type, &rc);

	if (!name || read_list(root, name, "cpumask", &l) != 1)
		return 0;
	rc = l.n > 0;
	if (rc)
		*cpu = l.cpu[0];
	cpulist_free(&l);
	return rc;
}

void kernel_pmu_free(struct kernel_pmus *p)
{
	free(p->pmu);
	*p = (struct kernel_pmus){0};
}
