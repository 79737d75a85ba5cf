/* Recordings as core files: written and read again, cut anywhere, and damaged. */
#include "lwp/recording.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <lwp.h>
#include "base/bytes.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

#define BASE UINT64_C(0x7f0000010040)
#define CB   UINT64_C(0x601040)

static uint8_t block[176], ring[4096], second[64], state[RECORDING_STATE_SIZE];
static uint8_t page[4096];
static const uint8_t build_id[4] = {0xde, 0xad, 0x0b, 0xef};

static struct recording_mapping mapping[] = {
	{.start = 0x400000,
	 .end = 0x402000,
	 .path = "/usr/bin/a prog\n\\x",
	 .head = page,
	 .head_size = sizeof page},
	{.start = 0x402000,
	 .end = 0x403000,
	 .offset = 0x2000,
	 .path = "/usr/bin/a prog\n\\x"},
	{.start = 0x600000, .end = 0x700000, .path = "[heap]"},
	{.start = 0x7f0000000000, .end = 0x7f0000020000},
	{.start = 0x7f0000030000,
	 .end = 0x7f0000031000,
	 .path = "/lib/x.so (deleted)",
	 .build_id = build_id,
	 .build_id_size = sizeof build_id},
};

static struct recording_thread thread[] = {
	{.tid = 100, .name = "main thread"}, {.tid = 101, .name = ""}, {.tid = 102}};

static struct recording_ring rings[] = {
	{.tid = 100,
	 .cb = CB,
	 .base = BASE,
	 .block = block,
	 .block_size = sizeof block,
	 .bytes = ring,
	 .size = sizeof ring,
	 .state = state},
	/* The same memory, used again by a thread that was started later. */
	{.tid = 102,
	 .cb = CB,
	 .base = BASE,
	 .block = block,
	 .block_size = sizeof block,
	 .bytes = second,
	 .size = sizeof second},
	{.tid = 102, .block = block, .block_size = 136, .bytes = second, .size = 32},
};

static struct recording_event event[] = {
	{.id = LWP_EVENT_DME,
	 .name = "dme",
	 .source = "simulated r10000",
	 .interval = 1000,
	 .events = 123456789012},
	{.name = "L2 misses", .source = "x", .events = UINT64_MAX},
};

static struct recording_count count[] = {
	{.ip = 0x400100, .event = 0, .count = 3},
	{.ip = 0xffffffffffffffff, .event = 0, .count = UINT64_MAX},
	{.ip = 0x400100, .event = 1, .count = 1},
};

static const uint8_t auxv[32] = {AT_PAGESZ, 0, 0, 0, 0, 0, 0, 0, 0, 0x10};

static const struct recording whole = {
	.pid = 100,
	.command = "a\\ prog  -x\ty",
	.program = "/usr/bin/a prog\n\\x",
	.unix_ns = 1790000000123456789,
	.event_offset = 136,
	.event_size = 64,
	.line_size = 32,
	.cpuid = {0x8000001e, 0x80062016, 0xf0010145, 0x8000007f},
	.clock = "tsc",
	.auxv = auxv,
	.auxv_size = sizeof auxv,
	.mapping = mapping,
	.nmapping = LEN(mapping),
	.thread = thread,
	.nthread = LEN(thread),
	.ring = rings,
	.nring = LEN(rings),
	.event = event,
	.nevent = LEN(event),
	.count = count,
	.ncount = LEN(count),
};

/* Fill the memory of the recording. */
static int set_up(void **arg)
{
	(void)arg;
	for (size_t i = 0; i < sizeof ring; i++)
		ring[i] = (uint8_t)(i * 7 + (i >> 8));
	memset(second, 0x55, sizeof second);
	bytes_put32(block + 4, sizeof ring);
	bytes_put64(block + 8, BASE);
	bytes_put64(state, CB);
	bytes_put64(state + 16, BASE);
	bytes_put32(state + 24, sizeof ring);
	memcpy(page, ELFMAG, SELFMAG);
	page[EI_CLASS] = ELFCLASS64;
	page[EI_DATA] = ELFDATA2LSB;
	bytes_put64(page + 32, 64);
	bytes_put16(page + 56, 1);
	bytes_put32(page + 64, PT_NOTE);
	bytes_put64(page + 64 + 8, 256);
	bytes_put64(page + 64 + 32, 36);
	bytes_put32(page + 256, 4);
	bytes_put32(page + 260, 20);
	bytes_put32(page + 264, NT_GNU_BUILD_ID);
	memcpy(page + 268, "GNU", 4);
	memset(page + 272, 0xaa, 20);
	return 0;
}

