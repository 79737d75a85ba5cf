/*
 * lwp: records and control blocks of AMD Lightweight Profiling (LWP), which a processor
 * writes into a ring in the memory of the program that it profiles.
 *
 * Source of all layouts: AMD Lightweight Profiling Specification, publication 43724,
 * revision 3.08; section numbers below are its. All values are little endian. Bytes are
 * read and written by offset, and all calls are safe for any bytes. Calls return 0, and
 * on failure -1 with errno set, if nothing else is said.
 */
#ifndef LWP_H
#define LWP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The ids of records (section 2). Other ids are not defined, and are kept as they are. */
#define LWP_EVENT_VAL 1	  /* a value that the LWPVAL instruction sampled */
#define LWP_EVENT_IRE 2	  /* an instruction was retired */
#define LWP_EVENT_BRE 3	  /* a branch was retired */
#define LWP_EVENT_DME 4	  /* a load missed the data cache */
#define LWP_EVENT_CNH 5	  /* the processor clock ticked while not halted */
#define LWP_EVENT_RNH 6	  /* the reference clock ticked while not halted */
#define LWP_EVENT_INS 255 /* the LWPINS instruction stored a record */

#define LWP_MAX_EVENTS 6 /* ids 1 to 6 have an interval and a counter */

/* Bits of lwp_record_t's flags: of branches (section 2.3) and data cache misses (2.4). */
#define LWP_BRE_FUS 0x1000 /* ip is the compare that was fused with the branch */
#define LWP_BRE_PRV 0x2000 /* LWP_BRE_PRD is valid */
#define LWP_BRE_PRD 0x4000 /* the branch was predicted right */
#define LWP_BRE_TKN 0x8000 /* the branch was taken */
#define LWP_DME_DAV 0x1000 /* data2 is the address of the data */

#define LWP_DME_SRC(flags) ((flags) >> 13)

/* The sources of data, LWP_DME_SRC(): 4 to 6 are reserved. */
#define LWP_SRC_NONE   0
#define LWP_SRC_L3     1 /* the local L3 cache */
#define LWP_SRC_REMOTE 2 /* a remote CPU, or its L3 cache */
#define LWP_SRC_DRAM   3
#define LWP_SRC_OTHER  7 /* MMIO, configuration space, PCI, APIC */

/* A record, decoded. Fields that its event does not use are 0 if a processor wrote it. */
typedef struct {
	uint8_t id;	    /* LWP_EVENT_*; 0 is not valid */
	uint8_t core;	    /* normally the initial local APIC id */
	uint16_t flags;	    /* LWP_BRE_*, LWP_DME_*, or the low 16 bits of an immediate */
	uint32_t data1;	    /* DME: latency in cycles; VAL, INS: the r/m32 operand */
	uint64_t ip;	    /* the effective address of the instruction */
	uint64_t data2;	    /* BRE: next ip; DME: data address; VAL, INS: register */
	uint64_t timestamp; /* bytes 24 to 31: of the performance TSC, else 0 */
} lwp_record_t;

/* LwpEventSize: the bytes of a record; LwpEventOffset: where the intervals are. */
#define LWP_EVENT_SIZE	 32
#define LWP_EVENT_OFFSET 128

/*
 * Decode the first 32 bytes at p, which are all that a record of any LwpEventSize
 * defines; encode into them. Neither can fail.
 */
void lwp_record_decode(lwp_record_t *r, const void *p);
void lwp_record_encode(void *p, const lwp_record_t *r);

/*
 * The name of an event in lower case, such as "dme", or NULL if the id is not defined;
 * and the id of a name in any case, or -1.
 */
const char *lwp_event_name(unsigned id);
int lwp_event_find(const char *name);

/* The name of a source of data, such as "dram", or NULL if the value is reserved. */
const char *lwp_source_name(unsigned source);
int lwp_source_find(const char *name);

/*
 * Words of bits with names. Flags are those of the LWPCB, of EAX and EDX of CPUID
 * 8000_001C, and of LWP_CFG; Filters are those of the LWPCB (section 6).
 */
typedef enum {
	LWP_WORD_FLAGS,
	LWP_WORD_FILTERS,
	LWP_WORD_BRE, /* lwp_record_t's flags of a branch */
	LWP_WORD_DME  /* and of a data cache miss, without the source */
} lwp_word_t;

/* The event of an id, 1 to 6; bits 29 and 30 are those of later processors. */
#define LWP_FLAG(id) (UINT32_C(1) << (id))

