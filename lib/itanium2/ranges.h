/* Restrictions to ranges of code and data: debug registers, PMC13 and PMC14. */
#ifndef ITANIUM2_RANGES_H
#define ITANIUM2_RANGES_H

#include "itanium2/features.h"

/*
 * Add registers to the output: ita2_irange() and ita2_drange() if ranges of code or data
 * are used, ita2_ranges() after them if any ranges are used. Return PFMLIB_SUCCESS, or a
 * PFMLIB_ERR_* if the ranges are invalid or the debug registers cannot cover them.
 */
int ita2_irange(struct ita2_dispatch *d);
int ita2_drange(struct ita2_dispatch *d);
int ita2_ranges(struct ita2_dispatch *d);

#endif
