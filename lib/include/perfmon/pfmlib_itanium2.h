/*
 * pfmlib_itanium2: how to program the performance monitors of an Itanium 2, after libpfm
 * 3: which events there are, and what registers (PMC, PMD, IBR, DBR) must hold to measure
 * some together. No register of this machine is touched: any host will do. Source:
 * libpfm_itanium2(3), pfm_dispatch_events(3) of libpfm 3; what is ours says so.
 *
 * This header is all of libpfm 3 that is needed. <perfmon/pfmlib.h> is libpfm 4's today;
 * it may be included too, but before this one. Macros give the names that clients know to
 * symbols of our own, so that other files of the program can use libpfm 4.
 *
 * Calls return PFMLIB_SUCCESS or a negative PFMLIB_ERR_*, unless told otherwise; errno
 * means nothing. NOINIT: it wants pfm_initialize() or pfm_force_pmu() first. INVAL: a
 * pointer is NULL, or there is no such event. Threads may call at any time; those two set
 * something for all. Nothing is printed: LIBPFM_VERBOSE and LIBPFM_DEBUG are ignored.
 */
#ifndef PFMLIB_ITANIUM2_H
#define PFMLIB_ITANIUM2_H

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of libpfm that this is after. */
#define PFMLIB_VERSION	      (3 << 16 | 10)
#define PFMLIB_MAJ_VERSION(v) ((v) >> 16)
#define PFMLIB_MIN_VERSION(v) ((v)&0xffff)

#define PFMLIB_MAX_PMCS		   512
#define PFMLIB_MAX_PMDS		   512
#define PFMLIB_MAX_MASKS_PER_EVENT 48

/* Privilege levels, as bits; 0 is the kernel, 3 the user. As in libpfm 4. */
#ifndef PFM_PLM0
#define PFM_PLM0 0x01
#define PFM_PLM1 0x02
#define PFM_PLM2 0x04
#define PFM_PLM3 0x08
#endif

/* pfp_flags: the counters are for a CPU, not for a thread. */
#define PFMLIB_PFP_SYSTEMWIDE 0x1

/* Types of PMUs. Here is the one of Itanium 2. */
#define PFMLIB_NO_PMU	     (-1)
#define PFMLIB_UNKNOWN_PMU   0
#define PFMLIB_GEN_IA64_PMU  1
#define PFMLIB_ITANIUM_PMU   2
#define PFMLIB_ITANIUM2_PMU  3
#define PFMLIB_MONTECITO_PMU 4

#define PFMLIB_SUCCESS	      0
#define PFMLIB_ERR_NOTSUPP    (-1)  /* not supported */
#define PFMLIB_ERR_INVAL      (-2)  /* invalid parameters */
#define PFMLIB_ERR_NOINIT     (-3)  /* not initialized */
#define PFMLIB_ERR_NOTFOUND   (-4)  /* no such event */
#define PFMLIB_ERR_NOASSIGN   (-5)  /* no counter, or a register that cannot be had */
#define PFMLIB_ERR_FULL	      (-6)  /* the buffer is too small */
#define PFMLIB_ERR_EVTMANY    (-7)  /* not used */
#define PFMLIB_ERR_MAGIC      (-8)  /* not used */
#define PFMLIB_ERR_FEATCOMB   (-9)  /* features that do not go together */
#define PFMLIB_ERR_EVTSET     (-10) /* events of different sets of one group */
#define PFMLIB_ERR_EVTINCOMP  (-11) /* events that do not go together */
#define PFMLIB_ERR_TOOMANY    (-12) /* not used: too many events are NOASSIGN */
#define PFMLIB_ERR_IRRTOOBIG  (-13) /* a code range is too big */
#define PFMLIB_ERR_IRREMPTY   (-14) /* not used */
#define PFMLIB_ERR_IRRINVAL   (-15) /* a range ends before it starts, no code range */
#define PFMLIB_ERR_IRRTOOMANY (-16) /* too many code ranges */
#define PFMLIB_ERR_DRRINVAL   (-17) /* no data range */
#define PFMLIB_ERR_DRRTOOMANY (-18) /* too many data ranges */
#define PFMLIB_ERR_BADHOST    (-19) /* not used: every host will do */
#define PFMLIB_ERR_IRRALIGN   (-20) /* a code range is not one of whole bundles */
#define PFMLIB_ERR_IRRFLAGS   (-21) /* not used */
#define PFMLIB_ERR_UMASK      (-22) /* unit masks, which no event has */
#define PFMLIB_ERR_NOMEM      (-23) /* out of memory */

