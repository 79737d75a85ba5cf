/*
 * Records of an Itanium 2: what the PMDs of its event address registers and of its branch
 * trace buffer say, where the PMCs are as pfm_dispatch_events() has them. This is ours;
 * libpfm 3 leaves it to its clients. Calls return PFMLIB_SUCCESS or PFMLIB_ERR_INVAL.
 */
#ifndef ITANIUM2_RECORD_H
#define ITANIUM2_RECORD_H

#include <stdint.h>

#include <perfmon/pfmlib_itanium2.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a translation was found. */
enum ita2_tlb_level {
	ITA2_TLB_NONE,
	ITA2_TLB_L2,
	ITA2_TLB_VHPT,
	ITA2_TLB_SOFTWARE /* a fault */
};

/* An instruction fetch that was caught; what is not valid is 0. */
struct ita2_iear_record {
	int valid;
	uint64_t addr;		   /* bytes, a multiple of 32: of the cache line's part */
	unsigned latency;	   /* cycles, 0 to 4095; cache mode */
	int overflow;		   /* it was longer than that; cache mode */
	enum ita2_tlb_level level; /* TLB mode */
};

/* A load, or a check of one, that was caught; what is not valid is 0. */
struct ita2_dear_record {
	int valid;
	uint64_t addr;		   /* bytes: of the data; no such thing in ALAT mode */
	unsigned latency;	   /* cycles, 0 to 8191; cache mode */
	int overflow;		   /* it was longer than that; cache mode */
	enum ita2_tlb_level level; /* TLB mode */
	int insn_valid;
	uint64_t insn; /* address of the bundle, the slot (0 to 2) in bits 0-3 */
};

/* What the predictors made of a branch. */
enum ita2_btb_outcome {
	ITA2_BTB_SUCCESS,
	ITA2_BTB_FE_FAILURE, /* the front end was wrong */
	ITA2_BTB_BE_FAILURE  /* the back end flushed for it */
};

/* An entry of the branch trace buffer: a branch, or where one went. 0 if not valid. */
struct ita2_btb_entry {
	int valid;
	int is_branch; /* else the target of the branch before it */
	uint64_t addr; /* bytes; of a branch: its bundle, the slot (0 to 2) in bits 0-3 */
	int taken;     /* of a branch; if not, its slot is not known and 0 */
	enum ita2_btb_outcome outcome; /* of a branch */
};

/* INVAL: rec is NULL, mode is neither cache nor TLB. */
int ita2_decode_iear(pfmlib_ita2_ear_mode_t mode, uint64_t pmd0, uint64_t pmd1,
		     struct ita2_iear_record *rec);

/* INVAL: rec is NULL, there is no such mode. */
int ita2_decode_dear(pfmlib_ita2_ear_mode_t mode, uint64_t pmd2, uint64_t pmd3,
		     uint64_t pmd17, struct ita2_dear_record *rec);

/*
 * pmd8_15: PMD8 to PMD15, recorded with btb_ds 0. Fills entry[0] to entry[*n - 1], the
 * oldest first; *n is at most 8. INVAL: a pointer is NULL.
 */
int ita2_decode_btb(const uint64_t pmd8_15[PMU_ITA2_NUM_BTB], uint64_t pmd16,
		    struct ita2_btb_entry entry[PMU_ITA2_NUM_BTB], unsigned *n);

#ifdef __cplusplus
}
#endif

#endif
