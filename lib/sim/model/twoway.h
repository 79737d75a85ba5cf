/*
 * Fast paths for machines of the shape of twoway_shape.h, whose geometry of L1 is
 * constant here. The results are the same as those of the general paths, on the same
 * state; rare cases are left to the general paths.
 */
#ifndef SIM_MODEL_TWOWAY_H
#define SIM_MODEL_TWOWAY_H

#include "sim/model/hint.h"

/*
 * If an initialised machine has this shape, gives its L1 caches room for hints. With
 * other page sizes the results would be right as well, but each access would take a slow
 * path.
 */
void twoway_init(struct sim *s);

/* The same as sim_fetch(), sim_load() and sim_store(), if s->is_twoway. */
void twoway_fetch(struct sim *s, uint64_t addr);
void twoway_load(struct sim *s, uint64_t addr, unsigned size);
void twoway_store(struct sim *s, uint64_t addr, unsigned size);

/*
 * Return the first word of the running CPU's set of addr. As a set takes the size of a
 * line or half of it, the address is the offset of the set, or twice that.
 */
static inline uint64_t *twoway_d1_set(struct sim *s, uint64_t addr)
{
	char *const sets = (char *)(s->d1_sets + twoway_d1.hints);

	_Static_assert(TWOWAY_SET * sizeof(uint64_t) == 32, "a set takes a line's size");
	return (uint64_t *)(sets + (addr & (TWOWAY_D1_SETS - 1) * 32));
}

static inline uint64_t *twoway_i1_set(struct sim *s, uint64_t addr)
{
	char *const sets = (char *)(s->i1_sets + twoway_i1.hints);

	return (uint64_t *)(sets + (addr / 2 & (TWOWAY_I1_SETS - 1) * 32));
}

/* The set index begins at the same address bit whatever the size of L2. */
static inline uint64_t *twoway_l2_set(const struct sim *s, uint64_t addr)
{
	return s->l2_words + (addr / (TWOWAY_L2_LINE / 2) & s->l2.set_mask);
}

static inline uint8_t *twoway_l2_predicted(const struct sim *s, uint64_t addr)
{
	return &s->way[addr / TWOWAY_L2_LINE & s->waymask];
}

/* Adds to s->count what twoway_modify() and twoway_load_usual() have counted. */
void twoway_settle(struct sim *s);

/*
 * The usual loads without a hint: of a line in the second way, or of an absent line that
 * is in the predicted way of L2. Which of the two it is has no pattern, so no branch
 * depends on it. Returns 1, and in *is_miss whether it is the second; or 0 if the load is
 * of another kind, and then changes nothing.
 */
static inline __attribute__((always_inline)) int twoway_load_usual(struct sim *s,
								   uint64_t addr,
								   unsigned size,
								   uint64_t *is_miss)
{
	uint64_t *set = twoway_d1_set(s, addr);
	const uint64_t key = addr | twoway_d1.low, first = set[0], second = set[1];
	const uint64_t absent = (second | WORD_DIRTY) != key;
	const uint64_t word = twoway_l2_set(s, addr)[*twoway_l2_predicted(s, addr)];
	const uint64_t l2 = (word | WORD_DIRTY | WORD_EXCLUSIVE) ^ (addr | s->l2.low);
	const uint64_t unusual =
		twoway_page_diff(s, addr) | twoway_line_diff(addr, size) | (l2 & -absent);

	if (__builtin_expect((first | WORD_DIRTY) == key || unusual, 0))
		return 0;
	*is_miss = absent;
	s->fills += absent;
	s->write_backs += absent & second;
	set[1] = first;
	set[0] = absent ? key ^ WORD_DIRTY : second;
	hint_set_data(s, set, addr);
	return 1;
}

/* Fills a line of L1D that a modification makes dirty, and counts this. */
static inline void twoway_fill_modified(struct sim *s, uint64_t *set, uint64_t addr)
{
	s->upgrades++;
	s->fills++;
	s->write_backs += set[1] & WORD_DIRTY;
	set[1] = set[0];
	set[0] = addr | twoway_d1.low;
	hint_set_dirty(s, set, addr);
}

/* A modification of a line that L1 lacks. at: the word of L2's predicted way. */
void twoway_modify_fill(struct sim *s, uint64_t addr, unsigned size, uint64_t *at);

/* A modification of several lines or another page, or of a line that L1 has. */
void twoway_modify_other(struct sim *s, uint64_t addr, unsigned size);

/*
 * The same as twoway_load(), then twoway_store(). Most lines that are modified and that
 * L1 lacks are dirty and in the predicted way of L2, or not in L2.
 */
static inline __attribute__((always_inline)) void twoway_modify(struct sim *s,
								uint64_t addr,
								unsigned size)
{
	uint64_t *set = twoway_d1_set(s, addr);
	const uint64_t key = addr | twoway_d1.low;
	uint64_t *at = twoway_l2_set(s, addr) + *twoway_l2_predicted(s, addr);

	if (twoway_page_diff(s, addr) | twoway_line_diff(addr, size) ||
	    (set[0] | WORD_DIRTY) == key || (set[1] | WORD_DIRTY) == key)
		twoway_modify_other(s, addr, size);
	else if (*at != (addr | s->l2.low))
		twoway_modify_fill(s, addr, size, at);
	else
		twoway_fill_modified(s, set, addr);
}

#endif