/* A set of registers: bit n is register n, below PFMLIB_MAX_PMCS. */
#define PFMLIB_REG_BITS (8 * sizeof(unsigned long))
#define PFMLIB_REG_BV	(PFMLIB_MAX_PMCS / PFMLIB_REG_BITS)
typedef struct {
	unsigned long bits[PFMLIB_REG_BV];
} pfmlib_regmask_t;

typedef struct {
	unsigned int event; /* its descriptor: 0 to pfm_get_num_events() - 1 */
	unsigned int plm;   /* PFM_PLM0-3; 0: pfp_dfl_plm */
	unsigned long flags;
	unsigned int unit_masks[PFMLIB_MAX_MASKS_PER_EVENT];
	unsigned int num_masks; /* 0: events of Itanium 2 have none */
	unsigned long reserved[2];
} pfmlib_event_t;

typedef struct {
	unsigned long long reg_value;
	unsigned long long reg_addr; /* as reg_num */
	unsigned int reg_num;	     /* PMCn, PMDn, IBRn or DBRn */
	unsigned int reg_reserved1;
	unsigned long reg_alt_addr; /* as reg_num */
} pfmlib_reg_t;

typedef struct {
	unsigned int pfp_event_count;
	unsigned int pfp_dfl_plm; /* PFM_PLM0-3, not 0 */
	unsigned int pfp_flags;	  /* PFMLIB_PFP_* */
	unsigned int reserved1;
	pfmlib_event_t pfp_events[PFMLIB_MAX_PMCS];
	pfmlib_regmask_t pfp_unavail_pmcs; /* PMCs that must not be used */
	unsigned long reserved[6];
} pfmlib_input_param_t;

typedef struct {
	unsigned int pfp_pmc_count, pfp_pmd_count;
	pfmlib_reg_t pfp_pmcs[PFMLIB_MAX_PMCS];
	pfmlib_reg_t pfp_pmds[PFMLIB_MAX_PMDS];
	unsigned long reserved[7];
} pfmlib_output_param_t;

typedef struct {
	unsigned int pfm_debug : 1, pfm_verbose : 1, pfm_reserved : 30;
} pfmlib_options_t;

