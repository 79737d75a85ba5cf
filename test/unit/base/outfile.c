#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_root.h"

/* If set, flock() acts as on a file system without locks. */
static int no_locks;
/* So often flock() finds that another process has just replaced "file", or removed it. */
static unsigned replacements, removals;

static void make_file(const char *path, const char *text);

int flock(int fd, int operation)
{
	if (replacements > 0) {
		replacements--;
		make_file("other", "of another process");
		assert_return_code(rename("other", "file"), errno);
	}
	if (removals > 0) {
		removals--;
		assert_return_code(unlink("file"), errno);
	}
	if (!no_locks)
		return (int)syscall(SYS_flock, fd, operation);
	errno = ENOLCK;
	return -1;
}

static char folder[4096];

static int make_folder(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	no_locks = 0;
	replacements = removals = 0;
	snprintf(folder, sizeof folder, "%s/outfile.XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return chdir("/") == 0 ? fake_root_remove(folder) : -1;
}

static void make_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void has(const char *path, const char *text)
{
	char got[64] = "";
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	const size_t n = fread(got, 1, sizeof got - 1, f);
	fclose(f);
	assert_int_equal(n, strlen(text));
	assert_string_equal(got, text);
}

static void put(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void refused(const char *path, unsigned flags, int error)
{
	errno = 0;
	const int fd = outfile_open(path, flags);

	if (fd != -1 || errno != error)
		fail_msg("%s: descriptor %d, %s", path, fd, strerror(errno));
}

static void new_and_old_files(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= OUTFILE_DERIVED; flags++) {
		make_file("old", "a long text");
		for (unsigned i = 0; i < 2; i++) {
			const int fd = outfile_open(i ? "old" : "new", flags);
			assert_return_code(fd, errno);
			assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
			has(i ? "old" : "new", "");
			put(fd, "text");
			close(fd);
			has(i ? "old" : "new", "text");
		}
	}
}

static void appended(void **state)
{
	(void)state;
	make_file("old", "one ");
	for (unsigned flags = 0; flags <= OUTFILE_DERIVED; flags++) {
		const int fd = outfile_open("old", OUTFILE_APPEND | flags);
		assert_return_code(fd, errno);
		put(fd, "more ");
		close(fd);
	}
	has("old", "one more more ");
}

/* The text of the first writer stays, and the second one can write after the first. */
static void two_writers(void **state)
{
	static const unsigned flags[] = {0, OUTFILE_DERIVED, OUTFILE_APPEND};

	(void)state;
	const int first = outfile_open("file", 0);
	assert_return_code(first, errno);
	put(first, "first");
	for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++)
		refused("file", flags[i], EWOULDBLOCK);
	has("file", "first");
	close(first);
	const int second = outfile_open("file", 0);
	assert_return_code(second, errno);
	close(second);
	has("file", "");
}

/* What is written is in the file that has the name, also if it is replaced meanwhile. */
static void replaced_while_opened(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= (OUTFILE_DERIVED | OUTFILE_APPEND); flags++)
		for (unsigned n = 0; n < 4; n++) {
			make_file("file", "old");
			replacements = n;
			removals = 4;
			const int fd = outfile_open("file", flags);
			assert_return_code(fd, errno);
			assert_int_equal(replacements + removals, 0);
			put(fd, "text");
			close(fd);
			has("file", "text");
		}
	make_file("file", "old");
	replacements = 1;
	const int fd = outfile_open("file", OUTFILE_APPEND);
	assert_return_code(fd, errno);
	put(fd, ": text");
	close(fd);
	has("file", "of another process: text");
	/* a file that is never the same is one that others write */
	replacements = 1000000;
	refused("file", 0, EWOULDBLOCK);
	has("file", "of another process");
}

/* As on file systems without locks: all can write. */
static void without_locks(void **state)
{
	(void)state;
	no_locks = 1;
	const int a = outfile_open("file", 0), b = outfile_open("file", 0);
	assert_return_code(a, errno);
	assert_return_code(b, errno);
	close(a);
	close(b);
}

/* Many can write to a device or a pipe at the same time. */
static void special_files(void **state)
{
	static const char *const path[] = {"/dev/null", "fifo"};

	(void)state;
	assert_return_code(mkfifo("fifo", 0600), errno);
	const int reader = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_return_code(reader, errno);
	for (unsigned i = 0; i < 2; i++) {
		const int a = outfile_open(path[i], 0), b = outfile_open(path[i], 0);
		assert_return_code(a, errno);
		assert_return_code(b, errno);
		put(a, "text");
		close(a);
		close(b);
		refused(path[i], OUTFILE_DERIVED, EEXIST);
	}
	close(reader);
}

static void link_is_followed_only_if_named(void **state)
{
	(void)state;
	make_file("precious", "text");
	assert_return_code(symlink("precious", "soft"), errno);
	assert_return_code(symlink("missing", "dangling"), errno);
	assert_return_code(link("precious", "hard"), errno);
	refused("soft", OUTFILE_DERIVED, EEXIST);
	refused("soft", OUTFILE_DERIVED | OUTFILE_APPEND, EEXIST);
	refused("hard", OUTFILE_DERIVED, EEXIST);
	refused("dangling", OUTFILE_DERIVED, EEXIST);
	has("precious", "text");
	assert_int_equal(access("missing", F_OK), -1);
	const int fd = outfile_open("soft", 0);
	assert_return_code(fd, errno);
	close(fd);
	has("precious", "");
}

static void cannot_be_opened(void **state)
{
	char longest[5001];

	(void)state;
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	assert_return_code(mkdir("dir", 0700), errno);
	assert_return_code(mkfifo("no_reader", 0600), errno);
	for (unsigned flags = 0; flags <= OUTFILE_DERIVED; flags++) {
		refused("dir", flags, EISDIR);
		refused("no/such", flags, ENOENT);
		refused("", flags, ENOENT);
		refused(longest, flags, ENAMETOOLONG);
	}
	refused("no_reader", OUTFILE_DERIVED, EEXIST);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(new_and_old_files), IN_FOLDER(appended),
		IN_FOLDER(two_writers),	      IN_FOLDER(without_locks),
		IN_FOLDER(special_files),     IN_FOLDER(link_is_followed_only_if_named),
		IN_FOLDER(cannot_be_opened),  IN_FOLDER(replaced_while_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
