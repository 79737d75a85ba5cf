/*
 * Programs that do not run as usual when they are traced. The program is a copy of this
 * one, which waits for the end of its input if it has the argument "wait"; the linker
 * replaces what the library asks about the copy by functions of this file (--wrap).
 */
#include "base/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What the library finds. */
static struct {
	int root, unreadable, caps, nosuid;
	const char *status; /* of /proc/PID/status */
} found;

uid_t __wrap_geteuid(void);
int __wrap_faccessat(int dir, const char *path, int mode, int flags);
ssize_t __wrap_getxattr(const char *path, const char *name, void *to, size_t size);
int __wrap_statvfs(const char *path, struct statvfs *fs);
ssize_t __wrap_file_read(char *buf, size_t size, const char *fmt, ...);

uid_t __wrap_geteuid(void)
{
	return found.root ? 0 : 1000;
}

int __wrap_faccessat(int dir, const char *path, int mode, int flags)
{
	(void)dir, (void)path;
	assert_int_equal(mode, R_OK);
	assert_int_equal(flags, AT_EACCESS);
	errno = EACCES;
	return found.unreadable ? -1 : 0;
}

ssize_t __wrap_getxattr(const char *path, const char *name, void *to, size_t size)
{
	(void)path, (void)to, (void)size;
	assert_string_equal(name, "security.capability");
	errno = ENODATA;
	return found.caps ? 20 : -1;
}

int __wrap_statvfs(const char *path, struct statvfs *fs)
{
	(void)path;
	memset(fs, 0, sizeof *fs);
	fs->f_flag = found.nosuid ? ST_NOSUID : 0;
	return 0;
}

ssize_t __wrap_file_read(char *buf, size_t size, const char *fmt, ...)
{
	assert_string_equal(fmt, "/proc/%d/%s");
	return snprintf(buf, size, "%s", found.status);
}

/* The copy, its folder, and the process that executes it. */
static char dir[sizeof "/tmp/opencpc-procfs.XXXXXX"], copy[64];
static pid_t pid;
static int gate;

static int copy_self(void)
{
	static char block[1 << 16];
	const int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const int to = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	ssize_t n;

	while ((n = read(from, block, sizeof block)) > 0)
		if (write(to, block, (size_t)n) != n)
			return -1;
	close(from);
	close(to);
	return n == 0 && from != -1 && to != -1 ? 0 : -1;
}

static int start_copy(void **arg)
{
	char *const argv[] = {copy, (char *)"wait", NULL};
	posix_spawn_file_actions_t actions;
	int end[2];

	(void)arg;
	strcpy(dir, "/tmp/opencpc-procfs.XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(copy, sizeof copy, "%s/copy", dir);
	assert_int_equal(copy_self(), 0);
	assert_int_equal(pipe2(end, O_CLOEXEC), 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, end[0], STDIN_FILENO);
	/* EACCES: /tmp is mounted without permission to execute programs */
	if (posix_spawn(&pid, copy, &actions, NULL, argv, environ) != 0)
		pid = 0;
	posix_spawn_file_actions_destroy(&actions);
	close(end[0]);
	gate = end[1];
	return 0;
}

static int end_copy(void **arg)
{
	(void)arg;
	close(gate);
	if (pid)
		waitpid(pid, NULL, 0);
	unlink(copy);
	return rmdir(dir);
}

static void is_spoiled_by_privileges(void **arg)
{
	char own[128], other[128];
	const struct {
		int line;
		mode_t mode;
		int root, unreadable, caps, nosuid;
		const char *status, *why;
	} cases[] = {
		{__LINE__, 0755, 0, 0, 0, 0, other, NULL},
		{__LINE__, 0755, 0, 1, 0, 0, own, "unreadable"},
		{__LINE__, 0755, 1, 1, 0, 0, own, NULL},
		{__LINE__, 0755, 0, 0, 1, 0, own, "set-id"},
		{__LINE__, 0755, 0, 0, 1, 1, own, NULL},
		{__LINE__, 0755, 1, 0, 1, 0, own, NULL},
		{__LINE__, 04755, 0, 0, 0, 0, own, NULL},
		{__LINE__, 04755, 0, 0, 0, 0, other, "set-id"},
		{__LINE__, 04755, 1, 0, 0, 0, other, "set-id"},
		{__LINE__, 04755, 0, 0, 0, 1, other, NULL},
		{__LINE__, 02755, 0, 0, 0, 0, own, NULL},
		{__LINE__, 02755, 0, 0, 0, 0, other, "set-id"},
		{__LINE__, 02755, 0, 0, 0, 1, other, NULL},
		/* without permission to execute, the bit means no set-group-id */
		{__LINE__, 02745, 0, 0, 0, 0, other, NULL},
	};
	struct stat st;

	(void)arg;
	if (!pid) {
		print_message("no program can be executed in /tmp\n");
		skip();
	}
	assert_int_equal(stat(copy, &st), 0);
	snprintf(own, sizeof own, "Name:\tcopy\nUid:\t7\t%ld\t8\t9\nGid:\t7\t%ld\t8\t9\n",
		 (long)st.st_uid, (long)st.st_gid);
	snprintf(other, sizeof other,
		 "Name:\tcopy\nUid:\t%ld\t%ld\t8\t9\nGid:\t%ld\t%ld\t8\t9\n",
		 (long)st.st_uid, (long)st.st_uid + 1, (long)st.st_gid,
		 (long)st.st_gid + 1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(chmod(copy, cases[i].mode), 0);
		found.root = cases[i].root;
		found.unreadable = cases[i].unreadable;
		found.caps = cases[i].caps;
		found.nosuid = cases[i].nosuid;
		found.status = cases[i].status;
		const char *why = procfs_exec_spoiled(pid);
		if (!why != !cases[i].why || (why && strcmp(why, cases[i].why) != 0))
			fail_msg("line %d: %s", cases[i].line, why ? why : "NULL");
	}
}

static void a_process_that_has_ended_is_not_spoiled(void **arg)
{
	(void)arg;
	found.caps = 1;
	assert_null(procfs_exec_spoiled(0x7ffffff0));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(is_spoiled_by_privileges, start_copy,
						end_copy),
		cmocka_unit_test(a_process_that_has_ended_is_not_spoiled),
	};
	char byte;

	if (argc > 1 && strcmp(argv[1], "wait") == 0) {
		alarm(60);
		return (int)read(STDIN_FILENO, &byte, 1);
	}
	return cmocka_run_group_tests_name("base/procfs", tests, NULL, NULL);
}
