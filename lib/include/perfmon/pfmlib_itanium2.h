/*
 * pfmlib_itanium2: the values of an Itanium 2's registers (PMC, PMD, IBR, DBR) that
 * measure a set of events, after libpfm 3. No register of this machine is accessed, so
 * the calls work on every host. Source: libpfm_itanium2(3), pfm_dispatch_events(3) of
 * libpfm 3. "Ours" marks what libpfm 3 does not have. Clients need no other header of
 * libpfm 3. <perfmon/pfmlib.h> today is libpfm 4's; it can be included too, but before
 * this header. Macros give the names of libpfm 3 to symbols cpc_*, so that other files of
 * the program can use libpfm 4.
 *
 * If nothing else is said, calls return PFMLIB_SUCCESS or a negative PFMLIB_ERR_*, not
 * errno. NOINIT: pfm_initialize() or pfm_force_pmu() must be called first. INVAL: NULL,
 * or no such event. All threads may call at any time; they share the chosen PMU.
 */
#ifndef PFMLIB_ITANIUM2_H
#define PFMLIB_ITANIUM2_H

#include <perfmon/pfmlib_itanium2_regs.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* This header declares the calls of libpfm 3.10. */
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

/* Flag of pfp_flags: the counters are for a CPU, not for a thread. */
#define PFMLIB_PFP_SYSTEMWIDE 0x1

/* Types of PMUs; this library has only the Itanium 2. */
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
#define PFMLIB_ERR_NOASSIGN   (-5)  /* no counter is free, or a register is excluded */
#define PFMLIB_ERR_FULL	      (-6)  /* the buffer is too small */
#define PFMLIB_ERR_EVTMANY    (-7)  /* not used */
#define PFMLIB_ERR_MAGIC      (-8)  /* not used */
#define PFMLIB_ERR_FEATCOMB   (-9)  /* features exclude each other */
#define PFMLIB_ERR_EVTSET     (-10) /* events of one group, but different sets */
#define PFMLIB_ERR_EVTINCOMP  (-11) /* events exclude each other */
#define PFMLIB_ERR_TOOMANY    (-12) /* not used: too many events give NOASSIGN */
#define PFMLIB_ERR_IRRTOOBIG  (-13) /* a code range is too big */
#define PFMLIB_ERR_IRREMPTY   (-14) /* not used */
#define PFMLIB_ERR_IRRINVAL   (-15) /* a range ends before it starts, or no code range */
#define PFMLIB_ERR_IRRTOOMANY (-16) /* too many code ranges */
#define PFMLIB_ERR_DRRINVAL   (-17) /* no data range */
#define PFMLIB_ERR_DRRTOOMANY (-18) /* too many data ranges */
#define PFMLIB_ERR_BADHOST    (-19) /* not used: every host is supported */
#define PFMLIB_ERR_IRRALIGN   (-20) /* a code range does not consist of whole bundles */
#define PFMLIB_ERR_IRRFLAGS   (-21) /* not used */
#define PFMLIB_ERR_UMASK      (-22) /* unit masks: no event has any */
#define PFMLIB_ERR_NOMEM      (-23) /* out of memory */

/* A set of registers: bit n is register n; n is below PFMLIB_MAX_PMCS. */
#define PFMLIB_REG_BITS (8 * sizeof(unsigned long))
#define PFMLIB_REG_BV	(PFMLIB_MAX_PMCS / PFMLIB_REG_BITS)
typedef struct {
	unsigned long bits[PFMLIB_REG_BV];
} pfmlib_regmask_t;

typedef struct {
	unsigned int event; /* descriptor: 0 to pfm_get_num_events() - 1 */
	unsigned int plm;   /* PFM_PLM0-3; 0: pfp_dfl_plm */
	unsigned long flags;
	unsigned int unit_masks[PFMLIB_MAX_MASKS_PER_EVENT];
	unsigned int num_masks; /* must be 0: Itanium 2 events have none */
	unsigned long reserved[2];
} pfmlib_event_t;

typedef struct {
	unsigned long long reg_value;
	unsigned long long reg_addr; /* same as reg_num */
	unsigned int reg_num;	     /* PMCn, PMDn, IBRn or DBRn */
	unsigned int reg_reserved1;
	unsigned long reg_alt_addr; /* same as reg_num */
} pfmlib_reg_t;

