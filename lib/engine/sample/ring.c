#include "engine/sample/ring.h"

#include <linux/perf_event.h>
#include <string.h>

/* Longer records are cut: a path has at most 4096 bytes, and a stack 32 branches. */
enum { HEADER = 8, MAX_RECORD = 8192 };

/* The bytes of a record that are not read yet. */
struct body {
	const unsigned char *at, *end;
	int cut; /* more was read than there is */
};

/* What became of a sample. */
enum outcome { STORED, IGNORED, MISSED };

static void take(struct body *b, void *to, size_t n)
{
	if ((size_t)(b->end - b->at) < n) {
		memset(to, 0, n);
		b->at = b->end;
		b->cut = 1;
		return;
	}
	memcpy(to, b->at, n);
	b->at += n;
}

static uint64_t take64(struct body *b)
{
	uint64_t v;

	take(b, &v, sizeof v);
	return v;
}

static uint32_t take32(struct body *b)
{
	uint32_t v;

	take(b, &v, sizeof v);
	return v;
}

/* ---- Kinds */

int sample_kind_is_ibs(enum sample_kind kind)
{
	return kind == SAMPLE_IBS_BRANCH || kind == SAMPLE_IBS_LOAD;
}

uint64_t sample_kind_type(enum sample_kind kind)
{
	static const uint64_t more[] = {
		[SAMPLE_PLAIN] = 0,
		[SAMPLE_BRANCHES] = PERF_SAMPLE_BRANCH_STACK,
		[SAMPLE_LOADS] =
			PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC,
		[SAMPLE_IBS_BRANCH] = PERF_SAMPLE_RAW,
		[SAMPLE_IBS_LOAD] = PERF_SAMPLE_RAW,
	};

	return PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
	       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | more[kind];
}

/* ---- Branches */

/* The newest branch is the first; stacks have taken branches only. */
static enum outcome read_branches(struct body *b, lwp_record_t *r)
{
	enum { MISPREDICTED = 1, PREDICTED = 2 };
	const uint64_t n = take64(b), from = take64(b), to = take64(b);
	const uint64_t flags = take64(b);

	if (!n || b->cut)
		return MISSED;
	r->ip = from;
	r->data2 = to;
	r->flags = (uint16_t)(LWP_BRE_TKN |
			      (flags & (MISPREDICTED | PREDICTED) ? LWP_BRE_PRV : 0) |
			      (flags & PREDICTED ? LWP_BRE_PRD : 0));
	return STORED;
}

/* ---- Loads */

/*
 * Where the data of a load came from, by union perf_mem_data_src. Old kernels give bits
 * of mem_lvl alone, new ones a number in mem_lvl_num too. An L2 hit has no source in LWP.
 */
static const struct {
	unsigned level;	 /* PERF_MEM_LVL_* */
	unsigned number; /* PERF_MEM_LVLNUM_* of Linux 6 */
	unsigned source;
} origins[] = {
	{PERF_MEM_LVL_LFB, 0xc, LWP_SRC_NONE},
	{PERF_MEM_LVL_L2, 0x2, LWP_SRC_NONE},
	{PERF_MEM_LVL_L3, 0x3, LWP_SRC_L3},
	{PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2, 0x4, LWP_SRC_REMOTE},
	{PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2, 0xd,
	 LWP_SRC_DRAM},
	{0, 0xe, LWP_SRC_DRAM}, /* persistent memory */
	{0, 0x9, LWP_SRC_DRAM}, /* CXL */
	{PERF_MEM_LVL_IO, 0xa, LWP_SRC_OTHER},
	{PERF_MEM_LVL_UNC, 0x8, LWP_SRC_OTHER},
};

static uint16_t load_flags(uint64_t address, unsigned source)
{
	return (uint16_t)((address ? LWP_DME_DAV : 0) | source << 13);
}

static enum outcome read_load(struct body *b, uint64_t address, lwp_record_t *r)
{
	const uint64_t latency = take64(b), source = take64(b);
	const unsigned level = source >> PERF_MEM_LVL_SHIFT & 0x3fff;
	const unsigned number = source >> 33 & 0xf, known = level & ~1u;