/* Write *r into a file in memory. Returns its *n bytes, malloc'ed. */
static uint8_t *written(const struct recording *r, size_t *n)
{
	const int fd = memfd_create("recording", MFD_CLOEXEC);

	assert_return_code(fd, errno);
	assert_return_code(recording_write(fd, r), errno);
	*n = (size_t)lseek(fd, 0, SEEK_END);
	uint8_t *bytes = malloc(*n);
	assert_non_null(bytes);
	assert_int_equal(pread(fd, bytes, *n, 0), *n);
	close(fd);
	return bytes;
}

static void same_string(const char *a, const char *b)
{
	assert_int_equal(!a, !b);
	if (a)
		assert_string_equal(a, b);
}

static void same_ring(const struct recording_ring *a, const struct recording_ring *b)
{
	assert_int_equal(a->tid, b->tid);
	assert_int_equal(a->cb, b->cb);
	assert_int_equal(a->base, b->base);
	assert_int_equal(a->block_size, b->block_size);
	assert_memory_equal(a->block, b->block, b->block_size);
	assert_int_equal(a->size, b->size);
	assert_memory_equal(a->bytes, b->bytes, b->size);
	assert_int_equal(!a->state, !b->state);
	if (a->state)
		assert_memory_equal(a->state, b->state, RECORDING_STATE_SIZE);
}

static void same_mapping(const struct recording_mapping *a,
			 const struct recording_mapping *b)
{
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->offset, b->offset);
	same_string(a->path, b->path);
}

static void same(const struct recording *a, const struct recording *b)
{
	assert_int_equal(a->pid, b->pid);
	same_string(a->command, b->command);
	same_string(a->program, b->program);
	same_string(a->clock, b->clock);
	assert_int_equal(a->unix_ns, b->unix_ns);
	assert_int_equal(a->event_offset, b->event_offset);
	assert_int_equal(a->event_size, b->event_size);
	assert_int_equal(a->line_size, b->line_size);
	assert_memory_equal(a->cpuid, b->cpuid, sizeof b->cpuid);
	assert_int_equal(a->auxv_size, b->auxv_size);
	assert_memory_equal(a->auxv, b->auxv, b->auxv_size);
	assert_int_equal(a->nmapping, b->nmapping);
	for (size_t i = 0; i < b->nmapping; i++)
		same_mapping(&a->mapping[i], &b->mapping[i]);
	assert_int_equal(a->nthread, b->nthread);
	for (size_t i = 0; i < b->nthread; i++) {
		assert_int_equal(a->thread[i].tid, b->thread[i].tid);
		same_string(a->thread[i].name, b->thread[i].name);
	}
	assert_int_equal(a->nring, b->nring);
	for (size_t i = 0; i < b->nring; i++)
		same_ring(&a->ring[i], &b->ring[i]);
	assert_int_equal(a->nevent, b->nevent);
	for (size_t i = 0; i < b->nevent; i++) {
		assert_int_equal(a->event[i].id, b->event[i].id);
		same_string(a->event[i].name, b->event[i].name);
		same_string(a->event[i].source, b->event[i].source);
		assert_int_equal(a->event[i].interval, b->event[i].interval);
		assert_int_equal(a->event[i].events, b->event[i].events);
	}
	assert_int_equal(a->ncount, b->ncount);
	for (size_t i = 0; i < b->ncount; i++) {
		assert_int_equal(a->count[i].ip, b->count[i].ip);
		assert_int_equal(a->count[i].event, b->count[i].event);
		assert_int_equal(a->count[i].count, b->count[i].count);
	}
}

static void is_read_as_written(void **arg)
{
	struct recording r;
	char why[256] = "";
	size_t n;

	(void)arg;
	uint8_t *file = written(&whole, &n);
	if (recording_read(&r, file, n, NULL, 0, why, sizeof why) == -1)
		fail_msg("%s", why);
	assert_true(r.is_own);
	same(&r, &whole);
	assert_int_equal(r.mapping[0].head_size, sizeof page);
	assert_memory_equal(r.mapping[0].head, page, sizeof page);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(r.mapping[i].build_id_size, 20);
		assert_memory_equal(r.mapping[i].build_id, page + 272, 20);
	}
	assert_null(r.mapping[2].build_id);
	assert_int_equal(r.mapping[4].build_id_size, sizeof build_id);
	assert_memory_equal(r.mapping[4].build_id, build_id, sizeof build_id);
	recording_free(&r);
	assert_null(r.mapping);
	free(file);
}