/* Names of libpfm 3, and the symbols that they are here. */
#define pfm_initialize		       cpc_pfm_initialize
#define pfm_force_pmu		       cpc_pfm_force_pmu
#define pfm_set_options		       cpc_pfm_set_options
#define pfm_get_version		       cpc_pfm_get_version
#define pfm_strerror		       cpc_pfm_strerror
#define pfm_list_supported_pmus	       cpc_pfm_list_supported_pmus
#define pfm_is_pmu_supported	       cpc_pfm_is_pmu_supported
#define pfm_get_pmu_name	       cpc_pfm_get_pmu_name
#define pfm_get_pmu_name_bytype	       cpc_pfm_get_pmu_name_bytype
#define pfm_get_pmu_type	       cpc_pfm_get_pmu_type
#define pfm_get_num_events	       cpc_pfm_get_num_events
#define pfm_get_num_counters	       cpc_pfm_get_num_counters
#define pfm_get_num_pmcs	       cpc_pfm_get_num_pmcs
#define pfm_get_num_pmds	       cpc_pfm_get_num_pmds
#define pfm_get_impl_pmcs	       cpc_pfm_get_impl_pmcs
#define pfm_get_impl_pmds	       cpc_pfm_get_impl_pmds
#define pfm_get_impl_counters	       cpc_pfm_get_impl_counters
#define pfm_get_hw_counter_width       cpc_pfm_get_hw_counter_width
#define pfm_get_max_event_name_len     cpc_pfm_get_max_event_name_len
#define pfm_get_cycle_event	       cpc_pfm_get_cycle_event
#define pfm_get_inst_retired_event     cpc_pfm_get_inst_retired_event
#define pfm_find_event		       cpc_pfm_find_event
#define pfm_find_event_byname	       cpc_pfm_find_event_byname
#define pfm_find_event_bycode	       cpc_pfm_find_event_bycode
#define pfm_find_event_bycode_next     cpc_pfm_find_event_bycode_next
#define pfm_find_event_mask	       cpc_pfm_find_event_mask
#define pfm_find_full_event	       cpc_pfm_find_full_event
#define pfm_get_event_name	       cpc_pfm_get_event_name
#define pfm_get_full_event_name	       cpc_pfm_get_full_event_name
#define pfm_get_event_code	       cpc_pfm_get_event_code
#define pfm_get_event_code_counter     cpc_pfm_get_event_code_counter
#define pfm_get_event_counters	       cpc_pfm_get_event_counters
#define pfm_get_event_description      cpc_pfm_get_event_description
#define pfm_get_num_event_masks	       cpc_pfm_get_num_event_masks
#define pfm_get_event_mask_name	       cpc_pfm_get_event_mask_name
#define pfm_get_event_mask_code	       cpc_pfm_get_event_mask_code
#define pfm_get_event_mask_description cpc_pfm_get_event_mask_description
#define pfm_dispatch_events	       cpc_pfm_dispatch_events
#define pfm_ita2_is_ear		       cpc_pfm_ita2_is_ear
#define pfm_ita2_is_dear	       cpc_pfm_ita2_is_dear
#define pfm_ita2_is_dear_tlb	       cpc_pfm_ita2_is_dear_tlb
#define pfm_ita2_is_dear_cache	       cpc_pfm_ita2_is_dear_cache
#define pfm_ita2_is_dear_alat	       cpc_pfm_ita2_is_dear_alat
#define pfm_ita2_is_iear	       cpc_pfm_ita2_is_iear
#define pfm_ita2_is_iear_tlb	       cpc_pfm_ita2_is_iear_tlb
#define pfm_ita2_is_iear_cache	       cpc_pfm_ita2_is_iear_cache
#define pfm_ita2_is_btb		       cpc_pfm_ita2_is_btb
#define pfm_ita2_support_opcm	       cpc_pfm_ita2_support_opcm
#define pfm_ita2_support_iarr	       cpc_pfm_ita2_support_iarr
#define pfm_ita2_support_darr	       cpc_pfm_ita2_support_darr
#define pfm_ita2_get_event_maxincr     cpc_pfm_ita2_get_event_maxincr
#define pfm_ita2_get_event_umask       cpc_pfm_ita2_get_event_umask
#define pfm_ita2_get_event_group       cpc_pfm_ita2_get_event_group
#define pfm_ita2_get_event_set	       cpc_pfm_ita2_get_event_set
#define pfm_ita2_get_ear_mode	       cpc_pfm_ita2_get_ear_mode
#define pfm_ita2_irange_is_fine	       cpc_pfm_ita2_irange_is_fine

/*
 * Make the PMU of an Itanium 2 the one that all calls are about, whatever the processor
 * of this machine is; PFMLIB_SUCCESS. That is ours: libpfm 3 knows the processor that it
 * runs on, and no other. Fine-mode code ranges are as that library has them where it
 * found an Itanium 2 (they begin and end at 32-byte boundaries, for an erratum).
 * LIBPFM_FORCE_PMU=N in the environment: as pfm_force_pmu(N).
 */
int pfm_initialize(void);

/*
 * As pfm_initialize(), for a PMU that has not been found but named: fine-mode code ranges
 * are then exact. The later of the two calls holds. PFMLIB_ERR_NOTSUPP: type is not
 * PFMLIB_ITANIUM2_PMU, and nothing changes.
 */
int pfm_force_pmu(int type);

