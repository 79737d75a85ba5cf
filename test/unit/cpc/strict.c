/*
 * CPC_STRICT=1 excludes binds of several processes. The engine counts nothing: the tests
 * check which binds are allowed, and which binds end.
 */
#include "cpc/strict.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cpc/remote.h"
#include "fake_engine.h"
#include "pctx/table.h"
#include "reported.h"

enum { USER = CPC_COUNT_USER, TID = 4242 };

static char dir[64], path[128], other[128];

/* A session with two sets. */
struct user {
	cpc_t *cpc;
	cpc_set_t *set, *second;
	cpc_buf_t *buf;
};

static cpc_set_t *set_of(cpc_t *cpc)
{
	cpc_set_t *set = cpc_set_create(cpc);

	assert_int_equal(cpc_set_add_request(cpc, set, "own_alpha", 0, USER, 0, NULL), 0);
	return set;
}

static struct user begin(void)
{
	struct user u = {.cpc = fake_session(NULL)};

	cpc_seterrhndlr(u.cpc, remember);
	u.set = set_of(u.cpc);
	u.second = set_of(u.cpc);
	u.buf = cpc_buf_create(u.cpc, u.set);
	memset(&reported, 0, sizeof reported);
	return u;
}

/*
 * Bind a set to the CPU of the caller, which stays there until clean() lets it run
 * everywhere.
 */
static int bind_cpu(struct user *u, cpc_set_t *set, int cpu)
{
	return cpc_bind_cpu(u->cpc, cpu, set, CPC_FLAGS_NORELE);
}

static pctx_t *process(void)
{
	struct tracer *t = tracer_new(0, 0, NULL);

	assert_non_null(t);
	t->root = proc_new(t, TID, NULL);
	lwp_join(lwp_new(t, TID, LWP_ANNOUNCED), t->root);
	return t->root;
}

/*
 * Another process, which executes a step for each byte that it reads and answers with
 * errno.
 */
struct peer {
	pid_t pid;
	int in, out;
};

static int peer_step(struct user *u, char step)
{
	errno = 0;
	switch (step) {
	case 'b':
		return bind_cpu(u, u->set, 0) ? errno : 0;
	case 'u':
		return cpc_unbind(u->cpc, u->set) ? errno : 0;
	case 'l':
		return cpc_bind_curlwp(u->cpc, u->second, 0) ? errno : 0;
	case 's':
		return cpc_set_sample(u->cpc, u->second, u->buf) ? errno : 0;
	default:
		return ENOTSUP;
	}
}

static void peer_run(int in, int out)
{
	struct user u = begin();
	char step;

	while (read(in, &step, 1) == 1 && step != 'q') {
		const unsigned char answer = (unsigned char)peer_step(&u, step);

		if (write(out, &answer, 1) != 1)
			break;
	}
	_exit(0);
}

static struct peer peer_start(void)
{
	int to[2], from[2];

	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		close(to[1]);
		peer_run(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	return (struct peer){pid, to[1], from[0]};
}

static int peer_do(const struct peer *p, char step)
{
	unsigned char answer;

	assert_int_equal(write(p->in, &step, 1), 1);
	assert_int_equal(read(p->out, &answer, 1), 1);
	return answer;
}

static void peer_end(const struct peer *p, int sig)
{
	int st;

	if (sig)
		kill(p->pid, sig);
	else
		assert_int_equal(write(p->in, "q", 1), 1);
	close(p->in);
	close(p->out);
	assert_int_equal(waitpid(p->pid, &st, 0), p->pid);
	assert_int_equal(st, sig);
}

static int strict(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/strict.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof path, "%s/opencpc.strict", dir);
	snprintf(other, sizeof other, "%s/other", dir);
	setenv("XDG_RUNTIME_DIR", dir, 1);
	setenv("CPC_STRICT", "1", 1);
	return 0;
}

static int clean(void **state)
{
	cpu_set_t all;

	(void)state;
	memset(&all, 0xff, sizeof all);
	sched_setaffinity(0, sizeof all, &all);
	unsetenv("CPC_STRICT");
	unsetenv("XDG_RUNTIME_DIR");
	unlink(other);
	if (unlink(path) == -1)
		rmdir(path);
	return rmdir(dir);
}

