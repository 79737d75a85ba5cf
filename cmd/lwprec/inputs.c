#include "inputs.h"

#include <elf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lwp.h>
#include "common/status.h"
#include "options_table.h"

uint64_t input_number(const struct options_command *command, const char *option,
		      const char *text, uint64_t max)
{
	char *end;
	errno = 0;
	const uint64_t v = strtoull(text, &end, 0);

	if (*text < '0' || *text > '9' || *end || errno || v > max)
		options_bad_long(command, "%s: '%s' is not a number from 0 to %#llx",
				 option, text, (unsigned long long)max);
	return v;
}

/* The fields of CPUID have 8 bits; a record has at least 32 bytes, LWPCB fields 88. */
static unsigned event_number(const struct options_command *command, const char *option,
			     unsigned min)
{
	const unsigned v = (unsigned)input_number(command, option, optarg, 255);

	if (v < min)
		options_bad_long(command, "%s: '%s' is less than %u", option, optarg,
				 min);
	return v;
}

int input_option(struct input_options *o, const struct options_command *command, int c)
{
	switch (c) {
	case INPUT_EVENT_OFFSET:
		o->event_offset =
			event_number(command, "--event-offset", LWP_BLOCK_FIXED);
		return 1;
	case INPUT_EVENT_SIZE:
		o->event_size = event_number(command, "--event-size", LWP_EVENT_SIZE);
		return 1;
	case INPUT_HEAD:
		o->has_head = 1;
		o->head = (uint32_t)input_number(command, "--head", optarg, UINT32_MAX);
		return 1;
	case INPUT_LWPCB:
		options_add_spec(&o->lwpcb, &o->nlwpcb, optarg);
		return 1;
	case INPUT_RAW:
		o->raw = 1;
		return 1;
	case INPUT_TAIL:
		o->has_tail = 1;
		o->tail = (uint32_t)input_number(command, "--tail", optarg, UINT32_MAX);
		return 1;
	default:
		return 0;
	}
}

void input_check(const struct input_options *o, const struct options_command *command,
		 pid_t pid)
{
	if (o->raw && pid)
		options_bad_long(command, "--raw and -p cannot be used together");
	if (o->raw && o->nlwpcb > 1)
		options_bad_long(command, "a ring has one LWPCB: give one --lwpcb");
	if (!o->raw && (o->has_head || o->has_tail))
		options_bad_long(command, "--head and --tail are used with --raw only");
	if (pid && !o->nlwpcb)
		options_bad_long(command,
				 "-p: give the address of an LWPCB with --lwpcb");
	for (unsigned i = 0; i < o->nlwpcb && !o->raw; i++)
		input_number(command, "--lwpcb", o->lwpcb[i], UINT64_MAX);
}

void input_options_free(struct input_options *o)
{
	free(o->lwpcb);
	*o = (struct input_options){0};
}

/* The largest ring has 28 bits for its size. */
enum { LARGEST_RING = UINT32_MAX / 16 };

/* Is reading on useless, because the bytes so far can be neither a core nor a ring? */
static int is_hopeless(const struct input *in, int raw)
{
	if (raw)
		return in->size > LARGEST_RING;
	return in->size >= SELFMAG && memcmp(in->file, ELFMAG, SELFMAG) != 0;
}

/* Read a stream whose size is not known, and may be endless. Returns -1 with errno. */
static int read_stream(struct input *in, int fd, int raw)
{
	size_t room = 0;
	ssize_t n;

	do {
		if (in->size == room) {
			room = room ? 2 * room : 1 << 20;
			uint8_t *grown = realloc(in->file, room);
			if (!grown)
				return -1;
			in->file = grown;
		}
		n = read(fd, in->file + in->size, room - in->size);
		if (n > 0)
			in->size += (size_t)n;
		if (is_hopeless(in, raw))
			return 0;
	} while (n > 0 || (n == -1 && errno == EINTR));
	return n == 0 ? 0 : -1;
}

/* Map a regular file, or read another one. Returns -1 with errno. */
static int read_fd(struct input *in, int fd, int raw)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return -1;
	if (!S_ISREG(st.st_mode) || st.st_size == 0 || lseek(fd, 0, SEEK_CUR) != 0)
		return read_stream(in, fd, raw);
	void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return read_stream(in, fd, raw);
	in->file = p;
	in->size = (size_t)st.st_size;
	in->mapped = 1;
	return 0;
}

static void read_file(struct input *in, const char *path, int raw)
{
	const int is_stdin = strcmp(path, "-") == 0;

	in->name = is_stdin ? "standard input" : path;
	const int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		err(EXIT_TOOL, "cannot open '%s'", path);
	if (read_fd(in, fd, raw) == -1)
		err(EXIT_TOOL, "cannot read %s", in->name);
	if (!is_stdin)
		close(fd);
}

/*
 * The number of records from the start on: up to the first slot without one. The last
 * one may be cut short.
 */
static size_t count_leading(const struct input *in, size_t event_size)
{
	size_t n = 0;

	while (n * event_size < in->size && in->file[n * event_size])
		n++;
	return n;
}