static void empty_is_read(void **arg)
{
	const struct recording empty = {.pid = 1, .event_offset = 128, .event_size = 32};
	struct recording r;
	char why[256] = "";
	size_t n;

	(void)arg;
	uint8_t *file = written(&empty, &n);
	if (recording_read(&r, file, n, NULL, 0, why, sizeof why) == -1)
		fail_msg("%s", why);
	assert_int_equal(r.pid, 1);
	assert_int_equal(r.nring + r.nmapping + r.nevent + r.ncount, 0);
	assert_int_equal(r.nthread, 1);
	assert_int_equal(r.thread[0].tid, 1);
	recording_free(&r);
	free(file);
}

/* A core that has no note of ours: the notes of a kernel, in its order, and segments. */
struct made {
	uint8_t bytes[65536];
	size_t n;
};

static void put(struct made *m, const void *p, size_t n)
{
	assert_true(m->n + n <= sizeof m->bytes);
	memcpy(m->bytes + m->n, p, n);
	m->n += n;
}

static void put_number(struct made *m, uint64_t v)
{
	uint8_t b[8];

	bytes_put64(b, v);
	put(m, b, sizeof b);
}

static void note(struct made *m, const char *owner, uint32_t type, const void *desc,
		 size_t n)
{
	uint8_t head[12];

	bytes_put32(head, (uint32_t)strlen(owner) + 1);
	bytes_put32(head + 4, (uint32_t)n);
	bytes_put32(head + 8, type);
	put(m, head, sizeof head);
	put(m, owner, strlen(owner) + 1);
	m->n = (m->n + 3) & ~(size_t)3;
	put(m, desc, n);
	m->n = (m->n + 3) & ~(size_t)3;
}

static void thread_note(struct made *m, uint32_t tid)
{
	uint8_t status[336] = {0};

	bytes_put32(status + 32, tid);
	note(m, "CORE", NT_PRSTATUS, status, sizeof status);
}

static void state_note(struct made *m, uint64_t components)
{
	uint8_t area[1024] = {0};

	bytes_put64(area + 512, components);
	memcpy(area + 832, state, sizeof state);
	note(m, "LINUX", NT_X86_XSTATE, area, sizeof area);
}

static void files_note(struct made *m)
{
	struct made list = {.n = 0};

	put_number(&list, 2);
	put_number(&list, 4096);
	put_number(&list, 0x400000);
	put_number(&list, 0x401000);
	put_number(&list, 0);
	put_number(&list, 0x401000);
	put_number(&list, 0x402000);
	put_number(&list, 3);
	put(&list, "/bin/prog", 10);
	put(&list, "/bin/prog", 10);
	note(m, "CORE", NT_FILE, list.bytes, list.n);
}

static void segment(struct made *m, int i, uint32_t type, uint64_t offset,
		    uint64_t address, uint64_t size)
{
	uint8_t *h = m->bytes + 64 + i * 56;

	bytes_put32(h, type);
	bytes_put64(h + 8, offset);
	bytes_put64(h + 16, address);
	bytes_put64(h + 32, size);
	bytes_put64(h + 40, size);
	bytes_put16(m->bytes + 56, (uint16_t)(i + 1));
}

static void begin(struct made *m)
{
	memset(m, 0, sizeof *m);
	memcpy(m->bytes, ELFMAG, SELFMAG);
	m->bytes[EI_CLASS] = ELFCLASS64;
	m->bytes[EI_DATA] = ELFDATA2LSB;
	bytes_put16(m->bytes + 16, ET_CORE);
	bytes_put16(m->bytes + 18, EM_X86_64);
	bytes_put64(m->bytes + 32, 64);
	bytes_put16(m->bytes + 54, 56);
	m->n = 64 + 8 * 56;
}