static int is_empty(const char *folder)
{
	DIR *d = opendir(folder);
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n == 2; /* "." and ".." */
}

/* With any value of CPC_STRICT but 1, all binds succeed and no file is opened. */
static void is_off(void **state)
{
	static const char *const off[] = {NULL, "", "0", "01", "yes"};

	(void)state;
	for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
		if (off[i])
			setenv("CPC_STRICT", off[i], 1);
		else
			unsetenv("CPC_STRICT");
		struct user u = begin(), v = begin();
		assert_int_equal(bind_cpu(&u, u.set, 0), 0);
		assert_int_equal(bind_cpu(&v, v.set, 0), 0);
		assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
		assert_int_equal(cpc_set_sample(u.cpc, u.second, u.buf), 0);
		cpc_close(u.cpc);
		cpc_close(v.cpc);
		assert_true(is_empty(dir));
	}
}

static void one_set_a_cpu(void **state)
{
	(void)state;
	const struct peer p = peer_start();
	struct user u = begin();
	assert_int_equal(peer_do(&p, 'b'), 0);
	FAILS(bind_cpu(&u, u.set, 0), EAGAIN);
	assert_int_equal(reported.subcode, CPC_REFUSED);
	assert_string_equal(reported.fn, "cpc_bind_cpu");
	assert_string_equal(
		reported.text,
		"CPU 0 has a set bound already, and CPC_STRICT=1 allows only one at a "
		"time");
	FAILS(cpc_unbind(u.cpc, u.set), EINVAL);
	assert_int_equal(peer_do(&p, 'u'), 0);
	assert_int_equal(bind_cpu(&u, u.set, 0), 0);
	assert_int_equal(peer_do(&p, 'b'), EAGAIN);
	/* A second set of the same process is refused too. */
	FAILS(bind_cpu(&u, u.second, 0), EAGAIN);
	assert_int_equal(cpc_set_destroy(u.cpc, u.set), 0);
	assert_int_equal(peer_do(&p, 'b'), 0);
	/* Binding a set again unbinds it first. */
	assert_int_equal(peer_do(&p, 'b'), 0);
	peer_end(&p, 0);
	cpc_close(u.cpc);
}

/* So it is where a set has many places; many sets can count cgroups on a CPU. */
static void one_remote_set_a_cpu(void **state)
{
	const int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const struct engine_cgroup cgroup = {root, "/"};
	struct cpc_remotes *r = cpc_remotes_new(1);

	(void)state;
	struct user u = begin();
	assert_int_equal(cpc_remotes_insert(r, 0), 0);
	assert_int_equal(cpc_remotes_insert(r, 1), 0);
	assert_int_equal(cpc_remotes_bind(u.cpc, r, 0, u.set, NULL, 0), 0);
	FAILS(cpc_remotes_bind(u.cpc, r, 1, u.set, NULL, 0), EAGAIN);
	assert_string_equal(reported.fn, "cpc_remotes_bind");
	FAILS(bind_cpu(&u, u.second, 0), EAGAIN);
	FAILS(cpc_bind_curlwp(u.cpc, u.second, 0), EAGAIN);
	assert_int_equal(cpc_remotes_bind(u.cpc, r, 1, u.set, &cgroup, 0), 0);
	cpc_remotes_unbind(u.cpc, r, 0);
	assert_int_equal(cpc_remotes_bind(u.cpc, r, 0, u.set, NULL, 0), 0);
	cpc_remotes_remove(u.cpc, r, 0);
	assert_int_equal(bind_cpu(&u, u.second, 0), 0);
	cpc_remotes_free(u.cpc, r);
	cpc_close(u.cpc);
	close(root);
}

static void other_cpus_are_free(void **state)
{
	cpu_set_t cpus;

	(void)state;
	sched_getaffinity(0, sizeof cpus, &cpus);
	if (!CPU_ISSET(0, &cpus) || !CPU_ISSET(1, &cpus))
		skip();
	const struct peer p = peer_start();
	struct user u = begin();
	assert_int_equal(peer_do(&p, 'b'), 0);
	assert_int_equal(bind_cpu(&u, u.set, 1), 0);
	peer_end(&p, 0);
	cpc_close(u.cpc);
}

