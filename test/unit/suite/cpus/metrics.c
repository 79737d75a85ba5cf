/*
 * The text of metrics, which test/openmetrics.bats passes to its readers, and the file.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* The code that allocates is compiled into this test, which lets allocations fail. */
static int allocs_left = -1; /* -1: no limit */

static int may_alloc(void)
{
	if (allocs_left == 0) {
		errno = ENOMEM;
		return 0;
	}
	if (allocs_left > 0)
		allocs_left--;
	return 1;
}

static void *limited_calloc(size_t n, size_t size)
{
	return may_alloc() ? calloc(n, size) : NULL;
}

static void *limited_realloc(void *p, size_t size)
{
	return may_alloc() ? realloc(p, size) : NULL;
}

static void *limited_reallocarray(void *p, size_t n, size_t size)
{
	return may_alloc() ? reallocarray(p, n, size) : NULL;
}

static char *limited_strdup(const char *s)
{
	return may_alloc() ? strdup(s) : NULL;
}

#define calloc	     limited_calloc
#define realloc	     limited_realloc
#define reallocarray limited_reallocarray
#define strdup	     limited_strdup
#include "base/array.c"
#include "base/text.c"
#include "suite/cpus/metrics.c"
#include "suite/cpus/places.c"
#undef calloc
#undef realloc
#undef reallocarray
#undef strdup

#define LEN(a) (sizeof(a) / sizeof(*(a)))

enum { FOLDER_MAX = 256, PATH_SIZE = 1024, TEXT_SIZE = 1 << 20 };

static char folder[FOLDER_MAX];

static int make_folder(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(folder, sizeof folder, "%s/openmetrics.XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(folder) ? 0 : -1;
}

static struct openmetrics *open_metrics(const char *path, enum row_scope scope,
					const struct row_set *const *set, unsigned nsets)
{
	const struct openmetrics_options o = {.path = path, .scope = scope};

	return openmetrics_new(&o, set, nsets);
}

/* Return the path of a name in the folder, valid until the second call from now. */
static const char *in_folder(const char *name)
{
	static char path[2][PATH_SIZE];
	static unsigned turn;

	turn = !turn;
	snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
	return path[turn];
}

/* Return the number of files in the folder, and perhaps remove them. */
static int files_in_folder(int remove_them)
{
	DIR *d = opendir(folder);
	int n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		n++;
		if (remove_them)
			assert_return_code(remove(in_folder(e->d_name)), errno);
	}
	closedir(d);
	return n;
}

/* The process that a test has started, or 0. */
static pid_t writer;

static int drop_folder(void **state)
{
	(void)state;
	if (writer > 0) {
		kill(writer, SIGKILL);
		waitpid(writer, NULL, 0);
		writer = 0;
	}
	files_in_folder(1);
	return rmdir(folder);
}

/* Return the contents of a file, which the caller frees. */
static char *slurp(const char *path)
{
	FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	char *text = calloc(1, TEXT_SIZE);
	assert_non_null(text);
	assert_in_range(fread(text, 1, TEXT_SIZE, f), 1, TEXT_SIZE - 1);
	fclose(f);
	return text;
}

/* Fail and print the first line that is not as expected. */
static void assert_text(int line, const char *got, const char *expected)
{
	size_t at = 0;

	if (strcmp(got, expected) == 0)
		return;
	for (size_t i = 0; got[i] && got[i] == expected[i]; i++)
		if (got[i] == '\n')
			at = i + 1;
	fail_msg("case at line %d: \"%.*s\", not \"%.*s\"", line,
		 (int)strcspn(got + at, "\r\n"), got + at,
		 (int)strcspn(expected + at, "\r\n"), expected + at);
}

static void assert_file(const char *path, const char *expected)
{
	char *text = slurp(path);
	assert_string_equal(text, expected);
	free(text);
}

/* Two sets, with an event whose name needs escapes and is not UTF-8. */
static const unsigned pics[] = {0, 12, 0};
static const char *const names[] = {"cycles", "a\\b\"c\nd,e={}\t\r\xff\xe2\x82\xac",
				    "cpu_migrations"};
