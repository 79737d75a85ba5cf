/*
 * Decodes records of an Itanium 2: the PMDs of its event address registers (EARs) and of
 * its branch trace buffer, with the PMCs that pfm_dispatch_events() computes. Ours:
 * libpfm 3 leaves this to its clients. Calls return PFMLIB_SUCCESS, or PFMLIB_ERR_INVAL
 * as stated.
 */
#ifndef ITANIUM2_RECORD_H
#define ITANIUM2_RECORD_H

#include <stdint.h>

#include <perfmon/pfmlib_itanium2.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The place where the translation of an address was found. */
enum ita2_tlb_level {
	ITA2_TLB_NONE,
	ITA2_TLB_L2,
	ITA2_TLB_VHPT,
	ITA2_TLB_SOFTWARE /* by a fault handler */
};

/* A recorded instruction fetch; members that do not apply are 0. */
struct ita2_iear_record {
	int valid;
	uint64_t addr;		   /* of the part of the cache line: a multiple of 32 */
	unsigned latency;	   /* cycles, 0 to 4095; cache mode */
	int overflow;		   /* the latency was greater; cache mode */
	enum ita2_tlb_level level; /* TLB mode */
};

/* A recorded load, or check of a load; members that do not apply are 0. */
struct ita2_dear_record {
	int valid;
	uint64_t addr;		   /* of the data; 0 in ALAT mode */
	unsigned latency;	   /* cycles, 0 to 8191; cache mode */
	int overflow;		   /* the latency was greater; cache mode */
	enum ita2_tlb_level level; /* TLB mode */
	int insn_valid;		   /* insn is valid */
	uint64_t insn; /* address of the bundle, the slot (0 to 2) in bits 0-3 */
};

/* The result of the prediction of a branch. */
enum ita2_btb_outcome {
	ITA2_BTB_SUCCESS,
	ITA2_BTB_FE_FAILURE, /* the front end predicted wrongly */
	ITA2_BTB_BE_FAILURE  /* the back end flushed the pipeline */
};

/* An entry of the branch trace buffer: a branch or a target. All 0 if not valid. */
struct ita2_btb_entry {
	int valid;
	int is_branch; /* else: the target of the branch before */
	uint64_t addr; /* of a branch: its bundle, the slot (0 to 2) in bits 0-3 */
	int taken;     /* of a branch; if not taken, the slot in addr is unknown and 0 */
	enum ita2_btb_outcome outcome; /* of a branch */
};

/* Decodes PMD0 and PMD1. INVAL: rec is NULL, or mode is neither cache nor TLB. */
int ita2_decode_iear(pfmlib_ita2_ear_mode_t mode, uint64_t pmd0, uint64_t pmd1,
		     struct ita2_iear_record *rec);

/* Decodes PMD2, PMD3 and PMD17. INVAL: rec is NULL, or mode is unknown. */
int ita2_decode_dear(pfmlib_ita2_ear_mode_t mode, uint64_t pmd2, uint64_t pmd3,
		     uint64_t pmd17, struct ita2_dear_record *rec);

/*
 * Decodes PMD8 to PMD15, recorded with btb_ds 0, and PMD16. Fills entry[0] to entry[*n -
 * 1], oldest first; *n is at most 8. INVAL: a pointer is NULL.
 */
int ita2_decode_btb(const uint64_t pmd8_15[PMU_ITA2_NUM_BTB], uint64_t pmd16,
		    struct ita2_btb_entry entry[PMU_ITA2_NUM_BTB], unsigned *n);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