/* These work without pfm_initialize(). pfm_set_options() has no effect. */
int pfm_set_options(pfmlib_options_t *opt);
int pfm_get_version(unsigned int *version);
/* A constant text, also for numbers that are no error code. */
const char *pfm_strerror(int code);
/* Calls pf, as printf, for each; INVAL for NULL. */
int pfm_list_supported_pmus(int (*pf)(const char *fmt, ...));
/* Cut to maxlen with its 0; INVAL: another PMU, or maxlen is 0. */
int pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen);

/* NOTSUPP: another PMU. */
int pfm_is_pmu_supported(int type);
/* Cut to maxlen with its 0; INVAL: maxlen is below 1. */
int pfm_get_pmu_name(char *name, int maxlen);
int pfm_get_pmu_type(int *type);
int pfm_get_num_events(unsigned int *count);
int pfm_get_num_counters(unsigned int *num);
int pfm_get_num_pmcs(unsigned int *num);
int pfm_get_num_pmds(unsigned int *num);
int pfm_get_impl_pmcs(pfmlib_regmask_t *mask);
int pfm_get_impl_pmds(pfmlib_regmask_t *mask);
int pfm_get_impl_counters(pfmlib_regmask_t *mask);
/* In bits. */
int pfm_get_hw_counter_width(unsigned int *width);
/* In bytes, without the 0 at the end. */
int pfm_get_max_event_name_len(size_t *len);
/* CPU_CYCLES and IA64_INST_RETIRED; all but the descriptor is 0. */
int pfm_get_cycle_event(pfmlib_event_t *e);
int pfm_get_inst_retired_event(pfmlib_event_t *e);

/*
 * The event of a name, in any case; from a ':' on it is ignored. Text that begins with a
 * digit is a number in C's way, the code of an event: the first that has it is found.
 * NOTFOUND; INVAL: no number, or above INT_MAX.
 */
int pfm_find_event(const char *str, unsigned int *idx);
/* The same, but all text is a name. */
int pfm_find_event_byname(const char *name, unsigned int *idx);
/* The first event with a code, and the next one after event idx; NOTFOUND. */
int pfm_find_event_bycode(int code, unsigned int *idx);
int pfm_find_event_bycode_next(int code, unsigned int idx, unsigned int *next);
/* Fills *e, by name alone. NOTFOUND; UMASK: there is a ':', and no event has masks. */
int pfm_find_full_event(const char *str, pfmlib_event_t *e);
/* No event has masks: UMASK. */
int pfm_find_event_mask(unsigned int idx, const char *str, unsigned int *mask_idx);

/* In upper case; maxlen counts the 0 at the end. INVAL: name is too small. */
int pfm_get_event_name(unsigned int idx, char *name, size_t maxlen);
/* The same; FULL: name is too small; UMASK: *e has masks. */
int pfm_get_full_event_name(pfmlib_event_t *e, char *name, size_t maxlen);
/* The event select of PMC4-7, 8 bits. */
int pfm_get_event_code(unsigned int idx, int *code);
/* The same on counter cnt; INVAL: it is neither 4 to 7 nor -1 (any). */
int pfm_get_event_code_counter(unsigned int idx, unsigned int cnt, int *code);
/* The counters that can count it: bits 4 to 7. */
int pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t *counters);
/* *desc is the caller's to free(3); empty if there is none. NOMEM. */
int pfm_get_event_description(unsigned int idx, char **desc);
int pfm_get_num_event_masks(unsigned int idx, unsigned int *count);
/* No event has masks: NOTSUPP. */
int pfm_get_event_mask_name(unsigned int idx, unsigned int mask_idx, char *name,
			    size_t maxlen);
int pfm_get_event_mask_code(unsigned int idx, unsigned int mask_idx, unsigned int *code);
int pfm_get_event_mask_description(unsigned int idx, unsigned int mask_idx, char **desc);

#define PMU_ITA2_FIRST_COUNTER 4 /* PMC4 and PMD4 */
#define PMU_ITA2_NUM_COUNTERS  4
#define PMU_ITA2_NUM_PMCS      16
#define PMU_ITA2_NUM_PMDS      18
#define PMU_ITA2_NUM_BTB       8
#define PMU_ITA2_COUNTER_WIDTH 47

