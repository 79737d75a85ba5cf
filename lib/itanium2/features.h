/*
 * A call of pfm_dispatch_events() on an Itanium 2: what it was asked, and the registers
 * that it has found so far.
 */
#ifndef ITANIUM2_FEATURES_H
#define ITANIUM2_FEATURES_H

#include <stdint.h>

#include <perfmon/pfmlib_itanium2.h>
#include "itanium2/events.h"

struct ita2_dispatch {
	const pfmlib_input_param_t *in;
	const pfmlib_ita2_input_param_t *mod; /* all 0 if the caller has none */
	int has_mod;
	pfmlib_output_param_t *out;
	pfmlib_ita2_output_param_t *mod_out; /* NULL if no ranges are used */
	unsigned n;
	struct ita2_event ev[PMU_ITA2_NUM_COUNTERS];
	int exact_fine; /* fine mode without the detour of an erratum */
};

/* A level that was asked for, or the default one. */
unsigned ita2_dispatch_plm(const struct ita2_dispatch *job, unsigned plm);
int ita2_dispatch_systemwide(const struct ita2_dispatch *job);

/* The first event that has one of these (ITA2_HAS_*), or NULL. */
const struct ita2_event *ita2_dispatch_event(const struct ita2_dispatch *job,
					     unsigned has);
/* How many have. */
unsigned ita2_dispatch_count(const struct ita2_dispatch *job, unsigned has);

/* One more register. PFMLIB_ERR_NOASSIGN: that PMC cannot be had. */
int ita2_dispatch_pmc(struct ita2_dispatch *job, unsigned pmc, uint64_t value);
void ita2_dispatch_pmds(struct ita2_dispatch *job, unsigned first, unsigned last);

/* A register of a value: PMCn, IBRn or DBRn. */
pfmlib_reg_t ita2_dispatch_reg(unsigned n, uint64_t value);

/*
 * Both add registers to the job if they are used: by an event, by the caller's structure,
 * which goes before, or by that alone. PFMLIB_ERR_INVAL: there is no such mode.
 */
int ita2_iear(struct ita2_dispatch *job);
int ita2_dear(struct ita2_dispatch *job);

/* Does the D-EAR use what the branch trace buffer needs: is it in TLB or ALAT mode? */
int ita2_dear_excludes_btb(const struct ita2_dispatch *job);

/*
 * Adds registers to the job: PMC8 also where code ranges are used, PMC15 always.
 * PFMLIB_ERR_FEATCOMB: PMC9, and an event other than retired instructions.
 */
int ita2_opcode(struct ita2_dispatch *job);

/*
 * Adds registers to the job if it is used, and where the D-EAR needs it to be off.
 * PFMLIB_ERR_EVTINCOMP: both.
 */
int ita2_btb(struct ita2_dispatch *job);

#endif
