/*
 * Restrictions to ranges of code and data on an Itanium 2: debug registers, PMC13, PMC14.
 */
#ifndef ITANIUM2_RANGES_H
#define ITANIUM2_RANGES_H

#include "itanium2/features.h"

/*
 * Each adds registers to the job if its ranges are used; ita2_ranges() is what both have
 * in common and comes last. A PFMLIB_ERR_* where they do not work out.
 */
int ita2_irange(struct ita2_dispatch *job);
int ita2_drange(struct ita2_dispatch *job);
int ita2_ranges(struct ita2_dispatch *job);

#endif