static void no_lwp_while_a_cpu_is_bound(void **state)
{
	pctx_t *pctx = process();

	(void)state;
	const struct peer p = peer_start();
	struct user u = begin();
	assert_int_equal(peer_do(&p, 'b'), 0);
	FAILS(cpc_bind_pctx(u.cpc, pctx, 1, u.set, 0), EAGAIN);
	assert_string_equal(reported.fn, "cpc_bind_pctx");
	FAILS(cpc_bind_curlwp(u.cpc, u.set, 0), EAGAIN);
	assert_string_equal(reported.fn, "cpc_bind_curlwp");
	assert_string_equal(
		reported.text,
		"a set is bound to CPU 0, and CPC_STRICT=1 allows no LWP to be "
		"bound meanwhile");
	assert_int_equal(fake.groups, 0);
	FAILS(cpc_unbind(u.cpc, u.set), EINVAL);
	/* The process that bound the CPU has no better right. */
	assert_int_equal(peer_do(&p, 'l'), EAGAIN);
	assert_int_equal(peer_do(&p, 'u'), 0);
	assert_int_equal(cpc_bind_pctx(u.cpc, pctx, 1, u.set, 0), 0);
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	assert_int_equal(cpc_set_sample(u.cpc, u.set, u.buf), 0);
	assert_int_equal(cpc_set_sample(u.cpc, u.second, u.buf), 0);
	peer_end(&p, 0);
	cpc_close(u.cpc);
	tracer_free(pctx->t);
}

/*
 * Sets that were bound before a CPU are invalid from its bind on, until they are bound
 * again.
 */
static void a_cpu_ends_binds_of_lwps(void **state)
{
	pctx_t *pctx = process();

	(void)state;
	const struct peer p = peer_start(), q = peer_start();
	struct user u = begin();
	assert_int_equal(cpc_bind_pctx(u.cpc, pctx, 1, u.set, 0), 0);
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	assert_int_equal(peer_do(&q, 'l'), 0);
	assert_int_equal(peer_do(&q, 's'), 0);
	assert_int_equal(cpc_set_sample(u.cpc, u.set, u.buf), 0);
	assert_int_equal(cpc_set_sample(u.cpc, u.second, u.buf), 0);
	assert_int_equal(peer_do(&p, 'b'), 0);
	FAILS(cpc_set_sample(u.cpc, u.set, u.buf), EAGAIN);
	FAILS(cpc_set_sample(u.cpc, u.second, u.buf), EAGAIN);
	assert_int_equal(peer_do(&q, 's'), EAGAIN);
	assert_int_equal(peer_do(&p, 'u'), 0);
	FAILS(cpc_set_sample(u.cpc, u.set, u.buf), EAGAIN);
	FAILS(cpc_set_sample(u.cpc, u.second, u.buf), EAGAIN);
	assert_int_equal(cpc_bind_pctx(u.cpc, pctx, 1, u.set, 0), 0);
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	assert_int_equal(cpc_set_sample(u.cpc, u.set, u.buf), 0);
	assert_int_equal(cpc_set_sample(u.cpc, u.second, u.buf), 0);
	peer_end(&p, 0);
	peer_end(&q, 0);
	cpc_close(u.cpc);
	tracer_free(pctx->t);
}

/* A bind of a CPU that fails ends no other bind and keeps nothing. */
static void a_failed_bind_of_a_cpu_ends_nothing(void **state)
{
	struct user u = begin();

	(void)state;
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	fake.bind_errno = ENODEV;
	FAILS(bind_cpu(&u, u.set, 0), ENOSYS);
	assert_int_equal(cpc_set_sample(u.cpc, u.second, u.buf), 0);
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	cpc_close(u.cpc);
}

static void who_dies_holds_nothing(void **state)
{
	(void)state;
	const struct peer p = peer_start();
	struct user u = begin();
	assert_int_equal(peer_do(&p, 'b'), 0);
	FAILS(cpc_bind_curlwp(u.cpc, u.second, 0), EAGAIN);
	peer_end(&p, SIGKILL);
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	assert_int_equal(bind_cpu(&u, u.set, 0), 0);
	cpc_close(u.cpc);
}

