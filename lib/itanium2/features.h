/*
 * A call of pfm_dispatch_events(): its arguments, the registers found so far, and the
 * registers of EARs, opcode matchers and the branch trace buffer. Functions that return
 * an int return a PFMLIB_* code unless their comment says otherwise.
 */
#ifndef ITANIUM2_FEATURES_H
#define ITANIUM2_FEATURES_H

#include <stdint.h>

#include <perfmon/pfmlib_itanium2.h>
#include "itanium2/events.h"

struct ita2_dispatch {
	const pfmlib_input_param_t *in;
	const pfmlib_ita2_input_param_t *mod; /* all 0 if the caller gave none */
	int has_mod;
	pfmlib_output_param_t *out;
	pfmlib_ita2_output_param_t *mod_out; /* NULL: ranges are an error */
	unsigned n;			     /* events */
	struct ita2_event ev[PMU_ITA2_NUM_COUNTERS];
	int exact_fine; /* fine mode need not work around the erratum */
};

/* Returns plm, or the default privilege levels if plm is 0. */
unsigned ita2_dispatch_plm(const struct ita2_dispatch *d, unsigned plm);
/* Returns 1 if the counters are for a CPU, 0 if for a thread. */
int ita2_dispatch_systemwide(const struct ita2_dispatch *d);

/* Returns the first event that has one of the bits ITA2_HAS_*, or NULL. */
const struct ita2_event *ita2_dispatch_event(const struct ita2_dispatch *d, unsigned has);
/* Returns the number of events that have one of the bits ITA2_HAS_*. */
unsigned ita2_dispatch_count(const struct ita2_dispatch *d, unsigned has);

/* Adds a PMC to the output. PFMLIB_ERR_NOASSIGN: the caller excludes this PMC. */
int ita2_dispatch_pmc(struct ita2_dispatch *d, unsigned pmc, uint64_t value);
/* Adds the PMDs first to last, with value 0, to the output. */
void ita2_dispatch_pmds(struct ita2_dispatch *d, unsigned first, unsigned last);

/* Returns PMCn, PMDn, IBRn or DBRn with this value. */
pfmlib_reg_t ita2_dispatch_reg(unsigned n, uint64_t value);

/*
 * Add the registers of the instruction EAR and of the data EAR if the caller's structure
 * or an event uses the EAR; the structure overrides the event. PFMLIB_ERR_INVAL: unknown
 * mode.
 */
int ita2_iear(struct ita2_dispatch *d);
int ita2_dear(struct ita2_dispatch *d);

/*
 * Returns 1 if the D-EAR is in a mode (TLB, ALAT) that excludes the branch trace buffer.
 */
int ita2_dear_excludes_btb(const struct ita2_dispatch *d);

/*
 * Adds the registers of the opcode matchers: PMC8 also if code ranges are used, PMC15
 * always. PFMLIB_ERR_FEATCOMB: PMC9 is used, and an event does not count retired
 * instructions.
 */
int ita2_opcode(struct ita2_dispatch *d);

/*
 * Adds the registers of the branch trace buffer if the buffer is used, and a PMC12 of 0
 * if the D-EAR needs the buffer off. PFMLIB_ERR_EVTINCOMP: both.
 */
int ita2_btb(struct ita2_dispatch *d);

#endif
