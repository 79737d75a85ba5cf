/* Follows the CPUs and cgroups that come and go during a run. */
#ifndef CPUSTAT_FOLLOW_H
#define CPUSTAT_FOLLOW_H

#include "cpus.h"

/* Functions to call when something changes. */
struct watcher {
	void *arg;
	/* A CPU comes online (online 1) or goes away (online 0). */
	void (*changed)(void *arg, int cpu, int online);
	void (*ended)(void *arg, const char *cgroup); /* the cgroup with this path */
};

/*
 * Update the CPUs to those that are online now, and the cgroups to those that match now.
 * Prints and reports to w each CPU that went away or came online, and each cgroup that is
 * gone, and binds set (-1: none) on the new ones. Returns 1 if there are new cgroups, 0,
 * or -1 with ENOMEM.
 */
int cpus_follow(struct cpus *c, int set, const struct watcher *w);

#endif
