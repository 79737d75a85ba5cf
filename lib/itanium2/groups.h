/*
 * Which counters events of an Itanium 2 can be on together: rules about groups of cache
 * events, their sets and unit masks.
 */
#ifndef ITANIUM2_GROUPS_H
#define ITANIUM2_GROUPS_H

#include "itanium2/events.h"
#include "table/assign.h"

/* What is wrong with a pair of events, whatever counters they are on. */
enum ita2_clash {
	ITA2_NO_CLASH,
	ITA2_CLASH_SET,	  /* of one group, and different sets */
	ITA2_CLASH_UMASK, /* of the L2 group, and different unit masks in one set */
	ITA2_CLASH_CANCEL /* two that exclude each other: L2_OZQ_CANCELS */
};

/*
 * The first pair that clashes; pair[0] < pair[1] are indices into ev. The order of events
 * matters: of two unit masks 0 may be the later one alone.
 */
enum ita2_clash ita2_clash(const struct ita2_event *ev, unsigned n, unsigned pair[2]);

/*
 * What each event can be on, for assign_pics(): one of the L2 group must be on counter 4,
 * and one of the L1D group on counter 5. They must not clash.
 */
void ita2_counters_for(const struct ita2_event *ev, unsigned n,
		       struct assign_request *ask);

#endif