/* Make the core: the ring is split between two segments that follow one another. */
static void make_core(struct made *m, uint64_t components)
{
	uint8_t info[136] = {0}, aux[48] = {0};

	begin(m);
	const size_t notes = m->n;
	bytes_put32(info + 24, 100);
	strcpy((char *)info + 40, "prog");
	strcpy((char *)info + 56, "./prog -x ");
	bytes_put64(aux, AT_PHDR);
	bytes_put64(aux + 8, 0x400040);
	bytes_put64(aux + 16, AT_SYSINFO_EHDR);
	bytes_put64(aux + 24, 0x7ffff000);
	thread_note(m, 100);
	note(m, "CORE", NT_PRPSINFO, info, sizeof info);
	note(m, "CORE", NT_AUXV, aux, sizeof aux);
	files_note(m);
	state_note(m, 3);
	thread_note(m, 101);
	state_note(m, components);
	segment(m, 0, PT_NOTE, notes, 0, m->n - notes);
	segment(m, 1, PT_LOAD, m->n, 0x400000, 4096);
	put(m, page, 4096);
	segment(m, 2, PT_LOAD, m->n, CB, sizeof block);
	put(m, block, sizeof block);
	segment(m, 3, PT_LOAD, m->n, BASE, 1000);
	segment(m, 4, PT_LOAD, m->n + 1000, BASE + 1000, sizeof ring - 1000);
	put(m, ring, sizeof ring);
	segment(m, 5, PT_LOAD, m->n, 0x7ffff000, 4096);
	put(m, page, 4096);
}

static void core_is_read(void **arg)
{
	static struct made m;
	struct recording r;
	char why[256] = "";

	(void)arg;
	make_core(&m, UINT64_C(1) << 62 | 3);
	if (recording_read(&r, m.bytes, m.n, NULL, 0, why, sizeof why) == -1)
		fail_msg("%s", why);
	assert_false(r.is_own);
	assert_int_equal(r.pid, 100);
	assert_string_equal(r.command, "./prog -x");
	assert_string_equal(r.program, "/bin/prog");
	assert_int_equal(r.event_offset, LWP_EVENT_OFFSET);
	assert_int_equal(r.event_size, LWP_EVENT_SIZE);
	assert_int_equal(r.nthread, 2);
	assert_int_equal(r.thread[1].tid, 101);
	assert_int_equal(r.nring, 1);
	assert_int_equal(r.ring[0].tid, 101);
	assert_int_equal(r.ring[0].cb, CB);
	assert_int_equal(r.ring[0].base, BASE);
	assert_int_equal(r.ring[0].size, sizeof ring);
	assert_memory_equal(r.ring[0].bytes, ring, sizeof ring);
	assert_memory_equal(r.ring[0].block, block, sizeof block);
	assert_memory_equal(r.ring[0].state, state, sizeof state);
	assert_int_equal(r.nmapping, 6);
	assert_int_equal(r.mapping[0].build_id_size, 20);
	assert_int_equal(r.mapping[1].offset, 3 * 4096);
	assert_int_equal(r.mapping[1].build_id_size, 20);
	assert_null(r.mapping[2].path);
	assert_string_equal(r.mapping[3].path, "[vdso]");
	assert_int_equal(r.mapping[3].build_id_size, 20);
	recording_free(&r);
}

/* Without LWP state the caller names the LWPCB; a name twice, or of no memory. */
static void block_is_named(void **arg)
{
	static struct made m;
	const uint64_t cb[] = {CB, CB}, none[] = {CB, 0x1234};
	struct recording r;
	char why[256] = "";

	(void)arg;
	make_core(&m, 7);
	assert_int_equal(recording_read(&r, m.bytes, m.n, NULL, 0, why, sizeof why), 0);
	assert_int_equal(r.nring, 0);
	recording_free(&r);
	assert_int_equal(recording_read(&r, m.bytes, m.n, cb, 2, why, sizeof why), 0);
	assert_int_equal(r.nring, 1);
	assert_int_equal(r.ring[0].tid, 0);
	assert_int_equal(r.ring[0].size, sizeof ring);
	assert_memory_equal(r.ring[0].bytes, ring, sizeof ring);
	assert_null(r.ring[0].state);
	recording_free(&r);
	assert_int_equal(recording_read(&r, m.bytes, m.n, none, 2, why, sizeof why), -1);
	assert_int_equal(errno, ENOENT);
	assert_non_null(strstr(why, "0x1234"));
}