#define PFMLIB_ITA2_EVT_NO_GRP	     0
#define PFMLIB_ITA2_EVT_L1_CACHE_GRP 1
#define PFMLIB_ITA2_EVT_L2_CACHE_GRP 2
#define PFMLIB_ITA2_EVT_NO_SET	     (-1)
#define PFMLIB_MONT_EVT_NO_SET	     PFMLIB_ITA2_EVT_NO_SET

/* Instruction sets that are measured. */
typedef enum {
	PFMLIB_ITA2_ISM_BOTH = 0,
	PFMLIB_ITA2_ISM_IA32 = 1,
	PFMLIB_ITA2_ISM_IA64 = 2
} pfmlib_ita2_ism_t;

/* Of a counter: do not ask whether its event can be restricted by opcodes and ranges. */
#define PFMLIB_ITA2_FL_EVT_NO_QUALCHECK 0x1

/* Of event i, on whatever counter. */
typedef struct {
	unsigned int flags;
	unsigned int thres; /* counts by 1 in cycles with more than so many; 3 bits */
	pfmlib_ita2_ism_t ism;
} pfmlib_ita2_counter_t;

/* An opcode matcher. */
typedef struct {
	unsigned char opcm_used;
	unsigned long pmc_val; /* of PMC8 or PMC9 */
} pfmlib_ita2_opcm_t;

typedef enum {
	PFMLIB_ITA2_EAR_CACHE_MODE = 0,
	PFMLIB_ITA2_EAR_TLB_MODE = 1,
	PFMLIB_ITA2_EAR_ALAT_MODE = 2
} pfmlib_ita2_ear_mode_t;

/* Event address registers; values are cut to their fields. */
typedef struct {
	unsigned char ear_used;
	pfmlib_ita2_ear_mode_t ear_mode; /* no ALAT for instructions */
	pfmlib_ita2_ism_t ear_ism;
	unsigned int ear_plm; /* 0: pfp_dfl_plm */
	unsigned long ear_umask;
} pfmlib_ita2_ear_t;

/*
 * The branch trace buffer; values are cut to their fields. In tm, ptm and ppm 0 is no
 * branch, 3 all. brt: 0 is all types, whatever libpfm_itanium2(3) says.
 */
typedef struct {
	unsigned char btb_used;
	unsigned char btb_ds;  /* 1: details of the prediction, not the target */
	unsigned char btb_tm;  /* 1 not taken, 2 taken */
	unsigned char btb_ptm; /* target 1 mispredicted, 2 predicted */
	unsigned char btb_ppm; /* path 1 mispredicted, 2 predicted */
	unsigned char btb_brt; /* 1 IP-relative, 2 returns, 3 other indirect */
	unsigned int btb_plm;  /* 0: pfp_dfl_plm */
} pfmlib_ita2_btb_t;

/* A range of addresses; an unused one is all 0, and the last. */
typedef struct {
	unsigned int rr_plm; /* 0: pfp_dfl_plm; means nothing to data */
	unsigned long rr_start;
	unsigned long rr_end; /* not part of it; code: both at bundles, multiples of 16 */
} pfmlib_ita2_input_rr_desc_t;

/* What is measured around a range, for want of better registers: bytes. */
typedef struct {
	unsigned long rr_soff; /* before it */
	unsigned long rr_eoff; /* after it */
} pfmlib_ita2_output_rr_desc_t;

#define PFMLIB_ITA2_RR_INV	    0x1 /* rr_flags: what is outside; of code alone */
#define PFMLIB_ITA2_RR_NO_FINE_MODE 0x2

typedef struct {
	unsigned int rr_flags;
	pfmlib_ita2_input_rr_desc_t rr_limits[4];
	unsigned char rr_used;
} pfmlib_ita2_input_rr_t;

