/* The facts about a machine that are in the record of a run. */
#ifndef SUITE_RECORD_HOST_H
#define SUITE_RECORD_HOST_H

#include <limits.h>

struct record_host {
	char name[HOST_NAME_MAX + 1];
	char kernel[128];    /* the release, as uname -r prints it; "": not known */
	char cpu_model[128]; /* as in /proc/cpuinfo; "": not known */
	unsigned cpus;	     /* that are online; 0: not known */
	char governor[32];   /* of the frequency of CPU 0; "": not known */
	int turbo;	     /* 1: it is on, 0: it is off; -1: not known */
	int paranoid;	     /* perf_event_paranoid; INT_MIN: not known */
	char *cwd;	     /* NULL: not known */
};

/*
 * Fill *h with the facts about this machine and process; with all 0 only with the name,
 * so that no file is read. Free it with record_host_free(). Returns -1 with ENOMEM
 * without memory for cwd.
 */
int record_host(struct record_host *h, int all);
void record_host_free(struct record_host *h);

/* Fill governor and turbo by the files below root, which is "" for this machine. */
void record_host_frequency(struct record_host *h, const char *root);

#endif