/* A file that ends early is read as far as it goes, or refused; the ring is cut. */
static void file_may_be_cut(void **arg)
{
	static struct made m;
	struct recording r;
	char why[256];
	size_t n, read = 0, cut = 0;

	(void)arg;
	make_core(&m, UINT64_C(1) << 62);
	for (size_t i = 0; i < m.n; i++) {
		uint8_t *copy = malloc(i ? i : 1);

		memcpy(copy, m.bytes, i);
		why[0] = '\0';
		if (recording_read(&r, copy, i, NULL, 0, why, sizeof why) == -1) {
			assert_true(errno == ENOEXEC || errno == EINVAL);
			assert_true(why[0]);
		} else {
			read++;
			cut += r.nring && r.ring[0].size && r.ring[0].size < sizeof ring;
			recording_free(&r);
		}
		free(copy);
	}
	assert_int_equal(cut, sizeof ring - 1);
	assert_true(read > cut);
	uint8_t *file = written(&whole, &n);
	for (size_t i = 0; i < n; i += i < 8192 ? 1 : 61) {
		uint8_t *copy = malloc(i ? i : 1);

		memcpy(copy, file, i);
		if (recording_read(&r, copy, i, NULL, 0, why, sizeof why) == 0)
			recording_free(&r);
		free(copy);
	}
	free(file);
}

/* Lines of our own note that are damaged, and what is reported. */
static const struct {
	int line;
	const char *text, *why; /* why NULL: the line is read */
} lines[] = {
	{__LINE__, "", NULL},
	{__LINE__, "version=1", NULL},
	{__LINE__, "version=2", "version=2"},
	{__LINE__, "pid=", "pid="},
	{__LINE__, "pid=-1", "pid=-1"},
	{__LINE__, "pid=4294967296", "pid=4294967296"},
	{__LINE__, "pid=1x", "pid=1x"},
	{__LINE__, "unknown=x\n\nfuture", NULL},
	{__LINE__, "event_size=31", "event_size=31"},
	{__LINE__, "line_size=48", "line_size=48"},
	{__LINE__, "line_size=0", "line_size=0"},
	{__LINE__, "event_size=256", "event_size=256"},
	{__LINE__, "event_offset=256", "event_offset=256"},
	{__LINE__, "cpuid=1 2 3", "cpuid=1 2 3"},
	{__LINE__, "thread=", "thread="},
	{__LINE__, "thread=5", NULL},
	{__LINE__, "event=1 2 3 name", "event=1 2 3 name"},
	{__LINE__, "event=256 2 3 name source", "event=256"},
	{__LINE__, "event=255 2 - name source", NULL},
	{__LINE__, "ring=1 2 3 4 5 6", "ring=1 2 3 4 5 6"},
	{__LINE__, "ring=1 2 3 0xffffffffffffffff 10 99999999999 7", NULL},
	{__LINE__, "mapping=1 1 0 - /x", "mapping=1 1 0 - /x"},
	{__LINE__, "mapping=1 2 0 abc /x", "abc"},
	{__LINE__, "mapping=1 2 0 zz /x", "zz"},
	{__LINE__, "mapping=1 2 0 \\xff/x", "mapping="},
	{__LINE__, "mapping=1 2", "mapping=1 2"},
	{__LINE__, "mapping=1 2 0 00ff", NULL},
	{__LINE__, "command=a\\1b\\0404\\", NULL},
	{__LINE__, "version=1\npid=x\n", "pid=x"},
};

static void lines_are_checked(void **arg)
{
	static struct made m;
	struct recording r;
	char why[256];

	(void)arg;
	for (size_t i = 0; i < LEN(lines); i++) {
		begin(&m);
		const size_t notes = m.n;
		note(&m, "OpenCPC", 0x4c570001, lines[i].text, strlen(lines[i].text));
		segment(&m, 0, PT_NOTE, notes, 0, m.n - notes);
		why[0] = '\0';
		const int got =
			recording_read(&r, m.bytes, m.n, NULL, 0, why, sizeof why);
		if (got != (lines[i].why ? -1 : 0) ||
		    (got && (errno != EINVAL || !strstr(why, lines[i].why))))
			fail_msg("line %d: %d, %s", lines[i].line, got, why);
		if (got == 0)
			recording_free(&r);
	}
}

