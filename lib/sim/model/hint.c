#include "sim/model/hint.h"

void hint_renew_data(struct sim *s, uint64_t addr)
{
	uint64_t *set = cache_set(&twoway_d1, s->cpu->d1, addr);
	const uint64_t line = cache_addr(&twoway_d1, set[0], addr);

	if (set[0] && !twoway_page_diff(s, line))
		hint_set_data(s, set, line);
	else
		hint_drop(set);
}

/*
 * Drops the hints of the page in n sets. Returns whether a hint of another page that
 * shares the page's groups is left.
 */
static inline int drop_in_group(uint64_t *set, unsigned n, uint64_t page)
{
	int others = 0;

	for (; n; n--, set += TWOWAY_SET) {
		const uint64_t differs = set[HINT_LOAD] / TWOWAY_PAGE ^ page;

		if (!differs)
			hint_drop(set);
		else if (differs % SIM_PAGES == 0 && set[HINT_LOAD])
			others = 1;
	}
	return others;
}

/* A constant n unrolls the loop over the sets of a group. */
static inline void drop_in_groups(uint64_t *groups, uint64_t *words, unsigned n,
				  uint64_t page)
{
	uint64_t rest = 0;

	for (uint64_t left = *groups; left; left &= left - 1) {
		const unsigned group = (unsigned)__builtin_ctzll(left);

		if (drop_in_group(words + group * n * TWOWAY_SET, n, page))
			rest |= UINT64_C(1) << group;
	}
	*groups = rest;
}

/* The same for L1D, if no other page has hints in the groups: a set takes less time. */
static void drop_data(uint64_t *groups, uint64_t *words, uint64_t page)
{
	for (uint64_t left = *groups; left; left &= left - 1) {
		const unsigned group = (unsigned)__builtin_ctzll(left);
		uint64_t *set = words + group * HINT_D1_GROUP * TWOWAY_SET;

		for (unsigned i = 0; i < HINT_D1_GROUP; i++, set += TWOWAY_SET)
			if (set[HINT_LOAD] / TWOWAY_PAGE == page)
				hint_drop(set);
	}
	*groups = 0;
}

void hint_drop_page(struct sim *s, uint64_t addr)
{
	struct simcpu *c = s->cpu;
	const uint64_t page = addr / TWOWAY_PAGE;
	const uint64_t slot = UINT64_C(1) << page % SIM_PAGES;
	uint64_t *const groups = hint_groups(c->data_groups, addr);

	if (c->shared_slots & slot) {
		drop_in_groups(groups, c->d1, HINT_D1_GROUP, page);
		if (!*groups)
			c->shared_slots &= ~slot;
	} else if (!twoway_page_diff(s, addr)) {
		drop_data(groups, c->d1, page);
	}
	drop_in_groups(hint_groups(c->fetch_groups, addr), c->i1, HINT_I1_GROUP, page);
}

void hint_drop_fetches(struct simcpu *c)
{
	for (unsigned i = 0; i < TWOWAY_I1_SETS; i++)
		hint_drop(c->i1 + i * TWOWAY_SET);
}

void hint_drop_all(struct simcpu *c)
{
	hint_drop_fetches(c);
	for (unsigned i = 0; i < TWOWAY_D1_SETS; i++)
		hint_drop(c->d1 + i * TWOWAY_SET);
}
