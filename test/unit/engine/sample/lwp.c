/* Rings of LWPs, of perf events that a test makes up: their files are of /dev/null. */
#include "engine/sample/set.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { EVENTS = 2, TID = 77 };

/* What the kernel does with the events. */
static struct {
	int open_error[EVENTS], mmap_error, ioctl_error; /* or 0 */
	size_t most;		  /* bytes that can be mapped; 0: no limit */
	uint64_t word[EVENTS][4]; /* what a read of each event returns */
	ssize_t size;		  /* of a read */
	int fd[EVENTS];
	int opened;
	size_t mapped;
} kernel;

static int open_event(struct perf_event_attr *a, pid_t tid, int cpu, int group_fd,
		      unsigned long flags)
{
	(void)a, (void)cpu, (void)group_fd, (void)flags;
	assert_int_equal(tid, TID);
	if (kernel.open_error[kernel.opened])
		return errno = kernel.open_error[kernel.opened], -1;
	const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	kernel.fd[kernel.opened++] = fd;
	return fd;
}

int __wrap_ioctl(int fd, unsigned long request, ...);
void *__real_mmap(void *at, size_t size, int prot, int flags, int fd, off_t from);
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t from);
ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);
ssize_t __wrap___read_chk(int fd, void *to, size_t n, size_t size);

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	(void)fd, (void)request;
	errno = kernel.ioctl_error;
	return errno ? -1 : 0;
}

