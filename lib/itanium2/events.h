/*
 * Events of an Itanium 2: rows of its table, and what registers want to know of them.
 */
#ifndef ITANIUM2_EVENTS_H
#define ITANIUM2_EVENTS_H

#include <stdint.h>

#include "table/table.h"

/* Columns of its table, as bits of ita2_event.has. */
enum {
	ITA2_HAS_IARR = 0x1, /* code ranges can restrict it */
	ITA2_HAS_DARR = 0x2,
	ITA2_HAS_OPCM = 0x4,
	ITA2_HAS_BTB = 0x8,
	ITA2_HAS_CANCEL = 0x10,	  /* not two of these */
	ITA2_HAS_PREFETCH = 0x20, /* has a rule of its own about code ranges */
	ITA2_HAS_RETIRED = 0x40,  /* so has it: retired instructions */
	ITA2_HAS_IEAR = 0x80,
	ITA2_HAS_DEAR = 0x100
};

enum { ITA2_NO_GROUP, ITA2_L1D, ITA2_L2, ITA2_NO_SET = -1 };

struct ita2_event {
	const struct event *row;
	unsigned has;
	unsigned code;	  /* 8 bits */
	unsigned umask;	  /* 4 bits; of an EAR event: up to 8, for its PMC10 or PMC11 */
	unsigned maxincr; /* in a cycle: 1 to 7 */
	int group, set;
	int ear_mode; /* pfmlib_ita2_ear_mode_t, of an EAR event */
};

/* The table; event descriptors number its rows. */
extern const struct evtab *const ita2_tab;

/* row is of the table. */
void ita2_event_of(const struct event *row, struct ita2_event *e);

/* -1: there is no such descriptor. */
int ita2_event_at(unsigned idx, struct ita2_event *e);

#endif