typedef struct {
	unsigned int rr_nbr_used;		  /* registers in rr_br: 0 to 8, even */
	pfmlib_ita2_output_rr_desc_t rr_infos[4]; /* of each range, in order */
	pfmlib_reg_t rr_br[8]; /* IBRn or DBRn: even address, odd mask */
} pfmlib_ita2_output_rr_t;

typedef struct {
	pfmlib_ita2_counter_t pfp_ita2_counters[PMU_ITA2_NUM_COUNTERS];
	unsigned long pfp_ita2_flags; /* none are defined */
	pfmlib_ita2_opcm_t pfp_ita2_pmc8, pfp_ita2_pmc9;
	pfmlib_ita2_ear_t pfp_ita2_iear, pfp_ita2_dear;
	pfmlib_ita2_btb_t pfp_ita2_btb;
	pfmlib_ita2_input_rr_t pfp_ita2_drange, pfp_ita2_irange;
	unsigned long reserved[1];
} pfmlib_ita2_input_param_t;

typedef struct {
	pfmlib_ita2_output_rr_t pfp_ita2_drange, pfp_ita2_irange;
	unsigned long reserved[6];
} pfmlib_ita2_output_param_t;

/*
 * The registers that measure what *inp and *mod_in (NULL: nothing special) ask for, in
 * *outp, and debug registers for ranges in *mod_out (NULL: none): of the types
 * pfmlib_ita2_input_param_t and pfmlib_ita2_output_param_t. Both outputs are cleared once
 * the arguments are sane (*mod_out: ours); after an error they are undefined.
 *
 * PMCs: the counters in the order of their events, then those that are needed of 10, 11,
 * 14, 13, 8, 9, 15, 12. PMDs: the counters, then 0-1 (I-EAR), 2, 3, 17 (D-EAR), 8-16
 * (BTB). With mod_in PMC15 is always there. Counters are the first that fit, in
 * lexicographic order.
 *
 * INVAL: inp or outp is NULL (ours), pfp_dfl_plm is 0, no such event, mod_out without
 * mod_in, ranges without mod_out, no such EAR mode, two L2_OZQ_CANCELS events. UMASK:
 * num_masks is not 0. NOASSIGN: more than 4 events, they do not fit the counters, or a
 * PMC that is needed is in pfp_unavail_pmcs. EVTSET: events of one group, and different
 * sets. EVTINCOMP: D-EAR in TLB or ALAT mode, and the BTB. FEATCOMB: an event cannot be
 * restricted so, restrictions exclude each other, or ranges and an event with a privilege
 * level of its own. IRR*, DRR*: as they say.
 *
 * Registers never cover less than the ranges, which is ours: where the pairs that earlier
 * ranges left over cannot do it closely, they cover more; where they cannot do it at all,
 * it is IRRTOOMANY or DRRTOOMANY.
 */
int pfm_dispatch_events(pfmlib_input_param_t *inp, void *mod_in,
			pfmlib_output_param_t *outp, void *mod_out);

/* These work without pfm_initialize(). 1: it is; 0: it is not, or no event. */
int pfm_ita2_is_ear(unsigned int i);
int pfm_ita2_is_dear(unsigned int i);
int pfm_ita2_is_dear_tlb(unsigned int i);
int pfm_ita2_is_dear_cache(unsigned int i);
int pfm_ita2_is_dear_alat(unsigned int i);
int pfm_ita2_is_iear(unsigned int i);
int pfm_ita2_is_iear_tlb(unsigned int i);
int pfm_ita2_is_iear_cache(unsigned int i);
int pfm_ita2_is_btb(unsigned int i);
int pfm_ita2_support_opcm(unsigned int i);
int pfm_ita2_support_iarr(unsigned int i);
int pfm_ita2_support_darr(unsigned int i);
/* The most that it can grow by in a cycle, 1 to 7; thresholds are below. */
int pfm_ita2_get_event_maxincr(unsigned int i, unsigned int *maxincr);
/* 4 bits; of an EAR event: the umask of PMC10 (8 bits) or PMC11. */
int pfm_ita2_get_event_umask(unsigned int i, unsigned long *umask);
/* PFMLIB_ITA2_EVT_* */
int pfm_ita2_get_event_group(unsigned int i, int *grp);
int pfm_ita2_get_event_set(unsigned int i, int *set);
/* INVAL: no EAR event; *mode is untouched. */
int pfm_ita2_get_ear_mode(unsigned int i, pfmlib_ita2_ear_mode_t *mode);
/* Do these, of a successful pfm_dispatch_events(), use fine mode? 1 or 0. */
int pfm_ita2_irange_is_fine(pfmlib_output_param_t *outp,
			    pfmlib_ita2_output_param_t *mod_out);

