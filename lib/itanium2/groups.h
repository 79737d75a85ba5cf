/*
 * Rules about which counters Itanium 2 events can use together: cache events belong to
 * groups, whose events depend on each other's sets and unit masks.
 */
#ifndef ITANIUM2_GROUPS_H
#define ITANIUM2_GROUPS_H

#include "itanium2/events.h"
#include "table/assign.h"

/* The reasons why no counters can count two events together. */
enum ita2_clash {
	ITA2_NO_CLASH,
	ITA2_CLASH_SET,	  /* one group, but different sets */
	ITA2_CLASH_UMASK, /* group L2, one set, but different unit masks */
	ITA2_CLASH_CANCEL /* two L2_OZQ_CANCELS events */
};

/*
 * Finds the first two events that clash; pair[0] < pair[1] become their indices. The
 * order of the events matters: of two events that share a unit mask, only the later may
 * have mask 0.
 */
enum ita2_clash ita2_clash(const struct ita2_event *ev, unsigned n, unsigned pair[2]);

/*
 * Fills req[] for assign_pics(), from events that do not clash. One event of group L2
 * must be on counter 4, one of group L1D on counter 5.
 */
void ita2_counters_for(const struct ita2_event *ev, unsigned n,
		       struct assign_request *req);

#endif