static const char *const notes[] = {NULL, "as ~L2_RQSTS:MISS"};
static const char *const modes[] = {"user", "user+sys", ""};
static const char *const attrs[] = {"", "cmask=2,inv=1", ""};
static const struct row_set set0 = {.spec = "pic0=cycles,pic12=\"odd\"",
				    .n = 2,
				    .event = names,
				    .pic = pics,
				    .note = notes,
				    .mode = modes,
				    .attrs = attrs};
static const struct row_set set1 = {.spec = "cpu_migrations",
				    .n = 1,
				    .event = names + 2,
				    .pic = pics,
				    .mode = modes + 2,
				    .attrs = attrs + 2};
static const struct row_set *const both[] = {&set0, &set1};

#define MS INT64_C(1000000)

static const cpc_value_t plain[] = {
	{1000, 1000, 5000 * MS, 5000 * MS, CPC_EXACT},
	{7, 7, 5000 * MS, 5000 * MS, CPC_APPROXIMATE},
};
/* The second event was never counted, or is not available. */
static const cpc_value_t no_turn[] = {
	{2000, 1000, 5000 * MS, 2500 * MS, CPC_SCALED},
	{12345, 6789, 5000 * MS, 0, CPC_UNAVAILABLE},
};
static const cpc_value_t nothing[] = {
	{1, 1, 0, 0, CPC_UNAVAILABLE},
	{2, 2, 0, 0, CPC_UNAVAILABLE},
};
static const cpc_value_t zeros[] = {
	{0, 0, 1, 1, CPC_EXACT},
	{0, 0, 1, 1, CPC_EXACT},
};
static const cpc_value_t most[] = {
	{UINT64_MAX - 1000, 0, 5000 * MS, 5000 * MS, CPC_SCALED},
	{UINT64_MAX - 7, 0, 1000000000000 * MS, 1000000000000 * MS, CPC_EXACT},
};
static const cpc_value_t three[] = {{3, 3, 1, 1, CPC_EXACT}};

/*
 * CPUs 0 and 1 are one core; CPU 5 is on another socket. CPU 1 goes offline; CPU 2, whose
 * core and socket are not known, comes online; those of CPU 5 are known only in the
 * second interval that has it.
 */
static const struct cpu_sample first[] = {
	{.cpu = 0, .core = 0, .socket = 0, .value = plain},
	{.cpu = 1, .core = 0, .socket = 0, .value = no_turn},
	{.cpu = 3, .core = 2, .socket = 1, .value = nothing},
	{.cpu = 5, .core = 10, .socket = 1, .value = no_turn},
};
static const struct cpu_sample other_set[] = {
	{.cpu = 0, .core = 0, .socket = 0, .value = three},
	{.cpu = 1, .core = 0, .socket = 0, .value = nothing},
	{.cpu = 5, .core = 10, .socket = 1, .value = three},
};
static const struct cpu_sample last[] = {
	{.cpu = 0, .core = 0, .socket = 0, .value = most},
	{.cpu = 2, .core = -1, .socket = -1, .value = zeros},
	{.cpu = 5, .core = 10, .socket = 1, .value = plain},
};
static const struct cpu_interval run[] = {
	{1, 0, LEN(first), first, 1000000000},
	{2, 1, LEN(other_set), other_set, 500000000},
	{5, 0, LEN(last), last, 23},
};
static const struct cpu_interval none[] = {{1, 0, 0, NULL, 0}};
/* A CPU whose core and socket become known, and a CPU that is offline at the end. */
static const struct cpu_sample unknown[] = {
	{.cpu = 2, .core = -1, .socket = -1, .value = plain},
	{.cpu = 4, .core = -1, .socket = -1, .value = plain},
};
static const struct cpu_sample known[] = {
	{.cpu = 2, .core = 1, .socket = 0, .value = plain},
};
static const struct cpu_interval late[] = {
	{1, 0, LEN(unknown), unknown, 0},
	{2, 0, LEN(known), known, 0},
	{3, 1, 0, NULL, 0},
};

