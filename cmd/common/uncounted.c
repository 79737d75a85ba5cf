#include "uncounted.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/program.h"
#include "message.h"

/* Work of the kernel at exec and exit is not counted: less than this proves nothing. */
static const int64_t least_ns = 5000000;

/*
 * The host of a virtual machine may stop a processor for a while. The kernel charges that
 * time to the process that ran, also during an exec or an exit, when no event counts. If
 * less time than this is missing, it proves something only if page faults are missing,
 * too. The value is the default period of a limit of processor time (cpu.max), ns.
 */
static const int64_t stolen_ns = 100000000;

/* A program that the dynamic loader starts has more page faults. */
enum { LEAST_FAULTS = 30 };

/*
 * The events of a process end before the kernel frees its memory. Each process that ends
 * has two context switches, its own and that of its parent, and takes up to twice this
 * time: so much, in ns, and so much for each KiB.
 */
enum { EXIT_NS = 40000, EXIT_KIB_NS = 25 };

/* Source: begin_new_exec() and bprm_fill_uid() in Linux, fs/exec.c */
const char *uncounted_program(const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	struct statvfs fs;

	if (program_find(name, path) != 0 || stat(path, &st) == -1)
		return NULL;
	if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == -1 && errno == EACCES)
		return "unreadable";
	if ((statvfs(path, &fs) == 0 && (fs.f_flag & ST_NOSUID)) ||
	    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return NULL;
	if ((st.st_mode & S_ISUID) && st.st_uid != getuid())
		return "set-id";
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) && st.st_gid != getgid())
		return "set-id";
	if (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
		return "privileged";
	return NULL;
}

/*
 * Page faults in user mode are counted from before the exec, so that what the kernel does
 * at the exec of the command is counted too.
 */
void uncounted_begin(struct uncounted *u, cpc_t *cpc, pid_t pid)
{
	u->cpc = cpc;
	if (cpc_engine_notice(cpc))
		return;
	message_capture_begin();
	u->faults = cpc_set_create(cpc);
	if (u->faults && (cpc_set_add_request(cpc, u->faults, "page-faults", 0,
					      CPC_COUNT_USER, 0, NULL) == -1 ||
			  cpc_bind_child(cpc, pid, u->faults, CPC_BIND_TREE) == -1)) {
		cpc_set_destroy(cpc, u->faults);
		u->faults = NULL;
	}
	message_capture_end();
}

/*
 * How precisely the kernel divides a time into its own and that of programs, ns: 5 ticks
 * of a kernel with 250 ticks a second.
 */
static const int64_t ticks_ns = 20000000;

/*
 * Returns the time that the ends of counted processes can take uncounted, ns: at most
 * what the kernel has worked. A parent that was preempted did not have to wait; but a
 * busy machine preempts a process much more often.
 */
static int64_t time_of_ends(const struct child_use *use)
{
	const int64_t preemptions =
		use->preemptions < use->switches ? use->preemptions : use->switches;
	const int64_t ns =
		(use->switches + preemptions) * (EXIT_NS + EXIT_KIB_NS * use->rss_kib);
	const int64_t most = use->system_ns + ticks_ns;

	return ns < most ? ns : most;
}

/*
 * Returns whether most of the processor time is missing, and the host has not just taken
 * it away. faults are the page faults that were counted, or NULL if that is not known.
 */
static int is_mostly_lost(const struct child_use *use, int64_t enabled_ns,
			  const cpc_value_t *faults)
{
	const int64_t lost = use->ns - enabled_ns;

	if (lost <= enabled_ns || lost < least_ns || lost <= time_of_ends(use))
		return 0;
	return lost >= stolen_ns ||
	       (faults && use->faults > faults->count + LEAST_FAULTS);
}

/*
 * Returns whether both page faults and processor time are missing. A counted program can
 * have many faults in system calls, which are not counted, but their time is.
 */
static int is_lost(const struct child_use *use, const cpc_value_t *v)
{
	const int64_t enabled = (int64_t)v->enabled;

	return use->faults > v->count + v->count / 2 + LEAST_FAULTS &&
	       use->ns > enabled + enabled / 2 && use->ns - enabled > time_of_ends(use);
}

static int read_faults(const struct uncounted *u, cpc_value_t *v)
{
	cpc_buf_t *buf = u->faults ? cpc_buf_create(u->cpc, u->faults) : NULL;
	int rc = -1;

	if (buf && cpc_set_sample(u->cpc, u->faults, buf) == 0)
		rc = cpc_buf_value(u->cpc, buf, 0, v);
	if (buf)
		cpc_buf_destroy(u->cpc, buf);
	return rc;
}

static enum uncounted_part some(uint64_t enabled_ns, int64_t used_ns, char *words,
				size_t size)
{
	snprintf(words, size,
		 "in %.0f %% of the processor time: the kernel does not count "
		 "set-id, privileged or unreadable programs",
		 100.0 * (double)enabled_ns / (double)used_ns);
	return UNCOUNTED_SOME;
}

enum uncounted_part uncounted_check(const struct uncounted *u,
				    const struct child_use *use, uint64_t enabled_ns,
				    char *words, size_t size)
{
	const int64_t enabled = (int64_t)enabled_ns;
	cpc_value_t v;

	if (cpc_engine_notice(u->cpc))
		return UNCOUNTED_NOTHING;
	if (u->why && use->ns - enabled > enabled) {
		snprintf(words, size, "the kernel does not count %s programs", u->why);
		return UNCOUNTED_ALL;
	}
	const int has_faults = read_faults(u, &v) == 0;
	if (is_mostly_lost(use, enabled, has_faults ? &v : NULL))
		return some(enabled_ns, use->ns, words, size);
	if (has_faults && is_lost(use, &v))
		return some(v.enabled, use->ns, words, size);
	return UNCOUNTED_NOTHING;
}

void uncounted_end(struct uncounted *u)
{
	if (u->faults)
		cpc_set_destroy(u->cpc, u->faults);
	u->faults = NULL;
}
