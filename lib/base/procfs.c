#include "base/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"

char *procfs_text(pid_t pid, const char *name, char *buf, size_t size)
{
	return file_read(buf, size, "/proc/%d/%s", (int)pid, name) < 0 ? NULL : buf;
}

long procfs_status(pid_t pid, const char *name, int field)
{
	char buf[4096];
	const char *s = procfs_text(pid, "status", buf, sizeof buf);
	const size_t len = strlen(name);

	while (s && strncmp(s, name, len) != 0) {
		s = strchr(s, '\n');
		if (s)
			s++;
	}
	if (!s)
		return -1;
	char *end = (char *)s + len;
	long v = -1;
	for (int i = 0; i < field; i++)
		v = strtol(end, &end, 10);
	return v;
}

pid_t procfs_origin(pid_t tid)
{
	const pid_t pid = (pid_t)procfs_status(tid, "Tgid:", 1);

	return pid != tid ? pid : (pid_t)procfs_status(tid, "PPid:", 1);
}

uint64_t procfs_run_time(pid_t tid)
{
	char buf[64];
	const char *s = procfs_text(tid, "schedstat", buf, sizeof buf);

	return s ? strtoull(s, NULL, 10) : 0;
}

/* The command name before the state may contain any character, also ')'. */
char procfs_state(pid_t pid, unsigned *flags)
{
	char buf[1024], state = '?';
	const char *s = procfs_text(pid, "stat", buf, sizeof buf);

	*flags = 0;
	s = s ? strrchr(s, ')') : NULL;
	if (s)
		sscanf(s + 1, " %c %*d %*d %*d %*d %*d %u", &state, flags);
	return state;
}

const char *procfs_exec_spoiled(pid_t pid)
{
	enum { EFFECTIVE = 2 }; /* of "Uid: real effective saved fs" */
	struct stat st;
	struct statvfs fs;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	if (stat(path, &st) == -1)
		return errno == EACCES ? "unreadable" : NULL;
	/* access(2) would check the real ids, and without capabilities. */
	if (geteuid() != 0 && faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == -1 &&
	    errno == EACCES)
		return "unreadable";
	const int caps =
		geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
	if (!(st.st_mode & (S_ISUID | S_ISGID)) && !caps)
		return NULL;
	if (statvfs(path, &fs) == 0 && (fs.f_flag & ST_NOSUID))
		return NULL;
	if ((st.st_mode & S_ISUID) &&
	    procfs_status(pid, "Uid:", EFFECTIVE) != (long)st.st_uid)
		return "set-id";
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) &&
	    procfs_status(pid, "Gid:", EFFECTIVE) != (long)st.st_gid)
		return "set-id";
	return caps ? "set-id" : NULL;
}

int procfs_yama(void)
{
	char buf[16];
	int scope = -1;

	file_read(buf, sizeof buf, "/proc/sys/kernel/yama/ptrace_scope");
	sscanf(buf, "%d", &scope);
	return scope;
}