typedef struct {
	unsigned int pfp_event_count;
	unsigned int pfp_dfl_plm; /* PFM_PLM0-3, not 0 */
	unsigned int pfp_flags;	  /* PFMLIB_PFP_* */
	unsigned int reserved1;
	pfmlib_event_t pfp_events[PFMLIB_MAX_PMCS];
	pfmlib_regmask_t pfp_unavail_pmcs; /* PMCs that the caller excludes */
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

/* The names of libpfm 3, and the symbols that replace them. */
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
 * Selects the Itanium 2 PMU for all calls, whatever the processor of this machine is
 * (ours: libpfm 3 only knows the processor that it runs on). Fine-mode code ranges are as
 * if libpfm 3 had found an Itanium 2: they begin and end at 32-byte boundaries, because
 * of an erratum. If the environment has LIBPFM_FORCE_PMU=N, the call is pfm_force_pmu(N).
 */
int pfm_initialize(void);

/*
 * As pfm_initialize(), but fine-mode code ranges are exact, as if the PMU had been named
 * and not found. The later of the two calls applies. NOTSUPP: type is not
 * PFMLIB_ITANIUM2_PMU; nothing changes.
 */
int pfm_force_pmu(int type);

/* The next five work without pfm_initialize(). pfm_set_options() has no effect. */
int pfm_set_options(pfmlib_options_t *opt);
int pfm_get_version(unsigned int *version);
/* Returns a constant text, also for a number that is no error code. */
const char *pfm_strerror(int code);
/* Calls pf, like printf, with the name of each supported PMU. */
int pfm_list_supported_pmus(int (*pf)(const char *fmt, ...));
/* The name is cut to maxlen bytes with its 0. INVAL: another PMU, or maxlen is 0. */
int pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen);

/* NOTSUPP: another PMU. */
int pfm_is_pmu_supported(int type);
/* The name is cut to maxlen bytes with its 0. INVAL: maxlen is below 1. */
int pfm_get_pmu_name(char *name, int maxlen);
int pfm_get_pmu_type(int *type);
int pfm_get_num_events(unsigned int *count);
int pfm_get_num_counters(unsigned int *num);
int pfm_get_num_pmcs(unsigned int *num);
int pfm_get_num_pmds(unsigned int *num);
int pfm_get_impl_pmcs(pfmlib_regmask_t *mask);
int pfm_get_impl_pmds(pfmlib_regmask_t *mask);
int pfm_get_impl_counters(pfmlib_regmask_t *mask);
/* Stores the width in bits. */
int pfm_get_hw_counter_width(unsigned int *width);
/* Stores the length in bytes, without the 0 at the end. */
int pfm_get_max_event_name_len(size_t *len);
/* Store the event CPU_CYCLES or IA64_INST_RETIRED; other members become 0. */
int pfm_get_cycle_event(pfmlib_event_t *e);
int pfm_get_inst_retired_event(pfmlib_event_t *e);

/*
 * Finds an event by its name, in any case; text from a ':' on is ignored. Text that
 * begins with a digit is a number as in C, the code of an event: the first event with
 * this code is found. NOTFOUND; INVAL: not a number, or above INT_MAX.
 */
int pfm_find_event(const char *str, unsigned int *idx);
/* The same, but the text is always a name. */
int pfm_find_event_byname(const char *name, unsigned int *idx);
/* Find the first event with a code, and the next one after event idx. NOTFOUND. */
int pfm_find_event_bycode(int code, unsigned int *idx);
int pfm_find_event_bycode_next(int code, unsigned int idx, unsigned int *next);
/* Fills *e by a name. NOTFOUND; UMASK: the name has a ':', but no event has masks. */
int pfm_find_full_event(const char *str, pfmlib_event_t *e);
/* Returns UMASK: no event has masks. */
int pfm_find_event_mask(unsigned int idx, const char *str, unsigned int *mask_idx);