static const struct {
	int line;
	const char *name; /* in test/golden/openmetrics; its suffix selects the form */
	enum row_scope scope;
	unsigned nsets, announced, n; /* how many intervals are announced and written */
	const struct cpu_interval *interval;
} texts[] = {
	{__LINE__, "cpus.prom", ROW_CPUS, 2, 0, LEN(run), run},
	{__LINE__, "cpus.txt", ROW_CPUS, 2, 2, LEN(run), run},
	{__LINE__, "cores.prom", ROW_CORES, 2, 0, LEN(run), run},
	{__LINE__, "cores.txt", ROW_CORES, 2, 0, LEN(run), run},
	{__LINE__, "sockets.prom", ROW_SOCKETS, 2, 0, LEN(run), run},
	{__LINE__, "sockets.txt", ROW_SOCKETS, 2, 2, LEN(run), run},
	{__LINE__, "late.prom", ROW_CPUS, 2, 0, LEN(late), late},
	{__LINE__, "none.prom", ROW_CPUS, 1, 0, LEN(none), none},
	{__LINE__, "none.txt", ROW_CPUS, 1, 0, LEN(none), none},
	/*
	 * zeros, also for a value that is not available yet, not for one that does not
	 * exist
	 */
	{__LINE__, "start.prom", ROW_CPUS, 2, 2, 0, run},
	{__LINE__, "start.txt", ROW_CORES, 2, 2, 0, run},
	/* the value is still not available: its zeros are gone; set 1 keeps its own */
	{__LINE__, "first.prom", ROW_CPUS, 2, 2, 1, run},
};

static void test_texts(void **state)
{
	const char *dir = getenv("GOLDEN");

	(void)state;
	for (size_t t = 0; t < LEN(texts); t++) {
		const char *path = in_folder(texts[t].name);
		struct openmetrics *m =
			open_metrics(path, texts[t].scope, both, texts[t].nsets);
		assert_non_null(m);
		assert_int_equal(files_in_folder(0), t);
		for (unsigned i = 0; i < texts[t].announced; i++)
			assert_return_code(openmetrics_announce(m, &texts[t].interval[i]),
					   errno);
		assert_return_code(openmetrics_start(m, 1699999999500000000), errno);
		for (unsigned i = 0; i < texts[t].n; i++)
			assert_return_code(openmetrics_write(m, &texts[t].interval[i],
							     i + 1,
							     1700000000000000000 + i),
					   errno);
		openmetrics_free(m);

		char wanted[PATH_SIZE];
		snprintf(wanted, sizeof wanted, "%s/openmetrics/%s",
			 dir ? dir : "test/golden", texts[t].name);
		char *expected = slurp(wanted), *got = slurp(path);
		assert_text(texts[t].line, got, expected);
		free(expected);
		free(got);
	}
	assert_int_equal(files_in_folder(0), LEN(texts));
}

/*
 * Two cgroups, of which one is gone after the first interval; its counts are in the text
 * until the next. On a CPU an event had no counter.
 */
static const char *const paths[] = {"a\"b", "c"};
static const cpc_value_t of_cgroups[][2] = {
	{{10, 10, 2000000000, 2000000000, CPC_EXACT},
	 {7, 7, 2000000000, 2000000000, CPC_EXACT}},
	{{0, 0, 1000000000, 0, CPC_UNAVAILABLE},
	 {1, 1, 1000000000, 1000000000, CPC_EXACT}},
	{{0, 0, 0, 0, CPC_EXACT}, {0, 0, 0, 0, CPC_EXACT}},
	{{0, 0, 0, 0, CPC_UNAVAILABLE}, {0, 0, 0, 0, CPC_EXACT}},
};
static const struct cpu_sample two_cgroups[] = {
	{.cgroup = "a\"b", .cpu = 0, .core = 0, .socket = 0, .value = of_cgroups[0]},
	{.cgroup = "a\"b", .cpu = 1, .core = 1, .socket = 0, .value = of_cgroups[1]},
	{.cgroup = "c", .cpu = 0, .core = 0, .socket = 0, .value = of_cgroups[2]},
	{.cgroup = "c", .cpu = 1, .core = 1, .socket = 0, .value = of_cgroups[3]},
};
static const struct cpu_interval cgroups[] = {
	{1, 0, 4, two_cgroups, 2500000000},
	{2, 0, 2, two_cgroups, 2500000000},
};