/*
 * Make the LWPCB of a ring that is alone in its file. Where neither head nor tail are
 * given, the records are those from the start up to the first slot without a record. If
 * there is none, the ring must have had another slot, since one always stays free.
 */
static void make_block(struct input *in, const struct input_options *o)
{
	lwp_block_t b = {.buffer_size = (uint32_t)in->size,
			 .head = o->head,
			 .tail = o->tail,
			 .events = LWP_MAX_EVENTS};
	lwp_features_t f;

	recording_features(&in->recording, &f);
	if (!o->has_head && !o->has_tail) {
		const size_t n = count_leading(in, f.event_size);

		b.head = (uint32_t)(n * f.event_size);
		if (b.head + f.event_size > in->size)
			b.buffer_size = b.head + f.event_size;
	}
	in->ring.block_size = f.event_offset + (size_t)8 * LWP_MAX_EVENTS;
	in->block = calloc(1, in->ring.block_size);
	if (!in->block || lwp_block_encode(in->block, in->ring.block_size, &b, &f) == -1)
		err(EXIT_TOOL, "cannot read %s", in->name);
}

/* Read the LWPCB of a ring from a file; --head and --tail change the LWPCB. */
static void read_block(struct input *in, const struct input_options *o)
{
	struct input file = {0};
	uint8_t head[4], tail[4];

	read_file(&file, o->lwpcb[0], 1);
	if (file.size < LWP_BLOCK_FIXED)
		errx(EXIT_TOOL, "%s has %zu bytes, and an LWPCB has at least %d",
		     o->lwpcb[0], file.size, LWP_BLOCK_FIXED);
	in->ring.block_size = file.size;
	in->block = malloc(file.size);
	if (!in->block)
		err(EXIT_TOOL, "cannot read %s", o->lwpcb[0]);
	memcpy(in->block, file.file, file.size);
	for (int i = 0; i < 4; i++) {
		head[i] = (uint8_t)(o->head >> 8 * i);
		tail[i] = (uint8_t)(o->tail >> 8 * i);
	}
	if (o->has_head)
		memcpy(in->block + LWP_BLOCK_HEAD, head, sizeof head);
	if (o->has_tail)
		memcpy(in->block + LWP_BLOCK_TAIL, tail, sizeof tail);
	input_close(&file);
}

static void set_sizes(struct recording *r, const struct input_options *o)
{
	if (o->event_offset)
		r->event_offset = o->event_offset;
	if (o->event_size)
		r->event_size = o->event_size;
}

/* Make a recording of a ring that is alone in its file. */
static void read_raw(struct input *in, const struct input_options *o)
{
	struct recording *r = &in->recording;

	if (in->size > LARGEST_RING)
		errx(EXIT_TOOL, "cannot read %s: a ring has less than 256 MiB", in->name);
	r->event_offset = LWP_EVENT_OFFSET;
	r->event_size = LWP_EVENT_SIZE;
	set_sizes(r, o);
	if (o->nlwpcb)
		read_block(in, o);
	else
		make_block(in, o);
	in->ring.block = in->block;
	in->ring.bytes = in->file;
	in->ring.size = in->size;
	r->ring = &in->ring;
	r->nring = 1;
}

static uint64_t *addresses(const struct input_options *o)
{
	uint64_t *cb = calloc(o->nlwpcb + 1, sizeof *cb);

	if (!cb)
		err(EXIT_TOOL, "cannot store the options");
	for (unsigned i = 0; i < o->nlwpcb; i++)
		cb[i] = strtoull(o->lwpcb[i], NULL, 0);
	return cb;
}

static void read_core(struct input *in, const uint64_t *cb, unsigned ncb)
{
	char why[256];

	if (recording_read(&in->recording, in->file, in->size, cb, ncb, why,
			   sizeof why) == -1)
		errx(EXIT_TOOL, "cannot read %s: %s", in->name, why);
}

static void read_process(struct input *in, pid_t pid, const uint64_t *cb, unsigned ncb)
{
	char why[256];

	in->name = "the process";
	if (recording_of_process(&in->recording, pid) == -1)
		err(EXIT_TOOL, "cannot read process %d", (int)pid);
	if (recording_copy_rings(&in->recording, cb, ncb, why, sizeof why) == -1)
		errx(EXIT_TOOL, "cannot read process %d: %s", (int)pid, why);
}

void input_open(struct input *in, const struct input_options *o, const char *path,
		pid_t pid)
{
	*in = (struct input){0};
	if (!pid)
		read_file(in, path, o->raw);
	if (o->raw) {
		read_raw(in, o);
		return;
	}
	uint64_t *cb = addresses(o);
	if (pid)
		read_process(in, pid, cb, o->nlwpcb);
	else
		read_core(in, cb, o->nlwpcb);
	free(cb);
	set_sizes(&in->recording, o);
}

void input_close(struct input *in)
{
	if (in->recording.ring != &in->ring)
		recording_free(&in->recording);
	if (in->mapped)
		munmap(in->file, in->size);
	else
		free(in->file);
	free(in->block);
	*in = (struct input){0};
}