/* The name is in upper case; maxlen counts the 0 at the end. INVAL: too small. */
int pfm_get_event_name(unsigned int idx, char *name, size_t maxlen);
/* The same. FULL: maxlen is too small; UMASK: *e has masks. */
int pfm_get_full_event_name(pfmlib_event_t *e, char *name, size_t maxlen);
/* Stores the event select of PMC4-7, 8 bits. */
int pfm_get_event_code(unsigned int idx, int *code);
/* The same for counter cnt. INVAL: cnt is neither 4 to 7 nor -1 (any). */
int pfm_get_event_code_counter(unsigned int idx, unsigned int cnt, int *code);
/* Stores the counters that can count an event: bits 4 to 7. */
int pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t *counters);
/* The caller frees *desc by free(3); it is empty without a description. NOMEM. */
int pfm_get_event_description(unsigned int idx, char **desc);
int pfm_get_num_event_masks(unsigned int idx, unsigned int *count);
/* Return NOTSUPP: no event has masks. */
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

/* The instruction sets that are measured. */
typedef enum {
	PFMLIB_ITA2_ISM_BOTH = 0,
	PFMLIB_ITA2_ISM_IA32 = 1,
	PFMLIB_ITA2_ISM_IA64 = 2
} pfmlib_ita2_ism_t;

/* Flag of a counter: do not check that opcodes and ranges can restrict its event. */
#define PFMLIB_ITA2_FL_EVT_NO_QUALCHECK 0x1

/* Element i belongs to event i, on any counter. */
typedef struct {
	unsigned int flags;
	unsigned int thres; /* count the cycles with more than thres events; 3 bits */
	pfmlib_ita2_ism_t ism;
} pfmlib_ita2_counter_t;

/* An opcode matcher. */
typedef struct {
	unsigned char opcm_used;
	unsigned long pmc_val; /* value of PMC8 or PMC9 */
} pfmlib_ita2_opcm_t;

typedef enum {
	PFMLIB_ITA2_EAR_CACHE_MODE = 0,
	PFMLIB_ITA2_EAR_TLB_MODE = 1,
	PFMLIB_ITA2_EAR_ALAT_MODE = 2
} pfmlib_ita2_ear_mode_t;

/* An event address register; values are cut to the width of their fields. */
typedef struct {
	unsigned char ear_used;
	pfmlib_ita2_ear_mode_t ear_mode; /* not ALAT for instructions */
	pfmlib_ita2_ism_t ear_ism;
	unsigned int ear_plm; /* 0: pfp_dfl_plm */
	unsigned long ear_umask;
} pfmlib_ita2_ear_t;

/*
 * The branch trace buffer; values are cut to the width of their fields. tm, ptm and ppm:
 * 0 is no branch, 3 all. brt: 0 is all types, whatever libpfm_itanium2(3) says.
 */
typedef struct {
	unsigned char btb_used;
	unsigned char btb_ds;  /* 1: record details of the prediction, not the target */
	unsigned char btb_tm;  /* 1 not taken, 2 taken */
	unsigned char btb_ptm; /* target: 1 mispredicted, 2 predicted */
	unsigned char btb_ppm; /* path: 1 mispredicted, 2 predicted */
	unsigned char btb_brt; /* 1 IP-relative, 2 returns, 3 other indirect */
	unsigned int btb_plm;  /* 0: pfp_dfl_plm */
} pfmlib_ita2_btb_t;

/* A range of addresses. An element of zeros ends the list. */
typedef struct {
	unsigned int rr_plm; /* 0: pfp_dfl_plm; ignored for data */
	unsigned long rr_start;
	unsigned long rr_end; /* exclusive; start and end of code are multiples of 16 */
} pfmlib_ita2_input_rr_desc_t;

/* Bytes that are measured beyond a range, because registers cannot match it exactly. */
typedef struct {
	unsigned long rr_soff; /* before the range */
	unsigned long rr_eoff; /* after the range */
} pfmlib_ita2_output_rr_desc_t;

#define PFMLIB_ITA2_RR_INV	    0x1 /* rr_flags: measure outside; only of code */
#define PFMLIB_ITA2_RR_NO_FINE_MODE 0x2

typedef struct {
	unsigned int rr_flags;
	pfmlib_ita2_input_rr_desc_t rr_limits[4];
	unsigned char rr_used;
} pfmlib_ita2_input_rr_t;

