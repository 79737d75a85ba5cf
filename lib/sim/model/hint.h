/*
 * Hints: two more words before the words of each L1 set, from which generated code sees
 * that an access changes no state. Only machines of the shape of twoway_shape.h have
 * them.
 *
 * A hint is the key of the set's first line: the address of the line's last byte. It is 0
 * if there is no such line, if an access may miss the line's page in the TLB, and, in the
 * hint for stores, if the line is clean. A hint that is 0 costs time only; a wrong one
 * would change counts. So what moves or cleans a line, or drops a page from the TLB, must
 * renew or drop the hints.
 *
 * Generated code compares the key of an access's last byte with the hint in the set of
 * its first byte. An access of up to 32 bytes that reaches into the next line never fits,
 * as the key of that line belongs to the next set.
 *
 * The words of the running CPU are in struct sim, at addresses that generated code
 * contains; those of another CPU are in its own memory.
 */
#ifndef SIM_MODEL_HINT_H
#define SIM_MODEL_HINT_H

#include "sim/model/twoway_shape.h"

/* The places of hints, relative to the first word of a set. L1I has no stores. */
enum { HINT_LOAD = -2, HINT_FETCH = -2, HINT_STORE = -1 };

/* Returns the key of addr, which is the key of every byte of its line. */
static inline uint64_t hint_key(const struct cache *g, uint64_t addr)
{
	return addr | g->line;
}

/* Drops the hints of a set. */
static inline void hint_drop(uint64_t *set)
{
	set[HINT_LOAD] = set[HINT_STORE] = 0;
}

/* The sets of a cache are divided into groups; hints of a page are found by groups. */
enum {
	HINT_GROUPS = 64,
	HINT_D1_GROUP = TWOWAY_D1_SETS / HINT_GROUPS,
	HINT_I1_GROUP = TWOWAY_I1_SETS / HINT_GROUPS
};

/* Returns the groups in which the page of addr, or a page that shares them, has hints. */
static inline uint64_t *hint_groups(uint64_t *groups, uint64_t addr)
{
	return &groups[addr / TWOWAY_PAGE % SIM_PAGES];
}

/* Remembers that the group of a set of L1D has hints of the page of addr. */
static inline void hint_add_group(struct sim *s, uint64_t addr)
{
	*hint_groups(s->cpu->data_groups, addr) |=
		UINT64_C(1) << addr / ((twoway_d1.line + 1) * HINT_D1_GROUP) %
				       HINT_GROUPS;
}

/* Sets the hints of a set of L1D: addr is in its first line, of a remembered page. */
static inline void hint_set_data(struct sim *s, uint64_t *set, uint64_t addr)
{
	const uint64_t key = hint_key(&twoway_d1, addr);

	set[HINT_LOAD] = key;
	set[HINT_STORE] = key & -(set[0] & WORD_DIRTY);
	hint_add_group(s, addr);
}

/* The same, if the line is dirty. */
static inline void hint_set_dirty(struct sim *s, uint64_t *set, uint64_t addr)
{
	set[HINT_LOAD] = set[HINT_STORE] = hint_key(&twoway_d1, addr);
	hint_add_group(s, addr);
}

/*
 * Sets the hint of the set of L1I that a fetch from addr has just made addr's line
 * first in.
 */
static inline void hint_set_fetch(struct sim *s, uint64_t *set, uint64_t addr)
{
	set[HINT_FETCH] = hint_key(&twoway_i1, addr);
	*hint_groups(s->cpu->fetch_groups, addr) |=
		UINT64_C(1) << addr / ((twoway_i1.line + 1) * HINT_I1_GROUP) %
				       HINT_GROUPS;
}

/* Renews the hints of addr's set of L1D after any change. */
void hint_renew_data(struct sim *s, uint64_t addr);

/*
 * Drops the hints of lines in the page of addr, which has left the TLB, before the page
 * is no longer remembered.
 */
void hint_drop_page(struct sim *s, uint64_t addr);

/* Drop all hints of a CPU for fetches; all its hints. */
void hint_drop_fetches(struct simcpu *c);
void hint_drop_all(struct simcpu *c);

#endif