	if (b->cut)
		return MISSED;
	if (known & PERF_MEM_LVL_L1 || (!known && number == 1) ||
	    !(source & PERF_MEM_OP_LOAD))
		return IGNORED;
	r->data1 = latency > UINT32_MAX ? UINT32_MAX : (uint32_t)latency;
	r->data2 = address;
	for (unsigned i = 0; i < sizeof origins / sizeof *origins; i++)
		if (known ? known & origins[i].level : number == origins[i].number) {
			r->flags = load_flags(address, origins[i].source);
			return STORED;
		}
	/* The processor does not say whether the load missed. */
	return MISSED;
}

/* ---- IBS */

/* The registers of an op, in the order of the raw bytes after the capabilities. */
enum { CTL, RIP, DATA, DATA2, DATA3, LINEAR, PHYSICAL, TARGET, IBS_WORDS };

struct ibs {
	uint32_t capabilities; /* CPUID 8000_001B EAX */
	uint64_t word[IBS_WORDS];
};

static int bit(uint64_t word, unsigned n)
{
	return word >> n & 1;
}

/*
 * Bits of IbsOpData: 35 taken, 36 mispredicted, 37 retired branch, 39 fused. The word
 * behind the other registers is the target only if the processor reports targets.
 */
static enum outcome read_ibs_branch(const struct ibs *i, lwp_record_t *r)
{
	enum { HAS_TARGET = 5 };
	const uint64_t d = i->word[DATA];

	if (!bit(d, 37))
		return IGNORED;
	r->flags = (uint16_t)(LWP_BRE_PRV | (bit(d, 35) ? LWP_BRE_TKN : 0) |
			      (bit(d, 36) ? 0 : LWP_BRE_PRD) |
			      (bit(d, 39) ? LWP_BRE_FUS : 0));
	if (bit(d, 35) && !bit(i->capabilities, HAS_TARGET))
		return MISSED;
	r->data2 = bit(d, 35) ? i->word[TARGET] : 0;
	return STORED;
}

/*
 * Bits of IbsOpData3: 0 load, 7 missed the data cache, 17 linear address valid, 32 to 47
 * latency; of IbsOpData2: 0 to 2 and 6 to 7 the source.
 */
static enum outcome read_ibs_load(const struct ibs *i, lwp_record_t *r)
{
	static const uint8_t sources[32] = {
		[1] = LWP_SRC_L3,     [2] = LWP_SRC_REMOTE, [3] = LWP_SRC_DRAM,
		[5] = LWP_SRC_REMOTE, [6] = LWP_SRC_DRAM,   [7] = LWP_SRC_OTHER,
		[8] = LWP_SRC_DRAM,   [12] = LWP_SRC_OTHER,
	};
	const uint64_t d2 = i->word[DATA2], d3 = i->word[DATA3];
	const uint64_t address = bit(d3, 17) ? i->word[LINEAR] : 0;

	if (!bit(d3, 0) || !bit(d3, 7))
		return IGNORED;
	r->data1 = d3 >> 32 & 0xffff;
	r->data2 = address;
	r->flags = load_flags(address, sources[(d2 & 7) | (d2 >> 6 & 3) << 3]);
	return STORED;
}

static enum outcome read_ibs(struct body *b, enum sample_kind kind, lwp_record_t *r)
{
	enum { RIP_INVALID = 38 };
	struct ibs i = {.word = {0}};
	const uint32_t size = take32(b);
	uint32_t left = size;

	if (size < 4 + 8 * TARGET || (size_t)(b->end - b->at) < size)
		return MISSED;
	i.capabilities = take32(b);
	left -= 4;
	for (unsigned w = 0; w < IBS_WORDS && left >= 8; w++, left -= 8)
		i.word[w] = take64(b);
	const enum outcome o =
		kind == SAMPLE_IBS_BRANCH ? read_ibs_branch(&i, r) : read_ibs_load(&i, r);
	if (o == STORED && bit(i.word[DATA], RIP_INVALID))
		return MISSED;
	r->ip = i.word[RIP];
	return o;
}

