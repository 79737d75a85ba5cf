#include "sim/model/sharing.h"

enum { FIRST_SIZE = 1 << 12, CPU0 = 1 };

/* Returns the line's entry, or the free entry where it belongs. */
static struct share *find(const struct sharing *s, uint64_t line)
{
	const uint64_t hash = line * UINT64_C(0x9e3779b97f4a7c15) >> 20;
	size_t i = hash & (s->size - 1);

	while (s->entry[i].line && s->entry[i].line != line + 1)
		i = (i + 1) & (s->size - 1);
	return &s->entry[i];
}

/* Makes room for another entry. Returns -1 if there is none. */
static int grow(struct sharing *s)
{
	struct sharing bigger = *s;

	if (s->used < s->size / 4 * 3)
		return 0;
	bigger.size = s->size ? 2 * s->size : FIRST_SIZE;
	bigger.entry = s->alloc(bigger.size * sizeof(*bigger.entry));
	if (!bigger.entry)
		return s->used + 1 < s->size ? 0 : -1;
	for (size_t i = 0; i < s->size; i++)
		if (s->entry[i].line)
			*find(&bigger, s->entry[i].line - 1) = s->entry[i];
	*s = bigger;
	return 0;
}

static struct share *get(struct sharing *s, uint64_t line)
{
	struct share *e = s->size ? find(s, line) : NULL;

	if (e && e->line)
		return e;
	if (grow(s))
		return NULL;
	e = find(s, line);
	e->line = line + 1;
	e->cpus = CPU0;
	s->used++;
	return e;
}

static int is_alone(uint64_t cpus)
{
	return !(cpus & (cpus - 1));
}

void sharing_access(struct sharing *s, uint64_t line, unsigned cpu, unsigned ncpus,
		    int is_write)
{
	const uint64_t me = UINT64_C(1) << cpu;
	struct share *e = get(s, line);

	if (!e || (is_write ? e->cpus == me : e->cpus & me))
		return;
	const int is_transfer = is_write || is_alone(e->cpus);
	const uint64_t age = s->turn - e->turn;

	e->cpus = is_write ? me : e->cpus | me;
	if (!is_transfer)
		return;
	if (e->turn && age && age <= 2 * ncpus + 2 && s->contended)
		s->contended();
	e->turn = s->turn;
}