#define LWP_FLAG_CONT (UINT32_C(1) << 29) /* continuous mode */
#define LWP_FLAG_PTSC (UINT32_C(1) << 30) /* records have timestamps */
#define LWP_FLAG_INT  (UINT32_C(1) << 31) /* interrupt at the threshold */

/* The least latency that is counted, in cycles; 0: there is no such filter. */
#define LWP_FILTER_LATENCY(filters) (((filters)&0xff) * 16)

#define LWP_FILTER_CLF (UINT32_C(1) << 8)  /* count these sources only: */
#define LWP_FILTER_NBC (UINT32_C(1) << 9)  /* LWP_SRC_L3 */
#define LWP_FILTER_RDC (UINT32_C(1) << 10) /* LWP_SRC_REMOTE */
#define LWP_FILTER_RAM (UINT32_C(1) << 11) /* LWP_SRC_DRAM */
#define LWP_FILTER_OTH (UINT32_C(1) << 12) /* LWP_SRC_OTHER */
#define LWP_FILTER_NMB (UINT32_C(1) << 25) /* no mispredicted branches */
#define LWP_FILTER_NPB (UINT32_C(1) << 26) /* none that were predicted right */
#define LWP_FILTER_NAB (UINT32_C(1) << 27) /* no absolute jumps and calls */
#define LWP_FILTER_NCB (UINT32_C(1) << 28) /* no conditional branches */
#define LWP_FILTER_NRB (UINT32_C(1) << 29) /* no relative jumps and calls, returns */
#define LWP_FILTER_IPI (UINT32_C(1) << 30) /* the range is inverted */
#define LWP_FILTER_IPF (UINT32_C(1) << 31) /* count in BaseIP to LimitIP only */

/* The name of a bit in lower case, such as "ipf"; NULL if the bit has none. */
const char *lwp_bit_name(lwp_word_t word, unsigned bit);

/*
 * Write a word as names that are joined by commas, such as "dme,int"; Filters may begin
 * with "minlatency=" and cycles. Bits without a name are one hexadecimal number at the
 * end, and 0 is "0". Writes at most n bytes with the terminating zero, and returns the
 * length of the whole text, as snprintf(3) does.
 */
size_t lwp_word_format(char *text, size_t n, lwp_word_t word, uint32_t value);

/*
 * Read such a text, of names in any case and numbers, which are or-ed. EINVAL: a name is
 * not known, a number has more than 32 bits, or minlatency is not a multiple of 16 from 0
 * to 4080; *value is then unchanged.
 */
int lwp_word_parse(uint32_t *value, lwp_word_t word, const char *text);

/*
 * The most events with an interval and a counter for which a state or a block has room.
 */
#define LWP_MAX_COUNTERS 16

/* Registers EAX, EBX, ECX and EDX of the leaves of CPUID that concern LWP. */
typedef struct {
	uint32_t lwp[4];      /* 8000_001C */
	uint32_t extended[4]; /* 8000_0001 */
	uint32_t xsave[4];    /* 0000_000D, ECX 0 */
	uint32_t area[4];     /* 0000_000D, ECX 62 */
} lwp_cpuid_t;

/* What LWP can do on a processor (section 3.1), and its sizes. */
typedef struct {
	uint8_t has_lwp;   /* 1: the processor has LWP (8000_0001 ECX bit 15) */
	uint8_t has_xsave; /* 1: XCR0 can enable its state (0000_000D EDX bit 30) */
	uint8_t enabled;   /* 1: the system has enabled LWP (EAX bit 0) */
	uint8_t version;
	uint32_t available; /* LWP_FLAG_* that the system has made available (EAX) */
	uint32_t supported; /* LWP_FLAG_* that the processor has (EDX) */

	uint32_t block_size;   /* bytes of an LWPCB, a multiple of 8 up to 2040 */
	uint32_t event_size;   /* LwpEventSize: bytes of a record, at most 255 */
	uint32_t max_events;   /* LwpMaxEvents: events have ids up to this, at most 255 */
	uint32_t event_offset; /* LwpEventOffset: of intervals in an LWPCB, at most 255 */
	uint32_t min_buffer;   /* LwpMinBufferSize: 32 records are one; at most 255 */
	uint8_t latency_bits;  /* LwpLatencyMax: bits of a latency, 0 to 31 */
	uint8_t latency_rounds; /* LwpLatencyRnd: its low bits that are 0, 0 to 7 */

	uint8_t has_data_address;      /* DME records can have the address of the data */
	uint8_t has_branch_prediction; /* NMB and NPB work */
	uint8_t has_ip_filtering;      /* IPF and IPI work */
	uint8_t has_cache_levels;      /* CLF works */
	uint8_t has_cache_latency;     /* the least latency works */

	uint32_t area_size, area_offset; /* of the state in an area of XSAVE, in bytes */
} lwp_features_t;