static const struct {
	int line;
	const char *name;
	enum row_scope scope;
	unsigned n; /* intervals; the second cgroup is dropped after the first */
} cgroup_texts[] = {
	{__LINE__, "cgroups.prom", ROW_CGROUPS, 1},
	{__LINE__, "cgroups.txt", ROW_CGROUPS, 2},
	{__LINE__, "cgroups_cpu.prom", ROW_CPUS, 1},
	{__LINE__, "cgroups_socket.txt", ROW_SOCKETS, 1},
};

static void test_cgroups(void **state)
{
	const char *dir = getenv("GOLDEN");
	const struct openmetrics_label label[] = {{"run", "x\\y"}, {"site", ""}};

	(void)state;
	for (size_t t = 0; t < LEN(cgroup_texts); t++) {
		const char *path = in_folder(cgroup_texts[t].name);
		const struct openmetrics_options o = {.path = path,
						      .scope = cgroup_texts[t].scope,
						      .cgroups = 1,
						      .nlabels = 2,
						      .label = label};
		struct openmetrics *m = openmetrics_new(&o, both, 2);
		assert_non_null(m);
		assert_return_code(openmetrics_announce(m, &cgroups[0]), errno);
		assert_return_code(openmetrics_start(m, 1699999999500000000), errno);
		for (unsigned i = 0; i < cgroup_texts[t].n; i++) {
			assert_return_code(openmetrics_write(m, &cgroups[i], 0,
							     1700000000000000000 + i),
					   errno);
			openmetrics_drop(m, paths[1]);
			assert_return_code(openmetrics_again(m), errno);
		}
		openmetrics_free(m);

		char wanted[PATH_SIZE];
		snprintf(wanted, sizeof wanted, "%s/openmetrics/%s",
			 dir ? dir : "test/golden", cgroup_texts[t].name);
		char *expected = slurp(wanted), *got = slurp(path);
		assert_text(cgroup_texts[t].line, got, expected);
		free(expected);
		free(got);
	}
}

static void test_labels(void **state)
{
	(void)state;
	assert_int_equal(openmetrics_has_label("cpu"), 1);
	assert_int_equal(openmetrics_has_label("cgroup"), 1);
	assert_int_equal(openmetrics_has_label("note"), 1);
	assert_int_equal(openmetrics_has_label("run"), 0);
	assert_int_equal(openmetrics_has_label(""), 0);
}

/* Names and the forms that they select. */
static void test_forms(void **state)
{
	static const struct {
		const char *path;
		enum openmetrics_form form;
	} cases[] = {
		{"/a/b.prom", OPENMETRICS_PROM},	{".prom", OPENMETRICS_PROM},
		{"x.prom.prom", OPENMETRICS_PROM},	{"", OPENMETRICS_STRICT},
		{"prom", OPENMETRICS_STRICT},		{"xprom", OPENMETRICS_STRICT},
		{"x.prom.txt", OPENMETRICS_STRICT},	{"x.PROM", OPENMETRICS_STRICT},
		{"x.prom/metrics", OPENMETRICS_STRICT},
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		if (form_of(cases[i].path) != cases[i].form)
			fail_msg("%s", cases[i].path);
}

static const struct cpu_interval *small(void)
{
	return &run[1];
}

static struct openmetrics *begin(const char *name)
{
	struct openmetrics *m = open_metrics(in_folder(name), ROW_CPUS, both, 2);
	if (!m)
		fail_msg("%s: %s", name, strerror(errno));
	return m;
}

/* Names in the folder, or absolute paths, and why they cannot be written. */
static void test_refusals(void **state)
{
	static const struct {
		int line;
		const char *path;
		enum row_scope scope;
		int error;
	} cases[] = {
		{__LINE__, "missing/x.prom", ROW_CPUS, ENOENT},
		{__LINE__, "missing/", ROW_CPUS, ENOENT},
		{__LINE__, "sub", ROW_CPUS, EISDIR},
		{__LINE__, "sub/", ROW_CPUS, EISDIR},
		{__LINE__, "to-sub", ROW_CPUS, EISDIR},
		{__LINE__, "file/x", ROW_CPUS, ENOTDIR},
		{__LINE__, "loop", ROW_CPUS, ELOOP},
		{__LINE__, "fifo", ROW_CPUS, EINVAL},
		{__LINE__, "to-fifo", ROW_CPUS, EINVAL},
		{__LINE__, "/dev/null", ROW_CPUS, EINVAL},
		{__LINE__, "x", ROW_LWPS, EINVAL},
		{__LINE__, "x", ROW_BINS, EINVAL},
	};

	(void)state;
	assert_return_code(mkdir(in_folder("sub"), 0755), errno);
	assert_return_code(mkfifo(in_folder("fifo"), 0644), errno);
	assert_return_code(mknod(in_folder("file"), S_IFREG | 0644, 0), errno);
	assert_return_code(symlink("sub", in_folder("to-sub")), errno);
	assert_return_code(symlink("fifo", in_folder("to-fifo")), errno);
	assert_return_code(symlink("loop", in_folder("loop")), errno);
	const int before = files_in_folder(0);
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *path =
			*cases[i].path == '/' ? cases[i].path : in_folder(cases[i].path);
		errno = 0;
		if (open_metrics(path, cases[i].scope, both, 2) ||
		    errno != cases[i].error)
			fail_msg("case at line %d: %s", cases[i].line, strerror(errno));
	}
	char name[NAME_MAX + 1];
	memset(name, 'x', NAME_MAX);
	name[NAME_MAX] = '\0';
	assert_null(open_metrics(in_folder(name), ROW_CPUS, both, 2));
	assert_int_equal(errno, ENAMETOOLONG);
	assert_null(open_metrics("", ROW_CPUS, both, 2));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(files_in_folder(0), before);
	openmetrics_free(NULL);
}

