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

/* Bytes of a record in version 1 (LwpEventSize), and the offset of intervals (LwpEventOffset). */
#define LWP_EVENT_SIZE	 32
#define LWP_EVENT_OFFSET 128

/*
 * Decode the first 32 bytes at p, which are all that a record of any LwpEventSize
 * defines; encode into them. Neither can fail.
 */
void lwp_record_decode(lwp_record_t *r, const void *p);
void lwp_record_encode(void *p, const lwp_record_t *r);

#ifdef __cplusplus
}
#endif

#endif