/* Decode registers of CPUID, and encode them; bits of other features are then 0. */
void lwp_features_decode(lwp_features_t *f, const lwp_cpuid_t *c);
void lwp_features_encode(lwp_cpuid_t *c, const lwp_features_t *f);

/*
 * The features of version 1 with the usual sizes: all is available, and all filters work.
 * They serve where nobody knows the values of CPUID.
 */
void lwp_features_version1(lwp_features_t *f);

/* Read the registers of this processor. ENOTSUP: it is no x86 processor. */
int lwp_cpuid_read(lwp_cpuid_t *c);

/* The latency that stands for all greater ones, in cycles; 0: there are no latencies. */
uint32_t lwp_latency_limit(const lwp_features_t *f);

/*
 * The MSRs (section 3.3). LWP_CBADDR is the linear address of the active LWPCB, and 0 if
 * LWP is off; the only value that may be written is 0.
 */
#define LWP_MSR_CFG    0xc0000105
#define LWP_MSR_CBADDR 0xc0000106

typedef struct {
	uint32_t available; /* LWP_FLAG_* */
	uint8_t core;	    /* the records have it */
	uint8_t vector;	    /* of the interrupt at the threshold */
} lwp_config_t;

/* Decode and encode LWP_CFG. Bits 63 to 48 are reserved. */
void lwp_config_decode(lwp_config_t *c, uint64_t msr);
uint64_t lwp_config_encode(const lwp_config_t *c);

/* Offsets of the fields of an LWPCB (section 6). */
#define LWP_BLOCK_FLAGS	    0
#define LWP_BLOCK_SIZE	    4 /* bits 27 to 0; 31 to 28: Random */
#define LWP_BLOCK_BASE	    8
#define LWP_BLOCK_HEAD	    16
#define LWP_BLOCK_MISSED    24
#define LWP_BLOCK_THRESHOLD 32
#define LWP_BLOCK_FILTERS   36
#define LWP_BLOCK_BASE_IP   40
#define LWP_BLOCK_LIMIT_IP  48
#define LWP_BLOCK_TAIL	    64
#define LWP_BLOCK_SOFTWARE  72
#define LWP_BLOCK_FIXED	    88 /* bytes before the reserved ones and the intervals */

/* Offsets of the interval and the counter of an event, with bits 25 to 0 of each used. */
#define LWP_BLOCK_INTERVAL(event_offset, id) ((event_offset) + 8 * ((id)-1))
#define LWP_BLOCK_COUNTER(event_offset, id)  (LWP_BLOCK_INTERVAL(event_offset, id) + 4)

/* Intervals and counters are signed numbers of 26 bits. */
#define LWP_INTERVAL_MIN (-(1 << 25))
#define LWP_INTERVAL_MAX ((1 << 25) - 1)

/* The value of the low 26 bits. */
int32_t lwp_interval_decode(uint32_t word);

/* An LWPCB, decoded. */
typedef struct {
	uint32_t flags;	      /* LWP_FLAG_* */
	uint32_t buffer_size; /* bytes, less than 2^28 */
	uint8_t random;	      /* low bits of a counter that are random, 0 to 15 */
	uint8_t events;	      /* interval and counter are known of ids 1 to this */
	uint64_t buffer_base; /* address */
	uint32_t head, tail;  /* offsets of the next record, and of the oldest */
	uint64_t missed;      /* MissedEvents */
	uint32_t threshold;   /* bytes */
	uint32_t filters;     /* LWP_FILTER_* */
	uint64_t base_ip, limit_ip;
	uint8_t software[16]; /* which LWP leaves alone */
	int32_t interval[LWP_MAX_COUNTERS +
			 1];		       /* by id; one record for this + 1 events */
	int32_t counter[LWP_MAX_COUNTERS + 1]; /* events until the next record, less 1 */
} lwp_block_t;

/*
 * Decode the LWPCB of size bytes at p, of a processor with f->event_offset and
 * f->max_events. b->events are fewer if the bytes end before. EINVAL: size or
 * f->event_offset is less than LWP_BLOCK_FIXED.
 */
int lwp_block_decode(lwp_block_t *b, const void *p, size_t size, const lwp_features_t *f);

