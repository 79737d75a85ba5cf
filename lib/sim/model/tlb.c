#include "sim/model/tlb.h"

#include "sim/model/cache.h"

enum { MAX_ENTRIES = 32768 };

int tlb_init(struct tlb *t, const struct mtlb *m)
{
	if (!m->entries || m->entries > MAX_ENTRIES || m->repl != REPL_FIFO ||
	    !is_pow2(m->page) || m->page < 2)
		return -1;
	if (m->ways && (m->entries % m->ways || !is_pow2(m->entries / m->ways)))
		return -1;
	t->ways = m->ways ? m->ways : m->entries;
	t->sets = m->ways ? m->entries / m->ways : 1;
	t->shift = floor_log2(m->page);
	/* More than two and at most four buckets for an entry. */
	t->hash = 64 - (floor_log2(m->entries) + 2);
	return 0;
}

static size_t buckets(const struct tlb *t)
{
	return (size_t)1 << (64 - t->hash);
}

static size_t entries(const struct tlb *t)
{
	return (size_t)t->sets * t->ways;
}

size_t tlb_size(const struct tlb *t)
{
	return entries(t) * (sizeof(*t->page) + sizeof(*t->chain)) +
	       buckets(t) * sizeof(*t->bucket) + t->sets * sizeof(*t->next_way);
}

void tlb_set_memory(struct tlb *t, void *mem)
{
	t->page = mem;
	t->bucket = (uint16_t *)(t->page + entries(t));
	t->chain = t->bucket + buckets(t);
	t->next_way = t->chain + entries(t);
}

static void unlink_entry(struct tlb *t, unsigned entry)
{
	uint16_t *p = tlb_bucket(t, t->page[entry] - 1);

	while (*p != entry + 1)
		p = &t->chain[*p - 1];
	*p = t->chain[entry];
}

uint64_t tlb_fill(struct tlb *t, uint64_t addr)
{
	const uint64_t page = addr >> t->shift;
	uint16_t *next = &t->next_way[page & (t->sets - 1)];
	const unsigned entry = (page & (t->sets - 1)) * t->ways + *next;
	const uint64_t gone = t->page[entry];

	if (gone)
		unlink_entry(t, entry);
	*next = *next + 1u == t->ways ? 0 : *next + 1;
	t->page[entry] = page + 1;
	uint16_t *bucket = tlb_bucket(t, page);

	t->chain[entry] = *bucket;
	*bucket = entry + 1;
	return gone;
}
