/* Programs that are found or not, and the reasons why they cannot be executed. */
#include "base/program.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define LEN(a) (sizeof(a) / sizeof(*(a)))

static const struct {
	const char *name, *text;
	mode_t mode;
} files[] = {
	{"good", "#!/bin/sh\n", 0755},
	{"plain", "#!/bin/sh\n", 0644},
	{"lost", "#! /no/such/sh -e\n", 0755},
	{"elf", "\177ELF", 0755},
	{"second/plain", "", 0755},
};

/* Programs; what program_find() returns; an errno of execvp(3), the errno and reason. */
static const struct {
	int line;
	const char *file;
	int found, error, becomes;
	const char *reason;
} cases[] = {
	{__LINE__, "good", 0, ETXTBSY, ETXTBSY, "Text file busy"},
	{__LINE__, "./good", 0, ENOMEM, ENOMEM, "Cannot allocate memory"},
	{__LINE__, "plain", 0, ENOEXEC, ENOEXEC, "Exec format error"},
	{__LINE__, "./plain", EACCES, EACCES, EACCES, "Permission denied"},
	{__LINE__, "second", EACCES, EACCES, EACCES, "Is a directory"},
	{__LINE__, "./second", EACCES, EACCES, EACCES, "Is a directory"},
	{__LINE__, "lost", 0, ENOENT, ENOENT,
	 "its interpreter '/no/such/sh' does not exist"},
	{__LINE__, "./elf", 0, ENOENT, ENOENT,
	 "the loader that its file names does not exist (is it for another system?)"},
	{__LINE__, "absent", ENOENT, ENOENT, ENOENT, "No such file or directory"},
	{__LINE__, "absent", ENOENT, EACCES, ENOENT, "No such file or directory"},
	{__LINE__, "./absent", ENOENT, ENOENT, ENOENT, "No such file or directory"},
	{__LINE__, "good/below", ENOTDIR, ENOTDIR, ENOTDIR, "Not a directory"},
	{__LINE__, "", ENOENT, ENOENT, ENOENT, "No such file or directory"},
};

/* As root every file can be read, so it is the mode that decides. */
static void finds_programs(void **state)
{
	char dir[] = "/tmp/program-test.XXXXXX", path[PATH_MAX], reason[512];

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	assert_int_equal(mkdir("second", 0755), 0);
	for (size_t i = 0; i < LEN(files); i++) {
		FILE *f = fopen(files[i].name, "w");

		assert_non_null(f);
		fputs(files[i].text, f);
		fclose(f);
		assert_int_equal(chmod(files[i].name, files[i].mode), 0);
	}
	snprintf(path, sizeof path, "%s:/no/such/folder:%s/second", dir, dir);
	setenv("PATH", path, 1);
	for (size_t i = 0; i < LEN(cases); i++) {
		int error = cases[i].error;
		const int found = program_find(cases[i].file, path);

		program_reason(cases[i].file, &error, reason, sizeof reason);
		if (found != cases[i].found || error != cases[i].becomes ||
		    strcmp(reason, cases[i].reason) != 0)
			fail_msg("line %d: %d, %d, %s", cases[i].line, found, error,
				 reason);
	}
	for (size_t i = 0; i < LEN(files); i++)
		unlink(files[i].name);
	rmdir("second");
	assert_int_equal(chdir("/"), 0);
	rmdir(dir);
}

/* A path that the kernel would refuse, too, is not cut. */
static void long_paths(void **state)
{
	char file[PATH_MAX + 1], path[PATH_MAX];

	(void)state;
	memset(file, '/', sizeof file);
	file[PATH_MAX] = '\0';
	assert_int_equal(program_find(file, path), ENAMETOOLONG);
	file[PATH_MAX - 1] = '\0';
	assert_int_not_equal(program_find(file, path), ENAMETOOLONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_programs),
		cmocka_unit_test(long_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
