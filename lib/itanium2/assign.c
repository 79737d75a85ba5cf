#include "itanium2/assign.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "itanium2/events.h"
#include "itanium2/groups.h"
#include "table/assign.h"

enum { MAX = 64 };

static const char *group_name(const struct ita2_event *e)
{
	return e->group == ITA2_L1D ? "L1D" : "L2";
}

static void say_clash(enum ita2_clash clash, const struct itanium2_event_wanted *a,
		      const struct ita2_event *x, const struct itanium2_event_wanted *b,
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
			 "%s and %s: of all events L2_OZQ_CANCELS only one can be "
			 "counted at a time",
			 a->name, b->name);
}

/* A text that grows; what does not fit is cut. */
struct text {
	char *s;
	size_t size, len;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *fmt,
						      ...)
{
	va_list ap;

	va_start(ap, fmt);
	const int n = vsnprintf(t->s + t->len, t->size - t->len, fmt, ap);
	va_end(ap);
	t->len += n > 0 ? (size_t)n : 0;
	if (t->len >= t->size)
		t->len = t->size - 1;
}

/* "A, B and C" */
static void add_names(struct text *t, const struct itanium2_event_wanted *w, uint64_t who)
{
	for (const char *sep = ""; who; who &= who - 1) {
		add(t, "%s%s", sep, w[__builtin_ctzll(who)].name);
		sep = __builtin_popcountll(who) == 2 ? " and " : ", ";
	}
}

/* The counters do not do, for these of them. */
static void say_counters(const struct itanium2_event_wanted *w,
			 const struct ita2_event *ev, uint64_t who, char *err,
			 size_t size)
{
	struct text t = {err, size, 0};
	uint64_t pics = 0;
	int groups = 0, asked = 0;

	for (uint64_t left = who; left; left &= left - 1) {
		const unsigned i = (unsigned)__builtin_ctzll(left);

		pics |= ev[i].row->pics;
		groups |= ev[i].group;
		asked |= (ev[i].row->pics & ~w[i].can) != 0;
	}
	add_names(&t, w, who);
	if (who & (who - 1) && !(pics & (pics - 1))) {
		add(&t, ": each can be counted on counter %d alone",
		    __builtin_ctzll(pics));
		return;
	}
	add(&t, ": cannot be counted%s%s; there are counters 4 to 7",
	    who & (who - 1) ? " together" : "",
	    asked ? " on the counters that are asked for" : "");
	if (groups & ITA2_L1D)
		add(&t, ", one event of group L1D must be on counter 5");
	if (groups & ITA2_L2)
		add(&t, ", one event of group L2 must be on counter 4");
}

static int refuse(void)
{
	errno = EINVAL;
	return -1;
}

int itanium2_assign(const struct itanium2_event_wanted *w, unsigned n, unsigned *pic,
		    char *err, size_t size)
{
	struct ita2_event ev[MAX] = {0};
	struct assign_request ask[MAX];
	struct assign_result choice[MAX];
	uint64_t who;
	unsigned pair[2];

	if (n > MAX) {
		snprintf(err, size, "%u events are too many", n);
		return refuse();
	}
	for (unsigned i = 0; i < n; i++)
		ita2_event_of(w[i].row, &ev[i]);
	const enum ita2_clash clash = ita2_clash(ev, n, pair);
	if (clash != ITA2_NO_CLASH) {
		say_clash(clash, &w[pair[0]], &ev[pair[0]], &w[pair[1]], &ev[pair[1]],
			  err, size);
		return refuse();
	}
	ita2_counters_for(ev, n, ask);
	for (unsigned i = 0; i < n; i++)
		ask[i].can &= w[i].can;
	if (assign_pics(ask, n, choice, &who) == -1) {
		say_counters(w, ev, who, err, size);
		return refuse();
	}
	for (unsigned i = 0; i < n; i++)
		pic[i] = choice[i].pic;
	return 0;
}