void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t from)
{
	if (fd == -1)
		return __real_mmap(at, size, prot, flags, fd, from);
	errno = kernel.mmap_error		    ? kernel.mmap_error
		: kernel.most && size > kernel.most ? EPERM
						    : 0;
	if (errno)
		return MAP_FAILED;
	kernel.mapped = size;
	return __real_mmap(NULL, size, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

ssize_t __wrap_read(int fd, void *to, size_t n)
{
	const int event = kernel.opened > 1 && fd == kernel.fd[1];

	if (fd != kernel.fd[event])
		return __real_read(fd, to, n);
	assert_in_range(n, sizeof kernel.word[0], sizeof kernel.word[0]);
	if (kernel.size < 0)
		errno = EBADF;
	else
		memcpy(to, kernel.word[event], (size_t)kernel.size);
	return kernel.size;
}

ssize_t __wrap___read_chk(int fd, void *to, size_t n, size_t size)
{
	(void)size;
	return __wrap_read(fd, to, n);
}

static const struct kernel_env env = {"", open_event};

/* A set of instructions and cycles, each with one part. */
static const struct sample_set set = {.env = &env,
				      .n = EVENTS,
				      .source = {{.name = "ire"}, {.name = "cnh"}},
				      .choice = {{.n = 1}, {.n = 1}}};

static int begin(void **arg)
{
	(void)arg;
	memset(&kernel, 0, sizeof kernel);
	kernel.size = sizeof kernel.word[0];
	for (int i = 0; i < EVENTS; i++)
		kernel.word[i][1] = kernel.word[i][2] = 1000;
	return 0;
}

static struct sample_lwp *open_lwp(const struct sample_set *s)
{
	struct why why = {""};
	struct sample_lwp *l = sample_lwp_open(s, TID, &why);

	if (!l)
		fail_msg("%s", why.text);
	return l;
}

static void check_closed(void)
{
	for (int i = 0; i < kernel.opened; i++)
		assert_int_equal(fcntl(kernel.fd[i], F_GETFD), -1);
}

static void counts_each_event(void **arg)
{
	struct sample_lwp *l = open_lwp(&set);
	struct sample_state state;

	(void)arg;
	kernel.word[0][0] = 12;
	kernel.word[1][0] = 34;
	assert_int_equal(sample_lwp_state(l, &state), 0);
	assert_int_equal(state.count[0], 12);
	assert_int_equal(state.count[1], 34);
	assert_int_equal(state.missed, 0);
	assert_int_equal(state.shared, 0);
	sample_lwp_close(l);
	check_closed();
}

/* An event had no counter for some time; the kernel had no room for records. */
static void tells_what_is_missing(void **arg)
{
	struct sample_lwp *l = open_lwp(&set);
	struct sample_state state;

	(void)arg;
	kernel.word[1][2] = 999;
	assert_int_equal(sample_lwp_state(l, &state), 0);
	assert_int_equal(state.shared, 1);
	assert_int_equal(state.missed, 0);
	kernel.word[1][2] = 1000;
	kernel.word[0][3] = 2;
	kernel.word[1][3] = 3;
	assert_int_equal(sample_lwp_state(l, &state), 0);
	assert_int_equal(state.shared, 0);
	assert_int_equal(state.missed, 5);
	sample_lwp_close(l);
}

/* Parts of other kinds of cores have no counter while this kind counts. */
static void parts_do_not_share(void **arg)
{
	struct sample_set parts = set;
	struct sample_state state;

	(void)arg;
	parts.n = 1;
	parts.choice[0].n = 2;
	struct sample_lwp *l = open_lwp(&parts);
	kernel.word[0][0] = 5;
	kernel.word[1][0] = 6;
	kernel.word[1][2] = 0;
	assert_int_equal(sample_lwp_state(l, &state), 0);
	assert_int_equal(state.shared, 0);
	assert_int_equal(state.count[0], 11);
	sample_lwp_close(l);
}

static void reports_reads_that_fail(void **arg)
{
	struct sample_lwp *l = open_lwp(&set);
	struct sample_state state;

	(void)arg;
	kernel.size = -1;
	assert_int_equal(sample_lwp_state(l, &state), -1);
	assert_int_equal(errno, EBADF);
	kernel.size = 16;
	assert_int_equal(sample_lwp_state(l, &state), -1);
	assert_int_equal(errno, EIO);
	sample_lwp_close(l);
}

static void takes_a_smaller_ring(void **arg)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	(void)arg;
	kernel.most = 2 * page;
	sample_lwp_close(open_lwp(&set));
	assert_int_equal(kernel.mapped, 2 * page);
	check_closed();
}

static void refuses(int error)
{
	struct why why = {""};

	errno = 0;
	assert_null(sample_lwp_open(&set, TID, &why));
	assert_int_equal(errno, error);
	assert_non_null(strstr(why.text, "cannot map a ring of samples of LWP 77: "));
	assert_non_null(strstr(why.text, strerror(error)));
	assert_non_null(strstr(why.text, "kernel.perf_event_mlock_kb"));
	check_closed();
	kernel.opened = 0;
}

static void refuses_without_a_ring(void **arg)
{
	(void)arg;
	kernel.most = 1;
	refuses(EPERM);
	kernel.mmap_error = ENOMEM;
	refuses(ENOMEM);
	kernel.mmap_error = EINVAL;
	refuses(EINVAL);
	kernel.mmap_error = kernel.most = 0;
	kernel.ioctl_error = ENOTTY;
	refuses(ENOTTY);
}

/* The second event could be opened when it was chosen, and cannot now. */
static void refuses_an_event(void **arg)
{
	struct why why = {""};

	(void)arg;
	kernel.open_error[1] = EMFILE;
	errno = 0;
	assert_null(sample_lwp_open(&set, TID, &why));
	assert_int_equal(errno, EMFILE);
	assert_ptr_equal(strstr(why.text, "cnh: "), why.text);
	assert_non_null(strstr(why.text, "file descriptors are open"));
	assert_int_equal(kernel.opened, 1);
	check_closed();
}

#define TEST(f) cmocka_unit_test_setup(f, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counts_each_event),    TEST(tells_what_is_missing),
		TEST(parts_do_not_share),   TEST(reports_reads_that_fail),
		TEST(takes_a_smaller_ring), TEST(refuses_without_a_ring),
		TEST(refuses_an_event),
	};

	return cmocka_run_group_tests_name("engine/sample/lwp", tests, NULL, NULL);
}