/*
 * Encode *b into size bytes at p, of which the others become 0. EINVAL: there is no room
 * for b->events, f->event_offset is less than LWP_BLOCK_FIXED, or a value is out of
 * range.
 */
int lwp_block_encode(void *p, size_t size, const lwp_block_t *b, const lwp_features_t *f);

/*
 * Make of *b what LLWPCB makes of it: features that are not available are off, the sizes,
 * head and threshold are multiples of the size of a record, head is in the ring, filters
 * that do not work are off, and enabled events have intervals of at least min_interval (0
 * for LWP_EVENT_VAL) and counters of at least 0. Of these LLWPCB stores flags and the
 * intervals in memory. EINVAL: the ring is smaller than f->min_buffer or than a record,
 * for which LLWPCB raises #GP; *b is then unchanged.
 */
int lwp_block_start(lwp_block_t *b, const lwp_features_t *f, int32_t min_interval);

/* Problems of an LWPCB or a ring, as bits. */
#define LWP_BAD_SIZE	  0x00001 /* LLWPCB raises #GP */
#define LWP_BAD_SIZE_STEP 0x00002
#define LWP_BAD_HEAD	  0x00004
#define LWP_BAD_HEAD_STEP 0x00008
#define LWP_BAD_TAIL	  0x00010
#define LWP_BAD_TAIL_STEP 0x00020
#define LWP_BAD_THRESHOLD 0x00040
#define LWP_BAD_FLAGS	  0x00080
#define LWP_BAD_FILTERS	  0x00100
#define LWP_BAD_BRANCHES  0x00200
#define LWP_BAD_RANGE	  0x00400
#define LWP_BAD_INTERVAL  0x00800
#define LWP_BAD_COUNTER	  0x01000
#define LWP_BAD_RANDOM	  0x02000
#define LWP_BAD_RESERVED  0x04000
#define LWP_BAD_WRAP	  0x08000
#define LWP_BAD_SHORT	  0x10000 /* bytes of the LWPCB or of the ring are not there */

/* A sentence about one of these bits, without a full stop; NULL for another value. */
const char *lwp_problem(unsigned bit);

/*
 * Return the problems of the LWPCB of size bytes at p: all that LLWPCB changes or
 * refuses, and what does not make sense.
 */
unsigned lwp_block_check(const void *p, size_t size, const lwp_features_t *f);

/* Component 62 of an area of XSAVE (section 7): its bytes, and their usual offset. */
#define LWP_STATE_SIZE	 128
#define LWP_STATE_OFFSET 832

typedef struct {
	uint64_t block;	      /* linear address of the LWPCB; 0: LWP is off */
	uint32_t flags;	      /* LWP_FLAG() of active events, without LWP_FLAG_INT */
	uint32_t head;	      /* BufferHeadOffset */
	uint64_t base;	      /* linear address of the ring */
	uint32_t size;	      /* bytes of the ring, less than 2^28 */
	uint32_t filters;     /* LWP_FILTER_* */
	lwp_record_t pending; /* a record that is not stored yet; id 0: there is none */
	int32_t counter[LWP_MAX_COUNTERS + 1]; /* by id; valid if its flag is set */
} lwp_state_t;

/* Decode and encode the LWP_STATE_SIZE bytes at p. */
void lwp_state_decode(lwp_state_t *s, const void *p);
void lwp_state_encode(void *p, const lwp_state_t *s);

/*
 * A ring of records. Software owns the slots from tail up to head, which hold records
 * that are not read; LWP owns the others, and writes the next record at head.
 */
typedef struct {
	const uint8_t *bytes;
	uint32_t present; /* bytes that are there, at most size */
	uint32_t size;	  /* a multiple of event_size */
	uint32_t event_size;
	uint32_t head, tail; /* offsets in the ring */
	uint64_t missed;
} lwp_ring_t;

/*
 * Fill *r for the LWPCB *b (buffer_size, head, tail and missed) and the size bytes of its
 * ring at bytes, which r keeps. Returns problems LWP_BAD_*, and mends them: sizes and
 * offsets are rounded down, and offsets that are not in the ring become 0. Returns -1
 * with EINVAL if event_size is less than 32, or the ring smaller than a record.
 */
int lwp_ring_init(lwp_ring_t *r, const lwp_block_t *b, const void *bytes, size_t size,
		  uint32_t event_size);

/* The number of records from tail up to head, and of all slots. */
uint32_t lwp_ring_count(const lwp_ring_t *r);
uint32_t lwp_ring_slots(const lwp_ring_t *r);