/* Of register sets: 1 or 0; 0 for NULL and for registers that cannot be in one. */
static inline int pfm_regmask_isset(const pfmlib_regmask_t *h, unsigned int b)
{
	return h && b < PFMLIB_MAX_PMCS &&
	       (h->bits[b / PFMLIB_REG_BITS] >> b % PFMLIB_REG_BITS & 1);
}

/* The others: PFMLIB_SUCCESS; INVAL for NULL and for registers that cannot be in one. */
static inline int pfm_regmask_set(pfmlib_regmask_t *h, unsigned int b)
{
	if (!h || b >= PFMLIB_MAX_PMCS)
		return PFMLIB_ERR_INVAL;
	h->bits[b / PFMLIB_REG_BITS] |= 1UL << b % PFMLIB_REG_BITS;
	return PFMLIB_SUCCESS;
}

static inline int pfm_regmask_clr(pfmlib_regmask_t *h, unsigned int b)
{
	if (!h || b >= PFMLIB_MAX_PMCS)
		return PFMLIB_ERR_INVAL;
	h->bits[b / PFMLIB_REG_BITS] &= ~(1UL << b % PFMLIB_REG_BITS);
	return PFMLIB_SUCCESS;
}

/* How many are in it. */
static inline int pfm_regmask_weight(const pfmlib_regmask_t *h, unsigned int *weight)
{
	if (!h || !weight)
		return PFMLIB_ERR_INVAL;
	*weight = 0;
	for (size_t i = 0; i < PFMLIB_REG_BV; i++)
		*weight += (unsigned int)__builtin_popcountl(h->bits[i]);
	return PFMLIB_SUCCESS;
}

/* 1: the same; 0: not, or NULL. */
static inline int pfm_regmask_eq(const pfmlib_regmask_t *h1, const pfmlib_regmask_t *h2)
{
	return h1 && h2 && memcmp(h1, h2, sizeof(*h1)) == 0;
}

/* h1 & h2, h1 & ~h2, h1 | h2 */
#define PFMLIB_REGMASK_OP(name, expression)                                       \
	static inline int name(pfmlib_regmask_t *dst, const pfmlib_regmask_t *h1, \
			       const pfmlib_regmask_t *h2)                        \
	{                                                                         \
		if (!dst || !h1 || !h2)                                           \
			return PFMLIB_ERR_INVAL;                                  \
		for (size_t i = 0; i < PFMLIB_REG_BV; i++)                        \
			dst->bits[i] = expression;                                \
		return PFMLIB_SUCCESS;                                            \
	}
PFMLIB_REGMASK_OP(pfm_regmask_and, h1->bits[i] & h2->bits[i])
PFMLIB_REGMASK_OP(pfm_regmask_andnot, h1->bits[i] & ~h2->bits[i])
PFMLIB_REGMASK_OP(pfm_regmask_or, h1->bits[i] | h2->bits[i])

static inline int pfm_regmask_copy(pfmlib_regmask_t *dst, const pfmlib_regmask_t *h)
{
	if (!dst || !h)
		return PFMLIB_ERR_INVAL;
	*dst = *h;
	return PFMLIB_SUCCESS;
}

static inline int pfm_regmask_not(pfmlib_regmask_t *dst)
{
	if (!dst)
		return PFMLIB_ERR_INVAL;
	for (size_t i = 0; i < PFMLIB_REG_BV; i++)
		dst->bits[i] = ~dst->bits[i];
	return PFMLIB_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