/* ---- Records of the ring */

static const struct sample_format *find(const struct sample_ring *r, uint64_t id)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->format[i].id == id)
			return &r->format[i];
	return NULL;
}

static enum outcome read_sample(const struct sample_ring *ring, struct body *b,
				int is_user, lwp_record_t *r)
{
	const struct sample_format *f = find(ring, take64(b));
	uint64_t address = 0;

	if (!f)
		return MISSED;
	*r = (lwp_record_t){.id = f->event, .ip = take64(b)};
	take64(b); /* process and thread, which are known */
	r->timestamp = take64(b);
	if (f->kind == SAMPLE_LOADS)
		address = take64(b);
	r->core = (uint8_t)take32(b);
	take32(b);
	if (b->cut)
		return MISSED;
	/* Other counters count user mode, but interrupt too late, in system mode. */
	if (!is_user)
		return sample_kind_is_ibs(f->kind) ? IGNORED : MISSED;
	switch (f->kind) {
	case SAMPLE_BRANCHES:
		return read_branches(b, r);
	case SAMPLE_LOADS:
		return read_load(b, address, r);
	case SAMPLE_IBS_BRANCH:
	case SAMPLE_IBS_LOAD:
		return read_ibs(b, f->kind, r);
	default:
		return STORED;
	}
}

static void on_sample(struct sample_ring *ring, struct body *b, unsigned misc,
		      const struct sample_handler *to)
{
	const int is_user =
		(misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
	lwp_record_t record;

	switch (read_sample(ring, b, is_user, &record)) {
	case STORED:
		to->record(to->arg, &record);
		break;
	case MISSED:
		ring->missed++;
		break;
	case IGNORED:
		break;
	}
}

/* Returns the text at the end of a record, or NULL if it is not ended. */
static const char *text(const struct body *b)
{
	return !b->cut && memchr(b->at, '\0', (size_t)(b->end - b->at))
		       ? (const char *)b->at
		       : NULL;
}

static void on_mapping(struct sample_ring *ring, struct body *b,
		       const struct sample_handler *to)
{
	struct sample_mapping m = {.start = 0};

	take64(b); /* process and thread */
	m.start = take64(b);
	m.end = m.start + take64(b);
	m.offset = take64(b);
	m.major = take32(b);
	m.minor = take32(b);
	m.inode = take64(b);
	take64(b); /* generation of the inode */
	take64(b); /* protection and flags */
	m.path = text(b);
	if (!m.path || m.end <= m.start) {
		ring->ring.broken++;
		return;
	}
	if (strcmp(m.path, "//anon") == 0)
		m.path = NULL;
	if (!ring->executed)
		to->mapping(to->arg, &m);
}

static void on_name(struct sample_ring *ring, struct body *b, unsigned misc,
		    const struct sample_handler *to)
{
	take32(b);
	const pid_t tid = (pid_t)take32(b);
	const char *name = text(b);

	ring->executed |= (misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
	if (!name)
		ring->ring.broken++;
	else if (!ring->executed)
		to->name(to->arg, tid, name);
}

void sample_ring_read(struct sample_ring *r, uint64_t head,
		      const struct sample_handler *to)
{
	unsigned char record[MAX_RECORD];
	unsigned len;

	while ((len = kernel_ring_next(&r->ring, head, record, sizeof record))) {
		struct body header = {record, record + HEADER, 0};
		struct body body = {record + HEADER, record + len, 0};
		const uint32_t type = take32(&header);
		const unsigned misc = take32(&header) & 0xffff;

		if (type == PERF_RECORD_SAMPLE)
			on_sample(r, &body, misc, to);
		else if (type == PERF_RECORD_MMAP2)
			on_mapping(r, &body, to);
		else if (type == PERF_RECORD_COMM)
			on_name(r, &body, misc, to);
	}
}
