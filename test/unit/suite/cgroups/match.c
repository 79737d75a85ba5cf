/* Patterns of cgroups, on a tree of ordinary folders; and allocations that fail. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int allocs_left = -1; /* -1: no limit */

static int refused(void)
{
	if (allocs_left == 0) {
		errno = ENOMEM;
		return 1;
	}
	allocs_left -= allocs_left > 0;
	return 0;
}

static void *limited_malloc(size_t n)
{
	return refused() ? NULL : malloc(n);
}

static void *limited_reallocarray(void *p, size_t n, size_t size)
{
	return refused() ? NULL : reallocarray(p, n, size);
}

static char *limited_strdup(const char *s)
{
	return refused() ? NULL : strdup(s);
}

static char *limited_strndup(const char *s, size_t n)
{
	return refused() ? NULL : strndup(s, n);
}

#undef strdup
#undef strndup
#define malloc	     limited_malloc
#define reallocarray limited_reallocarray
#define strdup	     limited_strdup
#define strndup	     limited_strndup
#include "base/array.c"
#include "suite/cgroups/match.c"
#undef malloc
#undef reallocarray
#undef strdup
#undef strndup

static char root[256];

/* Folders end in a slash. A folder comes after those below it when they are removed. */
static const char *const tree[] = {
	"a/",	"a/x.scope/",	"a/y.scope/", "a/y.scope/deep/", "a/.hidden/", "a/tasks",
	"b c/", "b c/x.scope/", "[s]/",	      "cgroup.procs",
};
enum { NTREE = sizeof tree / sizeof *tree };

static const char *in_root(const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/%s", root, name);
	return path;
}

static int make_tree(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(root, sizeof root, "%s/cgroups.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		return -1;
	for (unsigned i = 0; i < NTREE; i++) {
		const char *path = in_root(tree[i]);
		const int is_dir = path[strlen(path) - 1] == '/';
		const int fd = is_dir ? mkdir(path, 0755)
				      : open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
		if (fd == -1)
			return -1;
		if (!is_dir)
			close(fd);
	}
	/* a symbolic link is not followed */
	return symlink("a", in_root("link"));
}

static int drop_tree(void **state)
{
	(void)state;
	unlink(in_root("link"));
	for (unsigned i = NTREE; i-- > 0;)
		remove(in_root(tree[i]));
	return rmdir(root);
}

static const struct {
	int line;
	const char *text, *want;
} patterns[] = {
	{__LINE__, "/", ""},
	{__LINE__, "", ""},
	{__LINE__, "a", "a"},
	{__LINE__, "/a//b/", "a/b"},
	{__LINE__, "///", ""},
	{__LINE__, "/m/fs", ""},
	{__LINE__, "/m/fs/", ""},
	{__LINE__, "/m/fs/a/*", "a/*"},
	{__LINE__, "/m/fsa/b", "m/fsa/b"},
	{__LINE__, "m/fs/a", "m/fs/a"},
};

static void reads_patterns(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		char *got = cgroups_pattern("/m/fs", patterns[i].text);
		if (!got || strcmp(got, patterns[i].want))
			fail_msg("line %d: '%s'", patterns[i].line, got);
		free(got);
	}
	char *got = cgroups_pattern("/", "/a");
	assert_string_equal(got, "a");
	free(got);
}

static const struct {
	int line;
	const char *pattern[3];
	const char *want; /* paths with a blank after each */
} cases[] = {
	{__LINE__, {""}, "/ "},
	{__LINE__, {"a"}, "a "},
	{__LINE__, {"none"}, ""},
	{__LINE__, {"none/*"}, ""},
	{__LINE__, {"cgroup.procs"}, ""},
	{__LINE__, {"link"}, ""},
	{__LINE__, {"link/*"}, ""},
	{__LINE__, {"*"}, "[s] a b c "},
	{__LINE__, {"*/*"}, "a/x.scope a/y.scope b c/x.scope "},
	{__LINE__, {"*/*/*"}, "a/y.scope/deep "},
	{__LINE__, {"a/?.scope"}, "a/x.scope a/y.scope "},
	{__LINE__, {"a/[!x].scope"}, "a/y.scope "},
	{__LINE__, {"a*scope"}, ""},
	{__LINE__, {"\\[s]"}, "[s] "},
	{__LINE__, {"a/.hid*"}, "a/.hidden "},
	{__LINE__, {"b c"}, "b c "},
	{__LINE__, {"a/y*", "a/*", "a"}, "a a/x.scope a/y.scope "},
};

static void match_all(struct cgroup_matches *m, const char *const pattern[3])
{
	for (unsigned k = 0; k < 3 && pattern[k]; k++)
		assert_int_equal(cgroups_match(m, root, pattern[k]), 0);
	cgroups_sort(m);
}

static void finds_cgroups(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cgroup_matches m = {0};
		char got[512] = "";
		match_all(&m, cases[i].pattern);
		for (unsigned k = 0; k < m.n; k++) {
			struct stat st;
			strcat(strcat(got, m.match[k].path), " ");
			assert_int_equal(stat(in_root(m.match[k].path), &st), 0);
			assert_true(m.match[k].inode == st.st_ino);
		}
		if (strcmp(got, cases[i].want))
			fail_msg("line %d: '%s'", cases[i].line, got);
		cgroups_free(&m);
	}
}

static void a_missing_mount_has_no_cgroups(void **state)
{
	struct cgroup_matches m = {0};

	(void)state;
	assert_int_equal(cgroups_match(&m, "/none/of/these", ""), 0);
	assert_int_equal(cgroups_match(&m, "/none/of/these", "*"), 0);
	assert_int_equal(m.n, 0);
	cgroups_free(&m);
}

static void survives_without_memory(void **state)
{
	int rc = -1;

	(void)state;
	for (int n = 0; rc == -1; n++) {
		struct cgroup_matches m = {0};
		allocs_left = n;
		rc = cgroups_match(&m, root, "a/*.scope");
		allocs_left = -1;
		if (rc == -1)
			assert_int_equal(errno, ENOMEM);
		else
			assert_int_equal(m.n, 2);
		cgroups_free(&m);
		assert_in_range(n, 0, 50);
	}
	allocs_left = 0;
	assert_null(cgroups_pattern("/", "a"));
	allocs_left = -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_patterns),
		cmocka_unit_test(finds_cgroups),
		cmocka_unit_test(a_missing_mount_has_no_cgroups),
		cmocka_unit_test(survives_without_memory),
	};

	return cmocka_run_group_tests(tests, make_tree, drop_tree);
}
