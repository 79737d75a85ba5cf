#include "itanium2/groups.h"

/* The counter that configures the group and must count one of its events: bit n for n. */
static const uint64_t leader_pic[] = {
	[ITA2_NO_GROUP] = 0, [ITA2_L1D] = UINT64_C(1) << 5, [ITA2_L2] = UINT64_C(1) << 4};

/* L2 events of sets 1 and 2 have unit masks of their own; the other sets share one. */
static int has_own_umask(const struct ita2_event *e)
{
	return e->set == 1 || e->set == 2;
}

static enum ita2_clash group_clash(const struct ita2_event *a, const struct ita2_event *b)
{
	if (a->group == ITA2_NO_GROUP || a->group != b->group)
		return ITA2_NO_CLASH;
	if (a->set != b->set)
		return ITA2_CLASH_SET;
	if (a->group == ITA2_L2 && !has_own_umask(a) && b->umask && b->umask != a->umask)
		return ITA2_CLASH_UMASK;
	return ITA2_NO_CLASH;
}

static enum ita2_clash cancel_clash(const struct ita2_event *a,
				    const struct ita2_event *b)
{
	return a->has & b->has & ITA2_HAS_CANCEL ? ITA2_CLASH_CANCEL : ITA2_NO_CLASH;
}

enum ita2_clash ita2_clash(const struct ita2_event *ev, unsigned n, unsigned pair[2])
{
	static enum ita2_clash (*const rules[])(
		const struct ita2_event *a, const struct ita2_event *b) = {group_clash,
									   cancel_clash};

	for (unsigned r = 0; r < sizeof(rules) / sizeof(*rules); r++)
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = i + 1; j < n; j++) {
				const enum ita2_clash c = rules[r](&ev[i], &ev[j]);

				if (c == ITA2_NO_CLASH)
					continue;
				pair[0] = i;
				pair[1] = j;
				return c;
			}
	return ITA2_NO_CLASH;
}

/* Returns 1 if leader may be on counter 4, whose unit mask holds for all L2 events. */
static int can_lead(const struct ita2_event *ev, unsigned n,
		    const struct ita2_event *leader)
{
	if (leader->group != ITA2_L2 || has_own_umask(leader))
		return 1;
	for (unsigned i = 0; i < n; i++)
		if (ev[i].group == ITA2_L2 && ev[i].umask && ev[i].umask != leader->umask)
			return 0;
	return 1;
}

void ita2_counters_for(const struct ita2_event *ev, unsigned n,
		       struct assign_request *req)
{
	for (unsigned i = 0; i < n; i++) {
		req[i] = (struct assign_request){.can = ev[i].row->pics,
						 .must_use = leader_pic[ev[i].group]};
		if (!can_lead(ev, n, &ev[i]))
			req[i].can &= ~req[i].must_use;
	}
}
