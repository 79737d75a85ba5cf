#include "follow.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cpulist.h"

/* Is the CPU in the list that follows prefix on a line of the file? */
static int is_listed(int cpu, const char *path, const char *prefix)
{
	const size_t skip = strlen(prefix);
	FILE *f = fopen(path, "re");
	struct cpulist list;
	char text[16384];
	int listed = 0;

	while (f && fgets(text, sizeof text, f)) {
		if (strncmp(text, prefix, skip) != 0 ||
		    cpulist_parse(&list, text + skip) == -1)
			continue;
		listed = cpulist_has(&list, cpu);
		cpulist_free(&list);
	}
	if (f)
		fclose(f);
	return listed;
}

/*
 * Was an online CPU removed from our cpuset? A CPU that is going offline can still be
 * listed as online, but it is then also among the CPUs that we may run on
 * (proc_pid_status(5)).
 */
static int left_cpuset(int cpu)
{
	return is_listed(cpu, "/sys/devices/system/cpu/online", "") &&
	       !is_listed(cpu, "/proc/self/status", "Cpus_allowed_list:");
}

/* Drop what is counted on a CPU (-1: on all), in a cgroup (NULL: in all). */
static void drop(struct cpus *c, const struct cgroup *cgroup, int cpu)
{
	for (unsigned i = c->n; i-- > 0;)
		if ((!cgroup || c->cpu[i].cgroup == cgroup) &&
		    (cpu == -1 || c->cpu[i].id == cpu))
			cpus_drop(c, i);
}

static void drop_missing(struct cpus *c, const struct cpulist *online,
			 const struct watcher *w)
{
	for (unsigned i = c->online.n; i-- > 0;) {
		const int id = c->online.cpu[i];

		if (cpulist_has(online, id))
			continue;
		warnx("cpu%d %s", id,
		      left_cpuset(id) ? "left the cpuset" : "went offline");
		drop(c, NULL, id);
		w->changed(w->arg, id, 0);
	}
}

/* Count all cgroups, or whatever runs, on a new CPU. */
static int add_cpu(struct cpus *c, int id)
{
	if (!c->cgroups)
		return cpus_add(c, NULL, id);
	for (unsigned i = 0; i < c->cgroups->n; i++)
		if (cpus_add(c, c->cgroups->cgroup[i], id) == -1)
			return -1;
	return 0;
}

static int add_new(struct cpus *c, const struct cpulist *online, const struct watcher *w)
{
	for (unsigned i = 0; i < online->n; i++) {
		const int id = online->cpu[i];

		if (cpulist_has(&c->online, id))
			continue;
		if (add_cpu(c, id) == -1)
			return -1;
		warnx("cpu%d came online", id);
		w->changed(w->arg, id, 1);
	}
	return 0;
}

static int follow_cpus(struct cpus *c, const struct watcher *w)
{
	struct cpulist online;

	if (cpus_list(c, &online) == -1)
		return -1;
	drop_missing(c, &online, w);
	const int rc = add_new(c, &online, w);
	cpulist_free(&c->online);
	c->online = online;
	return rc;
}

struct follow {
	struct cpus *cpus;
	const struct watcher *w;
};

static void drop_cgroup(void *arg, struct cgroup *g)
{
	const struct follow *f = arg;

	drop(f->cpus, g, -1);
	f->w->ended(f->w->arg, g->path);
}

static int add_cgroup(void *arg, struct cgroup *g)
{
	const struct follow *f = arg;

	return cpus_add_all(f->cpus, g);
}

int cpus_follow(struct cpus *c, int set, const struct watcher *w)
{
	struct follow f = {c, w};
	const struct cgroups_watcher to = {&f, drop_cgroup, add_cgroup};
	const unsigned before = c->n;
	int cgroups = 0;

	if (follow_cpus(c, w) == -1)
		return -1;
	const int grown = c->n > before;
	if (c->cgroups)
		cgroups = cgroups_follow(c->cgroups, &to);
	if (cgroups == -1)
		return -1;
	if ((grown || cgroups) && set >= 0)
		cpus_bind(c, (unsigned)set);
	return cgroups > 0;
}