/* Runs in a process without root's rights. Returns 0 if the files are refused. */
static int without_permission(void)
{
	if (geteuid() == 0 && (setgid(65534) == -1 || setuid(65534) == -1))
		return 1;
	if (open_metrics(in_folder("x.prom"), ROW_CPUS, both, 2) || errno != EACCES)
		return 2;
	return 0;
}

static void test_permission(void **state)
{
	int status;

	(void)state;
	assert_return_code(chmod(folder, 0555), errno);
	const pid_t child = fork();
	assert_return_code(child, errno);
	if (child == 0)
		_exit(without_permission());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_return_code(chmod(folder, 0755), errno);
	assert_int_equal(status, 0);
	assert_int_equal(files_in_folder(0), 0);
}

/* After a failed write the old file stays, and the next text has all counts. */
static void test_write_fails(void **state)
{
	struct openmetrics *m = begin("x.prom"), *same = begin("y.prom");
	struct rlimit limit, none_left;

	(void)state;
	assert_return_code(openmetrics_write(m, small(), 0, 0), errno);
	assert_return_code(openmetrics_write(same, small(), 0, 0), errno);
	assert_return_code(openmetrics_write(same, small(), 0, 1), errno);
	char *before = slurp(in_folder("x.prom"));

	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	assert_return_code(getrlimit(RLIMIT_FSIZE, &limit), errno);
	none_left = limit;
	none_left.rlim_cur = 100;
	assert_return_code(setrlimit(RLIMIT_FSIZE, &none_left), errno);
	const int rc = openmetrics_write(m, small(), 0, 0), e = errno;
	assert_return_code(setrlimit(RLIMIT_FSIZE, &limit), errno);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(rc, -1);
	assert_int_equal(e, EFBIG);
	assert_int_equal(files_in_folder(0), 2);
	assert_file(in_folder("x.prom"), before);

	/* the texts of m and same have three intervals each */
	assert_return_code(openmetrics_write(same, small(), 0, 2), errno);
	assert_return_code(openmetrics_write(m, small(), 0, 2), errno);
	char *after = slurp(in_folder("y.prom"));
	assert_file(in_folder("x.prom"), after);
	free(before);
	free(after);
	openmetrics_free(m);
	openmetrics_free(same);
	assert_int_equal(files_in_folder(0), 2);
}

/* A folder has taken the place of the file, or the folder of the file is removed. */
static void test_rename_fails(void **state)
{
	struct openmetrics *m = begin("x.prom");

	(void)state;
	assert_return_code(mkdir(in_folder("x.prom"), 0755), errno);
	assert_int_equal(openmetrics_write(m, small(), 0, 0), -1);
	assert_int_equal(errno, EISDIR);
	assert_int_equal(files_in_folder(1), 1);
	openmetrics_free(m);

	assert_return_code(mkdir(in_folder("sub"), 0755), errno);
	m = begin("sub/x.prom");
	assert_return_code(rmdir(in_folder("sub")), errno);
	assert_int_equal(openmetrics_write(m, small(), 0, 0), -1);
	assert_int_equal(errno, ENOENT);
	openmetrics_free(m);
}

