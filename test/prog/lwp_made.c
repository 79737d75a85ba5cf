/*
 * lwp_made PROGRAM first | second: write a recording of two threads of lwp_where to
 * standard output. The first has records of all events that reports know, and exact
 * counts of instructions; the second only exact counts, which differ.
 */
#include <elf.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lwp.h>
#include "base/bytes.h"
#include "lwp/recording.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

enum { SLOTS = 256, PAGE = 4096, MOST_MAPPINGS = 16 };

static uint8_t file[1 << 20];

/* Return the address of a symbol of the program. */
static uint64_t find(const char *name)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)file;
	const Elf64_Shdr *section = (const Elf64_Shdr *)(file + e->e_shoff);

	for (unsigned i = 0; i < e->e_shnum; i++) {
		const Elf64_Sym *s = (const Elf64_Sym *)(file + section[i].sh_offset);

		if (section[i].sh_type != SHT_SYMTAB)
			continue;
		const char *names =
			(const char *)file + section[section[i].sh_link].sh_offset;

		for (size_t k = 0; k < section[i].sh_size / sizeof *s; k++)
			if (strcmp(names + s[k].st_name, name) == 0)
				return s[k].st_value;
	}
	errx(1, "the program has no symbol %s", name);
}

/* Fill the mappings of the program's segments. Returns their number. */
static size_t make_mappings(struct recording_mapping *m, const char *path)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)file;
	const Elf64_Phdr *p = (const Elf64_Phdr *)(file + e->e_phoff);
	size_t n = 0;

	for (unsigned i = 0; i < e->e_phnum && n < MOST_MAPPINGS; i++) {
		const uint64_t start = p[i].p_vaddr & -(uint64_t)PAGE;

		if (p[i].p_type != PT_LOAD || !p[i].p_filesz)
			continue;
		m[n++] = (struct recording_mapping){
			.start = start,
			.end = (p[i].p_vaddr + p[i].p_filesz + PAGE - 1) &
			       -(uint64_t)PAGE,
			.offset = p[i].p_offset & -(uint64_t)PAGE,
			.path = path};
	}
	return n;
}

struct ring {
	uint8_t block[LWP_EVENT_OFFSET + 8 * LWP_MAX_EVENTS];
	uint8_t bytes[SLOTS * LWP_EVENT_SIZE];
	unsigned n;
};

static void add(struct ring *r, lwp_record_t record)
{
	record.timestamp = 1000 + r->n;
	lwp_record_encode(r->bytes + r->n++ * LWP_EVENT_SIZE, &record);
}

static uint16_t source(unsigned s)
{
	return (uint16_t)(s << 13 | LWP_DME_DAV);
}

/* Records of the first thread. */
static void fill_main(struct ring *r, uint64_t alpha, uint64_t beta, uint64_t table)
{
	add(r, (lwp_record_t){.id = LWP_EVENT_INS, .ip = alpha, .flags = 1, .data2 = 7});
	for (unsigned i = 0; i < 40; i++) {
		add(r, (lwp_record_t){.id = LWP_EVENT_DME,
				      .ip = alpha + 16,
				      .flags = source(i % 4 ? LWP_SRC_L3 : LWP_SRC_DRAM),
				      .data1 = 20 + i * 4,
				      .data2 = table + i * 8});
		add(r, (lwp_record_t){.id = LWP_EVENT_BRE,
				      .ip = alpha + 32,
				      .flags = (uint16_t)(LWP_BRE_PRV |
							  (i % 8 ? LWP_BRE_PRD : 0) |
							  (i % 4 ? LWP_BRE_TKN : 0)),
				      .data2 = i % 4 ? beta : alpha + 34});
		add(r, (lwp_record_t){.id = LWP_EVENT_VAL,
				      .ip = beta,
				      .flags = 3,
				      .data1 = 1,
				      .data2 = i % 5 ? 16 : i});
	}
	add(r, (lwp_record_t){.id = LWP_EVENT_INS, .ip = beta, .flags = 2, .data2 = 8});
}

/* Records of the second thread, which uses the counters in the same line as the first. */
static void fill_helper(struct ring *r, uint64_t beta, uint64_t table, uint64_t counters)
{
	for (unsigned i = 0; i < 8; i++)
		add(r, (lwp_record_t){.id = LWP_EVENT_DME,
				      .ip = beta + 16,
				      .core = 1,
				      .flags = source(LWP_SRC_REMOTE),
				      .data1 = 200,
				      .data2 = i % 2 ? counters + i : table + 4});
}

static struct recording_ring ring_of(struct ring *r, pid_t tid)
{
	bytes_put32(r->block + LWP_BLOCK_SIZE, sizeof r->bytes);
	bytes_put32(r->block + LWP_BLOCK_HEAD, r->n * LWP_EVENT_SIZE);
	return (struct recording_ring){.tid = tid,
				       .block = r->block,
				       .block_size = sizeof r->block,
				       .bytes = r->bytes,
				       .size = sizeof r->bytes};
}

static void read_program(const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f || fread(file, 1, sizeof file, f) < sizeof(Elf64_Ehdr))
		err(1, "cannot read %s", path);
	fclose(f);
}

int main(int argc, char **argv)
{
	static struct ring memory[2];
	static struct recording_thread thread[] = {{501, "main"}, {502, "helper"}};
	static struct recording_event event[] = {
		{LWP_EVENT_IRE, "ire", "simulated r10000", 100, 0},
		{LWP_EVENT_BRE, "bre", "simulated r10000", 10, 400},
		{LWP_EVENT_DME, "dme", "simulated r10000", 1, 48},
		{LWP_EVENT_VAL, "val", "emulated LWP instructions", 1, 40},
		{LWP_EVENT_INS, "ins", "emulated LWP instructions", 1, 2},
	};
	struct recording_mapping mapping[MOST_MAPPINGS];

	if (argc != 3)
		errx(2, "usage: lwp_made PROGRAM first | second");
	const int second = strcmp(argv[2], "second") == 0;

	read_program(argv[1]);
	const uint64_t alpha = find("alpha"), beta = find("beta"), table = find("table");
	struct recording_count count[] = {{alpha, 0, second ? 500 : 600},
					  {alpha + 16, 0, 3000},
					  {beta, 0, second ? 1900 : 400}};

	fill_main(&memory[0], alpha, beta, table);
	fill_helper(&memory[1], beta, table, find("counters"));
	struct recording_ring ring[] = {ring_of(&memory[0], 501),
					ring_of(&memory[1], 502)};
	for (size_t i = 0; i < LEN(count); i++)
		event[0].events += count[i].count;
	const struct recording r = {
		.pid = 501,
		.command = "where --fast",
		.program = argv[1],
		.unix_ns = 1795000000000000000,
		.event_offset = LWP_EVENT_OFFSET,
		.event_size = LWP_EVENT_SIZE,
		.clock = "instructions",
		.is_own = 1,
		.mapping = mapping,
		.nmapping = make_mappings(mapping, argv[1]),
		.thread = thread,
		.nthread = LEN(thread),
		.ring = ring,
		.nring = second ? 0 : 2,
		.event = event,
		.nevent = second ? 1 : LEN(event),
		.count = count,
		.ncount = LEN(count),
	};

	if (recording_write(STDOUT_FILENO, &r) == -1)
		err(1, "cannot write the recording");
	return 0;
}
