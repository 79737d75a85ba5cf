#include "itanium2/events.h"

#include <stddef.h>
#include <string.h>

#include <perfmon/pfmlib_itanium2.h>

/* Generated from events/itanium2.events. */
extern const struct evtab evtab_table_itanium2;

const struct evtab *const ita2_tab = &evtab_table_itanium2;

static const struct {
	const char *key;
	unsigned has;
} flags[] = {
	{"iarr", ITA2_HAS_IARR},
	{"darr", ITA2_HAS_DARR},
	{"opcm", ITA2_HAS_OPCM},
	{"btb", ITA2_HAS_BTB},
	{"cancel_excl", ITA2_HAS_CANCEL},
	{"irange_prefetch", ITA2_HAS_PREFETCH},
	{"irange_inst_retired", ITA2_HAS_RETIRED},
};

static void set_flag(const char *key, struct ita2_event *e)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (strcmp(flags[i].key, key) == 0)
			e->has |= flags[i].has;
}

static int ear_mode(const char *text)
{
	if (strcmp(text, "tlb") == 0)
		return PFMLIB_ITA2_EAR_TLB_MODE;
	if (strcmp(text, "alat") == 0)
		return PFMLIB_ITA2_EAR_ALAT_MODE;
	return PFMLIB_ITA2_EAR_CACHE_MODE;
}

static void set_value(const struct evcol *col, struct ita2_event *e)
{
	if (strcmp(col->key, "umask") == 0)
		e->umask = (unsigned)col->num;
	else if (strcmp(col->key, "maxincr") == 0)
		e->maxincr = (unsigned)col->num;
	else if (strcmp(col->key, "group") == 0)
		e->group = (int)col->num;
	else if (strcmp(col->key, "set") == 0)
		e->set = (int)col->num;
	else if (strcmp(col->key, "iear") == 0 || strcmp(col->key, "dear") == 0) {
		e->has |= col->key[0] == 'i' ? ITA2_HAS_IEAR : ITA2_HAS_DEAR;
		e->ear_mode = ear_mode(col->text);
	}
}

void ita2_event_of(const struct event *row, struct ita2_event *e)
{
	*e = (struct ita2_event){
		.row = row, .code = row->num, .group = ITA2_NO_GROUP, .set = ITA2_NO_SET};
	for (unsigned i = 0; i < row->ncols; i++)
		if (row->cols[i].text)
			set_value(&row->cols[i], e);
		else
			set_flag(row->cols[i].key, e);
}

int ita2_event_at(unsigned idx, struct ita2_event *e)
{
	if (idx >= ita2_tab->n)
		return -1;
	ita2_event_of(&ita2_tab->ev[idx], e);
	return 0;
}
