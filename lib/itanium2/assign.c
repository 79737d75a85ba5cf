#include "itanium2/assign.h"

#include <errno.h>
#include <stdio.h>

#include "base/say.h"
#include "itanium2/events.h"
#include "itanium2/groups.h"
#include "table/assign.h"

enum { MAX_EVENTS = 64 };

static const char *group_name(const struct ita2_event *e)
{
	return e->group == ITA2_L1D ? "L1D" : "L2";
}

static void clash_message(enum ita2_clash clash, const struct itanium2_wanted_event *a,
			  const struct ita2_event *x,
			  const struct itanium2_wanted_event *b,
			  const struct ita2_event *y, char *err, size_t size)
{
	if (clash == ITA2_CLASH_SET)
		snprintf(err, size,
			 "%s (group %s, set %d) and %s (set %d): events of one group can "
			 "be counted together only if they are of one set",
			 a->name, group_name(x), x->set, b->name, y->set);
	else if (clash == ITA2_CLASH_UMASK && !x->umask)
		snprintf(err, size,
			 "%s and %s (group L2, set %d) share the unit mask of the "
			 "latter, which must come first",
			 a->name, b->name, x->set);
	else if (clash == ITA2_CLASH_UMASK)
		snprintf(err, size,
			 "%s (group L2, set %d, unit mask %#x) and %s (unit mask %#x): "
			 "events of this set can be counted together only if they have "
			 "one unit mask",
			 a->name, x->set, x->umask, b->name, y->umask);
	else
		snprintf(err, size,
			 "%s and %s: only one of the L2_OZQ_CANCELS events can be "
			 "counted at a time",
			 a->name, b->name);
}

static const char *name_of(const void *arg, unsigned member)
{
	const struct itanium2_wanted_event *w = arg;

	return w[member].name;
}

/* Writes why no assignment of counters satisfies these events; bit n: event n. */
static void counters_message(const struct itanium2_wanted_event *w,
			     const struct ita2_event *ev, uint64_t events, char *err,
			     size_t size)
{
	uint64_t pics = 0;
	int groups = 0, requested = 0;

	for (uint64_t left = events; left; left &= left - 1) {
		const unsigned i = (unsigned)__builtin_ctzll(left);

		pics |= ev[i].row->pics;
		groups |= ev[i].group;
		requested |= (ev[i].row->pics & ~w[i].pics) != 0;
	}
	err[0] = '\0';
	say_set(err, size, events, name_of, w);
	if (events & (events - 1) && !(pics & (pics - 1))) {
		say_add(err, size, ": each can be counted only on counter %d",
			__builtin_ctzll(pics));
		return;
	}
	say_add(err, size, " cannot be counted%s%s: the processor has counters 4 to 7",
		events & (events - 1) ? " together" : "",
		requested ? " on the requested counters" : "");
	if (groups & ITA2_L1D)
		say_add(err, size, ", one event of group L1D must be on counter 5");
	if (groups & ITA2_L2)
		say_add(err, size, ", one event of group L2 must be on counter 4");
}

static int fail(void)
{
	errno = EINVAL;
	return -1;
}

int itanium2_assign(const struct itanium2_wanted_event *w, unsigned n, unsigned *pic,
		    char *err, size_t size)
{
	struct ita2_event ev[MAX_EVENTS] = {0};
	struct assign_request req[MAX_EVENTS];
	struct assign_result result[MAX_EVENTS];
	uint64_t unassigned;
	unsigned pair[2];

	if (n > MAX_EVENTS) {
		snprintf(err, size, "%u events are too many", n);
		return fail();
	}
	for (unsigned i = 0; i < n; i++)
		ita2_event_of(w[i].row, &ev[i]);
	const enum ita2_clash clash = ita2_clash(ev, n, pair);
	if (clash != ITA2_NO_CLASH) {
		clash_message(clash, &w[pair[0]], &ev[pair[0]], &w[pair[1]], &ev[pair[1]],
			      err, size);
		return fail();
	}
	ita2_counters_for(ev, n, req);
	for (unsigned i = 0; i < n; i++)
		req[i].can &= w[i].pics;
	if (assign_pics(req, n, result, &unassigned) == -1) {
		counters_message(w, ev, unassigned, err, size);
		return fail();
	}
	for (unsigned i = 0; i < n; i++)
		pic[i] = result[i].pic;
	return 0;
}