/* The name of the new file is taken by another process, or by one that was killed. */
static void test_name_taken(void **state)
{
	struct openmetrics *m = begin("x.prom");
	char taken[64];

	(void)state;
	snprintf(taken, sizeof taken, "x.prom.%ld.0.tmp", (long)getpid());
	FILE *f = fopen(in_folder(taken), "w");
	assert_non_null(f);
	fputs("theirs", f);
	fclose(f);
	assert_return_code(openmetrics_write(m, small(), 0, 0), errno);
	openmetrics_free(m);
	assert_file(in_folder(taken), "theirs");
	assert_int_equal(files_in_folder(0), 2);
}

static mode_t mode_under(mode_t mask)
{
	struct stat st;
	const mode_t old = umask(mask);
	struct openmetrics *m = begin("x.prom");

	assert_return_code(openmetrics_write(m, small(), 0, 0), errno);
	umask(old);
	openmetrics_free(m);
	assert_return_code(stat(in_folder("x.prom"), &st), errno);
	return st.st_mode & 07777;
}

static void test_mode(void **state)
{
	(void)state;
	assert_int_equal(mode_under(022), 0644);
	assert_int_equal(mode_under(077), 0600);
	assert_int_equal(mode_under(0), 0666);
}

static void test_symlink(void **state)
{
	struct stat st;

	(void)state;
	FILE *f = fopen(in_folder("target"), "w");
	assert_non_null(f);
	fputs("theirs", f);
	fclose(f);
	assert_return_code(symlink("target", in_folder("x.prom")), errno);
	struct openmetrics *m = begin("x.prom");
	assert_return_code(openmetrics_write(m, small(), 0, 0), errno);
	openmetrics_free(m);
	assert_file(in_folder("target"), "theirs");
	assert_return_code(lstat(in_folder("x.prom"), &st), errno);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(files_in_folder(0), 2);
}

static void assert_ended(const char *path)
{
	char *text = slurp(path);
	assert_non_null(strstr(text, "\n# EOF\n"));
	free(text);
}

/* Each allocation fails once; the next write succeeds. */
static void test_no_memory(void **state)
{
	int rc = -1;

	(void)state;
	for (int n = 0; rc == -1 && n < 1000; n++) {
		const char *path = in_folder("x.prom");
		allocs_left = n;
		errno = 0;
		struct openmetrics *m = open_metrics(path, ROW_CORES, both, 2);
		if (m)
			rc = openmetrics_announce(m, &run[0]);
		if (rc == 0)
			rc = openmetrics_start(m, 0);
		if (rc == 0)
			rc = openmetrics_write(m, &run[0], 0, 0);
		const int e = errno;
		allocs_left = -1;
		assert_int_equal(files_in_folder(0), rc == 0);
		if (rc == -1)
			assert_int_equal(e, ENOMEM);
		if (m && rc == -1)
			assert_return_code(openmetrics_write(m, &run[0], 0, 0), errno);
		openmetrics_free(m);
		if (m)
			assert_ended(path);
		if (rc == -1)
			files_in_folder(1);
	}
	assert_int_equal(rc, 0);
}

enum { MANY_CPUS = 96, MANY_EVENTS = 8, READS = 3000 };

/* Write intervals until *stop is set. Each interval adds 1 to every counter. */
static void write_on(const char *path, volatile const sig_atomic_t *stop)
{
	static const char *const event[MANY_EVENTS] = {"a", "b", "c", "d",
						       "e", "f", "g", "h"};
	static const unsigned pic[MANY_EVENTS] = {0, 1, 2, 3, 4, 5, 6, 7};
	static const struct row_set many = {
		.spec = "a,b,c,d,e,f,g,h", .n = MANY_EVENTS, .event = event, .pic = pic};
	static const struct row_set *const set[] = {&many};
	cpc_value_t one[MANY_EVENTS];
	struct cpu_sample s[MANY_CPUS];

	for (int i = 0; i < MANY_EVENTS; i++)
		one[i] = (cpc_value_t){1, 1, 1, 1, CPC_EXACT};
	for (int i = 0; i < MANY_CPUS; i++)
		s[i] = (struct cpu_sample){
			.cpu = i, .core = i, .socket = 0, .value = one};
	const struct cpu_interval i = {1, 0, MANY_CPUS, s, 0};
	struct openmetrics *m = open_metrics(path, ROW_CPUS, set, 1);
	while (m && !*stop)
		if (openmetrics_write(m, &i, 0, 0) == -1)
			_exit(2);
	openmetrics_free(m);
	_exit(m ? 0 : 1);
}