static void make_file(const char *name, mode_t mode)
{
	const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "mine", 4), 4);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static void refused_of(int err, const char *text)
{
	struct user u = begin();

	FAILS(bind_cpu(&u, u.set, 0), err);
	assert_int_equal(reported.subcode, CPC_REFUSED);
	if (!strstr(reported.text, text) || !strstr(reported.text, "XDG_RUNTIME_DIR"))
		fail_msg("%s", reported.text);
	FAILS(cpc_bind_curlwp(u.cpc, u.second, 0), err);
	assert_int_equal(fake.groups, 0);
	cpc_close(u.cpc);
}

/* A file that is not a plain file of this user is left unchanged. */
static void trusts_its_own_file_alone(void **state)
{
	static const char own[] = "not a plain file of this user's own";
	struct stat st;

	(void)state;
	make_file(other, 0600);
	assert_int_equal(symlink(other, path), 0);
	refused_of(EACCES, strerror(ELOOP));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(link(other, path), 0);
	refused_of(EACCES, own);
	assert_int_equal(stat(other, &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(other), 0);
	make_file(path, 0622);
	refused_of(EACCES, own);
	if (geteuid() == 0) {
		assert_int_equal(chmod(path, 0600), 0);
		assert_int_equal(chown(path, 65534, 65534), 0);
		refused_of(EACCES, own);
	}
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	refused_of(EACCES, own);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	refused_of(EACCES, strerror(EISDIR));
	setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
	refused_of(EACCES, "/nonexistent/opencpc.strict");
	char *long_dir = malloc(10000);
	memset(long_dir, '/', 9999);
	long_dir[9999] = '\0';
	setenv("XDG_RUNTIME_DIR", long_dir, 1);
	refused_of(EACCES, strerror(ENAMETOOLONG));
	free(long_dir);
}

/*
 * A file of any content will do; one that is truncated while it is in use at worst ends
 * binds.
 */
static void bears_a_damaged_file(void **state)
{
	struct stat st;

	(void)state;
	make_file(path, 0600);
	struct user u = begin();
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	assert_int_equal(cpc_set_sample(u.cpc, u.second, u.buf), 0);
	assert_int_equal(truncate(path, 0), 0);
	FAILS(cpc_set_sample(u.cpc, u.second, u.buf), EAGAIN);
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	assert_int_equal(cpc_set_sample(u.cpc, u.second, u.buf), 0);
	assert_int_equal(bind_cpu(&u, u.set, 0), 0);
	assert_int_equal(truncate(path, 3), 0);
	FAILS(cpc_set_sample(u.cpc, u.second, u.buf), EAGAIN);
	FAILS(cpc_bind_curlwp(u.cpc, u.second, 0), EAGAIN);
	assert_int_equal(cpc_unbind(u.cpc, u.set), 0);
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	assert_int_equal(cpc_set_sample(u.cpc, u.second, u.buf), 0);
	cpc_close(u.cpc);
	/*
	 * A new file belongs to this user only, and its sticky bit keeps it from being
	 * cleaned away.
	 */
	assert_int_equal(unlink(path), 0);
	u = begin();
	assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
	cpc_close(u.cpc);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 01600);
}

static unsigned open_files(void)
{
	unsigned n = 0;
	DIR *d = opendir("/proc/self/fd");

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void leaves_nothing_open(void **state)
{
	const unsigned before = open_files();

	(void)state;
	for (int i = 0; i < 100; i++) {
		struct user u = begin();

		assert_int_equal(bind_cpu(&u, u.set, 0), 0);
		FAILS(bind_cpu(&u, u.second, 0), EAGAIN);
		FAILS(cpc_bind_curlwp(u.cpc, u.second, 0), EAGAIN);
		cpc_unbind(u.cpc, u.set);
		assert_int_equal(cpc_bind_curlwp(u.cpc, u.second, 0), 0);
		cpc_close(u.cpc);
	}
	assert_int_equal(open_files(), before);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, strict, clean)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(is_off),
		TEST(one_set_a_cpu),
		TEST(one_remote_set_a_cpu),
		TEST(other_cpus_are_free),
		TEST(no_lwp_while_a_cpu_is_bound),
		TEST(a_cpu_ends_binds_of_lwps),
		TEST(a_failed_bind_of_a_cpu_ends_nothing),
		TEST(who_dies_holds_nothing),
		TEST(trusts_its_own_file_alone),
		TEST(bears_a_damaged_file),
		TEST(leaves_nothing_open),
	};

	alarm(60);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