typedef struct {
	unsigned int rr_nbr_used;		  /* registers in rr_br: 0 to 8, even */
	pfmlib_ita2_output_rr_desc_t rr_infos[4]; /* of each range, in order */
	pfmlib_reg_t rr_br[8]; /* IBRn or DBRn: even n address, odd n mask */
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
 * Computes the registers that measure *inp and *mod_in (NULL: no special features): PMCs
 * and PMDs in *outp, the debug registers of ranges in *mod_out (NULL: no ranges). mod_in
 * points to a pfmlib_ita2_input_param_t, mod_out to a pfmlib_ita2_output_param_t. Both
 * are cleared once the arguments are valid (*mod_out: ours), and undefined after an
 * error.
 *
 * PMCs: the counters in the order of their events, then those of 10, 11, 14, 13, 8, 9,
 * 15, 12 that are needed, 15 always with mod_in. PMDs: the counters, then 0-1 (I-EAR), 2,
 * 3, 17 (D-EAR), 8-16 (BTB). Counters are the first possible ones in lexicographic order.
 *
 * INVAL: inp or outp is NULL (ours), pfp_dfl_plm is 0, no such event, mod_out without
 * mod_in, ranges without mod_out, no such EAR mode, two L2_OZQ_CANCELS events. UMASK:
 * num_masks is not 0. NOASSIGN: more than 4 events, no assignment of counters, or a
 * needed PMC is in pfp_unavail_pmcs. EVTSET: events of one group, but different sets.
 * EVTINCOMP: the D-EAR in TLB or ALAT mode together with the BTB. FEATCOMB: an event does
 * not support a restriction, restrictions exclude each other, or ranges are used and an
 * event has its own privilege level. IRR*, DRR*: invalid ranges, as the codes say.
 *
 * Registers never cover less than the ranges (ours): if the pairs that earlier ranges
 * leave cannot cover a range closely, they cover more; if they cannot cover it at all,
 * the call returns IRRTOOMANY or DRRTOOMANY.
 */
int pfm_dispatch_events(pfmlib_input_param_t *inp, void *mod_in,
			pfmlib_output_param_t *outp, void *mod_out);

/* Calls on an event i work without pfm_initialize(). Return 1; 0 also for no event. */
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
/* Stores the most that the event can count in a cycle, 1 to 7; thresholds are below. */
int pfm_ita2_get_event_maxincr(unsigned int i, unsigned int *maxincr);
/* Stores 4 bits; for an EAR event the umask of PMC10 (8 bits) or PMC11. */
int pfm_ita2_get_event_umask(unsigned int i, unsigned long *umask);
/* Store PFMLIB_ITA2_EVT_* or the number of a set. */
int pfm_ita2_get_event_group(unsigned int i, int *grp);
int pfm_ita2_get_event_set(unsigned int i, int *set);
/* INVAL: not an EAR event; *mode is unchanged. */
int pfm_ita2_get_ear_mode(unsigned int i, pfmlib_ita2_ear_mode_t *mode);
/* Returns 1 if the results of pfm_dispatch_events() use fine mode, else 0. */
int pfm_ita2_irange_is_fine(pfmlib_output_param_t *outp,
			    pfmlib_ita2_output_param_t *mod_out);

/* Returns whether register b is in a set; 0 for NULL and for a b that no set can hold. */
static inline int pfm_regmask_isset(const pfmlib_regmask_t *h, unsigned int b)
{
	return h && b < PFMLIB_MAX_PMCS &&
	       (h->bits[b / PFMLIB_REG_BITS] >> b % PFMLIB_REG_BITS & 1);
}

/* The next calls return PFMLIB_SUCCESS, or INVAL for NULL and for a b out of range. */
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

/* Stores the number of registers in a set. */
static inline int pfm_regmask_weight(const pfmlib_regmask_t *h, unsigned int *weight)
{
	if (!h || !weight)
		return PFMLIB_ERR_INVAL;
	*weight = 0;
	for (size_t i = 0; i < PFMLIB_REG_BV; i++)
		*weight += (unsigned int)__builtin_popcountl(h->bits[i]);
	return PFMLIB_SUCCESS;
}

/* Returns 1 if the sets are equal; 0 if not, or for NULL. */
static inline int pfm_regmask_eq(const pfmlib_regmask_t *h1, const pfmlib_regmask_t *h2)
{
	return h1 && h2 && memcmp(h1, h2, sizeof(*h1)) == 0;
}

/* Store h1 & h2, h1 & ~h2 and h1 | h2 in *dst. */
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

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
