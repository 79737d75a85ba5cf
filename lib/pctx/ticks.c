#include "pctx/ticks.h"

#include <errno.h>

#include "base/clock.h"
#include "pctx/control.h"

/* Calls tick for the LWPs of a process except those asleep in vfork, as Solaris does. */
static int tick_lwps(const struct tracer *t, struct __pctx *p)
{
	for (struct lwp *l = p->first; l; l = l->next) {
		p->cursor = l;
		if (!l->in_vfork && t->tick && t->tick(p, p->pid, l->id, p->arg))
			return -1;
	}
	return 0;
}

/*
 * Takes one tick of a process. Deadlines are multiples of the interval. A deadline that
 * has passed is skipped and counts as a sample, but the last sample is always taken.
 */
static void tick(struct tracer *t, struct __pctx *p)
{
	if (tick_lwps(t, p)) {
		proc_end_tracking(p, ECANCELED);
		return;
	}
	if (p->left > 0 && --p->left == 0) {
		proc_detach(p);
		return;
	}
	const int64_t now = clock_ns();
	for (p->due += t->interval; p->due <= now; p->due += t->interval) {
		t->skipped++;
		if (p->left > 1)
			p->left--;
	}
}

void ticks_schedule(struct tracer *t, struct __pctx *p, int64_t now)
{
	if (t->interval == 0)
		return;
	p->left = t->nsamples;
	p->due = now + t->interval;
	if (t->next_due == 0 || p->due < t->next_due) {
		t->next_due = p->due;
		wake_at(&t->wake, p->due);
	}
}

void ticks_take_due(struct tracer *t)
{
	const int64_t now = clock_ns();

	if (now < t->next_due)
		return;
	t->next_due = 0;
	for (struct __pctx *p = t->first, *next; p; p = next) {
		next = p->next;
		if (p->due <= now && !p->detaching)
			tick(t, p);
	}
	for (const struct __pctx *p = t->first; p; p = p->next)
		if (!p->detaching && (t->next_due == 0 || p->due < t->next_due))
			t->next_due = p->due;
	if (t->next_due)
		wake_at(&t->wake, t->next_due);
}
