/* Recordings of sampled images: rings, what they missed, mappings and names. */
#include "suite/sampled/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/kernel/event.h"

/* Each event opens: the set never reads its descriptors. */
static int open_event(struct perf_event_attr *a, pid_t tid, int cpu, int group_fd,
		      unsigned long flags)
{
	(void)a, (void)tid, (void)cpu, (void)group_fd, (void)flags;
	return dup(0);
}

static const struct kernel_env env = {"/nonexistent", open_event};

/* Write *m and read the recording. Returns the bytes that *r points into. */
static void *write_and_read(const struct sampled *m, struct recording *r)
{
	struct sample_set *s = sample_set_new(&env);
	const int fd = memfd_create("recording", MFD_CLOEXEC);
	struct why why;
	char text[200];

	assert_non_null(s);
	assert_int_equal(sample_set_add(s, "cnh", 20000, &why), 0);
	assert_int_equal(sampled_write(m, s, fd), 0);
	const off_t size = lseek(fd, 0, SEEK_END);
	void *bytes = malloc((size_t)size);
	assert_int_equal(pread(fd, bytes, (size_t)size, 0), size);
	assert_int_equal(
		recording_read(r, bytes, (size_t)size, NULL, 0, text, sizeof text), 0);
	close(fd);
	sample_set_free(s);
	return bytes;
}

static void rings_are_those_of_threads(void **state)
{
	struct sampled m;
	struct recording r;
	struct recording_view v;
	lwp_record_t got;

	(void)state;
	sampled_begin(&m, getpid(), 0);
	struct sampled_ring *one = sampled_add(&m, 100), *none = sampled_add(&m, 101);
	struct sampled_ring *two = sampled_add(&m, 102);
	assert_non_null(none);
	for (uint64_t i = 0; i < 200; i++)
		sampled_store(one, &(lwp_record_t){.id = LWP_EVENT_CNH, .ip = i});
	two->missed = 7;
	sampled_name(&m, 102, "a name that is too long");
	sampled_name(&m, 4711, "unknown");
	m.count[0] = 4000123;
	assert_int_equal(sampled_sum(&m).stored, 200);
	assert_int_equal(sampled_sum(&m).missed, 7);
	void *bytes = write_and_read(&m, &r);
	assert_int_equal(r.nring, 2);
	assert_int_equal(r.nthread, 2);
	assert_int_equal(r.ring[0].tid, 100);
	assert_int_equal(r.ring[1].tid, 102);
	assert_string_equal(r.thread[1].name, "a name that is ");
	assert_int_equal(recording_view(&r, &r.ring[0], &v), 0);
	assert_int_equal(lwp_ring_count(&v.ring), 200);
	lwp_record_decode(&got, lwp_ring_slot(&v.ring, 199, NULL));
	assert_int_equal(got.ip, 199);
	assert_int_equal(v.block.interval[LWP_EVENT_CNH], 19999);
	assert_int_equal(recording_view(&r, &r.ring[1], &v), 0);
	assert_int_equal(v.block.missed, 7);
	assert_int_equal(r.event[0].id, LWP_EVENT_CNH);
	assert_int_equal(r.event[0].interval, 20000);
	assert_int_equal(r.event[0].events, 4000123);
	recording_free(&r);
	free(bytes);

	/* without a counter for some time the count is too low */
	m.shared = 1;
	bytes = write_and_read(&m, &r);
	assert_true(r.event[0].events == UINT64_MAX);
	recording_free(&r);
	free(bytes);

	/* without the count of one LWP the count is too low as well */
	m.shared = 0;
	m.unread = 1;
	bytes = write_and_read(&m, &r);
	assert_true(r.event[0].events == UINT64_MAX);
	recording_free(&r);
	free(bytes);
	sampled_end(&m);
}

static void mappings_replace_older_ones(void **state)
{
	const struct sample_mapping first = {0x1000, 0x5000, 0, 0, 0, 1, "/none/a"};
	const struct sample_mapping second = {0x2000, 0x3000, 0x9000, 0, 0, 2, "/none/b"};
	struct sampled m = {.pid = 1};

	(void)state;
	sampled_map(&m, &first);
	sampled_map(&m, &second);
	assert_int_equal(m.nmapping, 3);
	assert_string_equal(m.mapping[1].path, "/none/b");
	assert_int_equal(m.mapping[1].offset, 0x9000);
	assert_int_equal(m.mapping[2].start, 0x3000);
	assert_int_equal(m.mapping[2].offset, 0x2000);
	assert_int_equal(m.lost, 0);
	sampled_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rings_are_those_of_threads),
		cmocka_unit_test(mappings_replace_older_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
