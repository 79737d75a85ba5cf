#include "base/replace.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/outfile.h"
#include "fake_root.h"

static char folder[4096];

static int make_folder(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(folder, sizeof folder, "%s/replace.XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return chdir("/") == 0 ? fake_root_remove(folder) : -1;
}

/* Return the number of files in the folder. */
static int files(void)
{
	DIR *d = opendir(".");
	int n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(d);
	return n;
}

static void has(const char *path, const char *text)
{
	char got[64] = "";
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	assert_int_equal(fread(got, 1, sizeof got - 1, f), strlen(text));
	fclose(f);
	assert_string_equal(got, text);
}

static void begin(struct replace *f, const char *text)
{
	assert_return_code(replace_begin(f), errno);
	textbuf_str(&f->text, text);
}

static void put(struct replace *f, const char *text)
{
	begin(f, text);
	assert_return_code(replace_replace(f), errno);
}

static void refused(int rc, int error)
{
	assert_int_equal(rc, -1);
	assert_int_equal(errno, error);
}

static void replaces(void **state)
{
	struct replace f;

	(void)state;
	replace_open(&f, "file");
	put(&f, "a long text");
	has("file", "a long text");
	begin(&f, "short");
	has("file", "a long text");
	assert_int_equal(files(), 2);
	assert_return_code(replace_replace(&f), errno);
	has("file", "short");
	begin(&f, "not written");
	replace_close(&f);
	has("file", "short");
	assert_int_equal(files(), 1);
}

/* Text of 32 KiB or more is written before the file is complete. */
static void long_text(void **state)
{
	enum { LINES = 4000 };
	const char line[] = "0123456789\n";
	const size_t size = sizeof line - 1;
	size_t longest = 0;
	struct replace f;
	struct stat st;

	(void)state;
	replace_open(&f, "long");
	begin(&f, "");
	for (int i = 0; i < LINES; i++) {
		textbuf_str(&f.text, line);
		replace_grown(&f);
		longest = f.text.len > longest ? f.text.len : longest;
	}
	assert_in_range(longest, 32768 - size, 32768 + size);
	assert_true(f.text.len < LINES * size - 32768 + size);
	assert_return_code(replace_replace(&f), errno);
	replace_close(&f);
	assert_int_equal(stat("long", &st), 0);
	assert_int_equal(st.st_size, LINES * size);
	assert_int_equal(unlink("long"), 0);
}

/* The second process is refused from the first text on until the first one has ended. */
static void two_writers(void **state)
{
	struct replace a, b;

	(void)state;
	replace_open(&a, "file");
	replace_open(&b, "file");
	put(&a, "a");
	for (int i = 0; i < 3; i++) {
		refused(replace_begin(&b), EWOULDBLOCK);
		put(&a, "more of a");
	}
	refused(outfile_open("file", 0), EWOULDBLOCK);
	replace_close(&a);
	put(&b, "b");
	refused(replace_begin(&a), EWOULDBLOCK);
	replace_close(&b);
	replace_close(&a);
	has("file", "b");
	assert_int_equal(files(), 1);
}

/* An existing file is locked before there is a new text. */
static void existing_file(void **state)
{
	struct replace a, b;

	(void)state;
	const int fd = outfile_open("file", 0);
	assert_return_code(fd, errno);
	replace_open(&a, "file");
	replace_open(&b, "file");
	refused(replace_begin(&a), EWOULDBLOCK);
	close(fd);
	begin(&a, "not written");
	replace_drop(&a);
	refused(replace_begin(&b), EWOULDBLOCK);
	replace_close(&a);
	put(&b, "b");
	replace_close(&b);
	has("file", "b");
}

/* Both begin before there is a file: the first one that is ready has it. */
static void both_begin(void **state)
{
	struct replace a, b;

	(void)state;
	replace_open(&a, "file");
	replace_open(&b, "file");
	begin(&a, "a");
	begin(&b, "b");
	assert_return_code(replace_replace(&b), errno);
	refused(replace_replace(&a), EWOULDBLOCK);
	has("file", "b");
	assert_int_equal(files(), 1);
	replace_close(&b);
	put(&a, "a");
	has("file", "a");
	replace_close(&a);
}

/* A file that was removed is nobody's: the next one that makes a file has it. */
static void removed(void **state)
{
	struct replace a, b;

	(void)state;
	replace_open(&a, "file");
	replace_open(&b, "file");
	put(&a, "a");
	assert_return_code(unlink("file"), errno);
	put(&b, "b");
	refused(replace_begin(&a), EWOULDBLOCK);
	assert_return_code(unlink("file"), errno);
	put(&a, "again");
	has("file", "again");
	replace_close(&a);
	replace_close(&b);
}

/* The file that a symbolic link points to is not replaced; the link is. */
static void link_is_replaced(void **state)
{
	static const char *const target[] = {"target", "missing"};
	struct replace f;

	(void)state;
	replace_open(&f, "target");
	put(&f, "precious");
	replace_close(&f);
	for (unsigned i = 0; i < 2; i++) {
		assert_return_code(symlink(target[i], "link"), errno);
		replace_open(&f, "link");
		put(&f, "text");
		put(&f, "text");
		replace_close(&f);
		has("link", "text");
		has("target", "precious");
		assert_return_code(unlink("link"), errno);
	}
	assert_int_equal(files(), 1);
}

static void links_are_followed(void **state)
{
	static const struct {
		int line;
		const char *path, *target; /* NULL: error */
		int error;
	} t[] = {
		{__LINE__, "folder/file", "folder/file", 0},
		{__LINE__, "none", "none", 0},
		{__LINE__, "", "", 0},
		{__LINE__, "to", "folder/file", 0},
		{__LINE__, "folder/back", "folder/../to.missing", 0},
		{__LINE__, "root", "/no/such", 0},
		{__LINE__, "two", "folder/file", 0},
		{__LINE__, "loop", NULL, ELOOP},
		{__LINE__, "folder/file/below", NULL, ENOTDIR},
	};
	struct replace f;

	(void)state;
	assert_return_code(mkdir("folder", 0755), errno);
	replace_open(&f, "folder/file");
	put(&f, "text");
	replace_close(&f);
	assert_return_code(symlink("folder/file", "to"), errno);
	assert_return_code(symlink("../to.missing", "folder/back"), errno);
	assert_return_code(symlink("/no/such", "root"), errno);
	assert_return_code(symlink("to", "two"), errno);
	assert_return_code(symlink("loop", "loop"), errno);
	for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
		char *target = replace_target(t[i].path);

		if (!target != !t[i].target ||
		    (target ? strcmp(target, t[i].target) != 0 : errno != t[i].error))
			fail_msg("line %d: %s", t[i].line,
				 target ? target : strerror(errno));
		free(target);
	}
}

static void becomes_a_folder(void **state)
{
	struct replace f;

	(void)state;
	replace_open(&f, "file");
	begin(&f, "text");
	assert_return_code(mkdir("file", 0755), errno);
	assert_int_equal(files(), 2);
	refused(replace_replace(&f), EISDIR);
	assert_int_equal(files(), 1);
	refused(replace_begin(&f), EISDIR);
	replace_close(&f);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(replaces),	       IN_FOLDER(long_text),
		IN_FOLDER(two_writers),	       IN_FOLDER(existing_file),
		IN_FOLDER(both_begin),	       IN_FOLDER(removed),
		IN_FOLDER(link_is_replaced),   IN_FOLDER(becomes_a_folder),
		IN_FOLDER(links_are_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