/* Changes of single bytes of a core, and what is reported. */
static const struct {
	int line;
	size_t at;
	uint8_t value;
	int error; /* 0: the core is read */
	const char *why;
} changes[] = {
	{__LINE__, 0, 'E', ENOEXEC, "not an ELF core file"},
	{__LINE__, EI_CLASS, ELFCLASS32, ENOEXEC, "not of x86-64"},
	{__LINE__, EI_DATA, ELFDATA2MSB, ENOEXEC, "not of x86-64"},
	{__LINE__, 18, EM_386, ENOEXEC, "not of x86-64"},
	{__LINE__, 16, ET_EXEC, ENOEXEC, "not a core file"},
	{__LINE__, 33, 0xff, EINVAL, NULL},
	{__LINE__, 54, 57, EINVAL, "program headers have a wrong size"},
	{__LINE__, 57, 0xff, EINVAL, "ends within the program headers"},
	/* The size of the notes: the last one is cut. */
	{__LINE__, 64 + 32, 1, EINVAL, "within a note"},
};

static void damage_is_reported(void **arg)
{
	static struct made m;
	struct recording r;
	char why[256];

	(void)arg;
	for (size_t i = 0; i < LEN(changes); i++) {
		make_core(&m, 3);
		m.bytes[changes[i].at] = changes[i].value;
		why[0] = '\0';
		const int got =
			recording_read(&r, m.bytes, m.n, NULL, 0, why, sizeof why);
		if (got == 0)
			recording_free(&r);
		if (got != (changes[i].error ? -1 : 0) ||
		    (got && errno != changes[i].error) ||
		    (changes[i].why && !strstr(why, changes[i].why)))
			fail_msg("line %d: %d, %s", changes[i].line, got, why);
	}
}

/* The list of mapped files: its number of files, and the end of its last name. */
static void files_are_checked(void **arg)
{
	static const uint8_t begin_of_list[16] = {2, 0, 0, 0, 0, 0, 0, 0, 0, 0x10};
	static struct made m;
	struct recording r;
	char why[256];

	(void)arg;
	make_core(&m, 3);
	uint8_t *list = memmem(m.bytes, m.n, begin_of_list, sizeof begin_of_list);
	assert_non_null(list);
	list[0] = 4;
	assert_int_equal(recording_read(&r, m.bytes, m.n, NULL, 0, why, sizeof why), -1);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(why, "its list of mapped files (NT_FILE) is malformed");
	list[0] = 2;
	list[sizeof begin_of_list + 2 * 24 + 2 * 10 - 1] = 'x';
	assert_int_equal(recording_read(&r, m.bytes, m.n, NULL, 0, why, sizeof why), -1);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(why, "its list of mapped files (NT_FILE) is cut");
}

/* A note with counts of an event has a word, and two more words for each count. */
static void counts_are_checked(void **arg)
{
	static const uint8_t words[24];
	static struct made m;
	struct recording r;
	char why[256];

	(void)arg;
	for (size_t size = 0; size <= sizeof words; size++) {
		begin(&m);
		const size_t notes = m.n;
		note(&m, "OpenCPC", 0x4c570001, "event=0 0 - x y", 15);
		note(&m, "OpenCPC", 0x4c570002, words, size);
		segment(&m, 0, PT_NOTE, notes, 0, m.n - notes);
		if (recording_read(&r, m.bytes, m.n, NULL, 0, why, sizeof why) == 0) {
			assert_int_equal(size % 16, 8);
			assert_int_equal(r.ncount, size / 16);
			recording_free(&r);
			continue;
		}
		assert_int_not_equal(size % 16, 8);
		assert_int_equal(errno, EINVAL);
		assert_non_null(strstr(why, "a note with counts is malformed"));
	}
}

/* With 65,535 program headers or more, the first section header has their number. */
static void many_headers_are_read(void **arg)
{
	static struct made m;
	struct recording r;
	char why[256] = "";
	uint8_t section[sizeof(Elf64_Shdr)] = {0};

	(void)arg;
	make_core(&m, UINT64_C(1) << 62);
	bytes_put32(section + offsetof(Elf64_Shdr, sh_info), 6);
	bytes_put64(m.bytes + offsetof(Elf64_Ehdr, e_shoff), m.n);
	bytes_put16(m.bytes + offsetof(Elf64_Ehdr, e_phnum), PN_XNUM);
	put(&m, section, sizeof section);
	if (recording_read(&r, m.bytes, m.n, NULL, 0, why, sizeof why) == -1)
		fail_msg("%s", why);
	assert_int_equal(r.nring, 1);
	assert_int_equal(r.ring[0].size, sizeof ring);
	recording_free(&r);
}

