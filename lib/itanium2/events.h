/* Itanium 2 events: rows of the table itanium2, with the columns that registers need. */
#ifndef ITANIUM2_EVENTS_H
#define ITANIUM2_EVENTS_H

#include <stdint.h>

#include "table/table.h"

/* Flags of the table's columns, as bits of ita2_event.has. */
enum {
	ITA2_HAS_IARR = 0x1,	  /* code ranges can restrict the event */
	ITA2_HAS_DARR = 0x2,	  /* data ranges can */
	ITA2_HAS_OPCM = 0x4,	  /* opcode matchers can */
	ITA2_HAS_BTB = 0x8,	  /* the event uses the branch trace buffer */
	ITA2_HAS_CANCEL = 0x10,	  /* at most one such event at a time: L2_OZQ_CANCELS */
	ITA2_HAS_PREFETCH = 0x20, /* instruction prefetches: special code ranges */
	ITA2_HAS_RETIRED = 0x40,  /* retired instructions: special code ranges */
	ITA2_HAS_IEAR = 0x80,	  /* the event uses the instruction EAR */
	ITA2_HAS_DEAR = 0x100	  /* the event uses the data EAR */
};

enum { ITA2_NO_GROUP, ITA2_L1D, ITA2_L2, ITA2_NO_SET = -1 };

struct ita2_event {
	const struct event *row;
	unsigned has;	  /* ITA2_HAS_* */
	unsigned code;	  /* event select, 8 bits */
	unsigned umask;	  /* 4 bits; of an EAR event: of PMC10 (8 bits) or PMC11 */
	unsigned maxincr; /* the most that it grows by in a cycle: 1 to 7 */
	int group;	  /* ITA2_NO_GROUP, ITA2_L1D or ITA2_L2 */
	int set;	  /* or ITA2_NO_SET */
	int ear_mode;	  /* pfmlib_ita2_ear_mode_t, of an EAR event */
};

/* The table itanium2. The event descriptors of libpfm 3 are indices of its rows. */
extern const struct evtab *const ita2_tab;

/* Fills *e from a row of the table. */
void ita2_event_of(const struct event *row, struct ita2_event *e);

/* Fills *e from the row of an event descriptor. Returns 0, or -1 if it is invalid. */
int ita2_event_at(unsigned idx, struct ita2_event *e);

#endif
