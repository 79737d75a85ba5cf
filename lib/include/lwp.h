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

/* The LWP instructions (section 4). */
typedef enum {
	LWP_OP_LLWPCB = 1,
	LWP_OP_SLWPCB,
	LWP_OP_LWPINS,
	LWP_OP_LWPVAL,
} lwp_op_t;

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

#ifdef __cplusplus
}
#endif

#endif