/* Of two segments at one address, the last in the file is read. */
static void segments_may_overlap(void **arg)
{
	static struct made m;
	struct recording r;
	char why[256] = "";

	(void)arg;
	make_core(&m, UINT64_C(1) << 62);
	/* This segment would end after the last address. */
	segment(&m, 1, PT_LOAD, 0, 0x400000, UINT64_MAX);
	segment(&m, 5, PT_LOAD, 0, BASE, 1000);
	if (recording_read(&r, m.bytes, m.n, NULL, 0, why, sizeof why) == -1)
		fail_msg("%s", why);
	assert_int_equal(r.nring, 1);
	assert_int_equal(r.ring[0].size, sizeof ring);
	assert_memory_equal(r.ring[0].bytes, ring, sizeof ring);
	recording_free(&r);
}

/* No linker writes a build id of more than 64 bytes. */
static void long_build_ids_are_left_out(void **arg)
{
	static uint8_t head[4096];
	struct recording_mapping m = {.start = 4096};

	(void)arg;
	memcpy(head, page, sizeof head);
	recording_set_head(&m, head, sizeof head);
	assert_int_equal(m.build_id_size, 20);
	m = (struct recording_mapping){.start = 4096};
	bytes_put32(head + 260, 65);
	bytes_put64(head + 64 + 32, 16 + 68);
	recording_set_head(&m, head, sizeof head);
	assert_int_equal(m.build_id_size, 0);
	assert_null(m.build_id);
	assert_ptr_equal(m.head, head);
}

/* The facts about this very process. */
static void process_is_described(void **arg)
{
	struct recording r;

	(void)arg;
	assert_return_code(recording_of_process(&r, getpid()), errno);
	assert_int_equal(r.pid, getpid());
	assert_int_equal(r.nthread, 1);
	assert_int_equal(r.thread[0].tid, getpid());
	size_t code = 0;
	for (size_t i = 0; i < r.nmapping; i++) {
		assert_true(r.mapping[i].start < r.mapping[i].end);
		if ((uintptr_t)process_is_described >= r.mapping[i].start &&
		    (uintptr_t)process_is_described < r.mapping[i].end)
			code = i;
	}
	assert_string_equal(r.mapping[code].path, r.program);
	assert_non_null(strstr(r.command, "recording"));
	assert_non_null(r.auxv);
	recording_free(&r);
	assert_int_equal(recording_of_process(&r, -1), -1);
	assert_int_equal(errno, ENOENT);
}

/* The list of the mappings is longer than what is read at first. */
static void all_mappings_are_read(void **arg)
{
	enum { PAIRS = 1500 };
	const size_t size = 2 * PAIRS * (size_t)4096;
	uint8_t *pages = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct recording r;
	size_t n = 0;

	(void)arg;
	assert_ptr_not_equal(pages, MAP_FAILED);
	for (size_t i = 0; i < PAIRS; i++)
		assert_return_code(mprotect(pages + 2 * i * 4096, 4096, PROT_READ),
				   errno);
	assert_return_code(recording_of_process(&r, getpid()), errno);
	for (size_t i = 0; i < r.nmapping; i++)
		n += r.mapping[i].start >= (uintptr_t)pages &&
		     r.mapping[i].end <= (uintptr_t)pages + size;
	assert_int_equal(n, 2 * PAIRS);
	recording_free(&r);
	munmap(pages, size);
}

static void errors_of_write_are_returned(void **arg)
{
	(void)arg;
	assert_int_equal(recording_write(-1, &whole), -1);
	assert_int_equal(errno, EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_read_as_written),
		cmocka_unit_test(empty_is_read),
		cmocka_unit_test(core_is_read),
		cmocka_unit_test(block_is_named),
		cmocka_unit_test(file_may_be_cut),
		cmocka_unit_test(lines_are_checked),
		cmocka_unit_test(damage_is_reported),
		cmocka_unit_test(files_are_checked),
		cmocka_unit_test(counts_are_checked),
		cmocka_unit_test(many_headers_are_read),
		cmocka_unit_test(segments_may_overlap),
		cmocka_unit_test(long_build_ids_are_left_out),
		cmocka_unit_test(process_is_described),
		cmocka_unit_test(all_mappings_are_read),
		cmocka_unit_test(errors_of_write_are_returned),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