static volatile sig_atomic_t stopped;

static void on_term(int sig)
{
	stopped = sig;
}

/* Return the length of a line that ends in "\n". */
static size_t line_length(const char *line, const char *end)
{
	const char *eol = memchr(line, '\n', (size_t)(end - line));
	assert_non_null(eol);
	return (size_t)(eol - line);
}

/*
 * Check the first and last lines, and that all counters are the number of intervals.
 * Returns this number.
 */
static unsigned long long check_whole(const char *text, size_t len)
{
	static const char first_line[] = "# HELP opencpc_events_total ",
			  events[] = "opencpc_events_total{",
			  intervals[] = "opencpc_samples_total ", last_line[] = "# EOF\n";
	const char *end = text + len;
	unsigned long long value[MANY_CPUS * MANY_EVENTS + 1] = {0};
	unsigned n = 0;

	assert_true(len > 1000);
	assert_memory_equal(text, first_line, sizeof first_line - 1);
	assert_memory_equal(end - (sizeof last_line - 1), last_line,
			    sizeof last_line - 1);
	for (const char *p = text; p < end;) {
		const size_t size = line_length(p, end);
		if (strncmp(p, events, sizeof events - 1) == 0 ||
		    strncmp(p, intervals, sizeof intervals - 1) == 0) {
			assert_in_range(n, 0, LEN(value) - 1);
			const char *blank = memrchr(p, ' ', size);
			assert_non_null(blank);
			value[n++] = strtoull(blank, NULL, 10);
		}
		p += size + 1;
		assert_true(p == end || memcmp(p, last_line, sizeof last_line - 1) != 0 ||
			    p + sizeof last_line - 1 == end);
	}
	assert_int_equal(n, LEN(value));
	for (unsigned i = 1; i < n; i++)
		assert_true(value[i] == value[0]);
	return value[0];
}

static void test_whole(void **state)
{
	const char *path = in_folder("x.prom");
	int status, reads = 0, texts_seen = 0;
	unsigned long long before = 0;

	(void)state;
	writer = fork();
	assert_return_code(writer, errno);
	if (writer == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGTERM, on_term);
		write_on(path, &stopped);
	}
	while (reads < READS) {
		static char text[TEXT_SIZE];
		if (waitpid(writer, &status, WNOHANG) != 0) {
			writer = 0;
			fail_msg("the writer has ended");
		}
		const int fd = open(path, O_RDONLY);
		if (fd == -1) {
			assert_int_equal(errno, ENOENT);
			assert_int_equal(reads, 0);
			continue;
		}
		size_t len = 0;
		ssize_t n;
		while ((n = read(fd, text + len, sizeof text - 1 - len)) > 0)
			len += (size_t)n;
		close(fd);
		text[len] = '\0';
		const unsigned long long intervals = check_whole(text, len);
		assert_true(intervals >= before);
		texts_seen += intervals != before;
		before = intervals;
		reads++;
	}
	kill(writer, SIGTERM);
	assert_int_equal(waitpid(writer, &status, 0), writer);
	writer = 0;
	assert_int_equal(status, 0);
	assert_true(texts_seen > 10);
	assert_int_equal(files_in_folder(0), 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, drop_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_texts),      TEST(test_forms),       TEST(test_refusals),
		TEST(test_permission), TEST(test_write_fails), TEST(test_rename_fails),
		TEST(test_name_taken), TEST(test_mode),	       TEST(test_symlink),
		TEST(test_no_memory),  TEST(test_whole),       TEST(test_cgroups),
		TEST(test_labels),
	};

	return cmocka_run_group_tests_name("openmetrics", tests, NULL, NULL);
}