/*
 * The i-th slot from tail on, or NULL if the ring has fewer or the bytes are not there:
 * from 0 the records, oldest first; from lwp_ring_count() the slots that LWP owns. The
 * first of those has the last missed record, if there is one; the others have records
 * that were read before, or nothing. *n, if n is not NULL, is the number of slots that
 * follow each other in memory from this one on.
 */
const void *lwp_ring_slot(const lwp_ring_t *r, uint32_t i, uint32_t *n);

/*
 * Read head and missed of the LWPCB at block, which another thread or a processor changes
 * at the same time; records before head are then visible. Returns lwp_ring_count(), or -1
 * with EINVAL if block is not aligned to 8 bytes.
 */
int64_t lwp_ring_acquire(lwp_ring_t *r, const void *block);

/*
 * Give the n oldest records back, n being at most lwp_ring_count(): advance tail, and
 * store it into the LWPCB at block, which is aligned likewise, after all reads before.
 * EINVAL: n is too large, or block is not aligned.
 */
int lwp_ring_release(lwp_ring_t *r, void *block, uint32_t n);

/*
 * Store a record at head as LWP does, into bytes, which are r->bytes and writable.
 * Returns 1 if head advanced; 0 if the ring is full, and the record counts as missed; -1
 * with EINVAL if the slot at head is not there. The LWPCB is left to the caller.
 */
int lwp_ring_store(lwp_ring_t *r, void *bytes, const lwp_record_t *record);

/* The LWP instructions (section 4). */
typedef enum { LWP_OP_LLWPCB = 1, LWP_OP_SLWPCB, LWP_OP_LWPINS, LWP_OP_LWPVAL } lwp_op_t;

#define LWP_REG_RIP  16	  /* as base: the address of the next instruction */
#define LWP_REG_NONE 0xff /* no base, or no index */

#define LWP_INSTRUCTION_MAX 15 /* bytes */

/* An instruction, decoded. Registers 0 to 15 are rax, rcx, rdx, rbx, rsp, rbp, ... */
typedef struct {
	lwp_op_t op;
	uint8_t mode;	/* bits of the mode of the processor: 64 or 32 */
	uint8_t length; /* bytes */
	uint8_t wide;	/* 1: reg has 64 bits; 0: 32 bits */
	uint8_t reg;	/* the operand of LLWPCB and SLWPCB; else the value for data2 */
	uint8_t memory; /* 1: the value for data1 is in memory, 0: in register rm */
	uint8_t rm;
	/* The operand in memory: base + (index << scale) + displacement. */
	uint8_t base, index, scale;
	uint8_t sib;		    /* 1: the encoding has a SIB byte */
	uint8_t segment;	    /* the prefix, 0x64 (FS) for example; 0: none */
	uint8_t address_size;	    /* bits of the address: 64, 32 or 16 */
	uint8_t displacement_bytes; /* in the encoding: 0, 1, 2 or 4 */
	int32_t displacement;
	uint32_t immediate; /* its low 16 bits are the flags of the record */
} lwp_instruction_t;

/*
 * Decode the instruction at p, of which n bytes can be read, in 64- or 32-bit mode.
 * Returns its length. EINVAL: the bytes are no LWP instruction that a processor executes
 * (prefixes 66, F2, F3, F0 and REX are not allowed before it), or mode is another number;
 * ENODATA: the instruction is longer than n.
 */
int lwp_instruction_decode(lwp_instruction_t *i, const void *p, size_t n, unsigned mode);

/*
 * Encode *i into at most LWP_INSTRUCTION_MAX bytes at p; i->length is not read. The
 * displacement gets displacement_bytes, or more where its value or the base need more.
 * Returns the length. EINVAL: no encoding has these operands.
 */
int lwp_instruction_encode(void *p, const lwp_instruction_t *i);

/*
 * Write a decoded instruction as objdump(1) does, without prefixes that have no effect,
 * and without the comment behind addresses relative to rip. Writes at most n bytes, and
 * returns the length of the whole text, as snprintf(3) does.
 */
size_t lwp_instruction_text(char *text, size_t n, const lwp_instruction_t *i);

/*
 * The address of the operand in memory, for registers reg[0] to reg[15] (8 in 32-bit
 * mode), the address ip of the instruction and the base address of the segment.
 */
uint64_t lwp_instruction_address(const lwp_instruction_t *i, const uint64_t *reg,
				 uint64_t ip, uint64_t segment_base);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
