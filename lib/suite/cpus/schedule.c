#include "suite/cpus/schedule.h"

struct schedule schedule_make(int64_t start, int64_t interval, int64_t period,
			      unsigned nsets, uint64_t count)
{
	struct schedule s = {start, interval, 0, nsets, count};

	/* ten sets of 10^9 s overflow: their second turn is never due */
	if (__builtin_mul_overflow(interval, nsets, &s.cycle))
		s.cycle = INT64_MAX;

	if (nsets > 1 && period > 0) {
		s.count *= nsets;
		if (period > s.cycle)
			s.cycle = period;
	}
	return s;
}

unsigned schedule_set(const struct schedule *s, uint64_t n)
{
	return (unsigned)((n - 1) % s->nsets);
}

int64_t schedule_begin(const struct schedule *s, uint64_t n)
{
	return s->start + (int64_t)((n - 1) / s->nsets) * s->cycle +
	       (int64_t)schedule_set(s, n) * s->interval;
}

int64_t schedule_end(const struct schedule *s, uint64_t n)
{
	return schedule_begin(s, n) + s->interval;
}

/* The first sample of the present cycle: all samples of earlier cycles are due. */
static uint64_t first_of_now(const struct schedule *s, int64_t now)
{
	const int64_t cycles = (now - s->start) / s->cycle;

	return cycles > 0 ? (uint64_t)cycles * s->nsets + 1 : 1;
}

uint64_t schedule_next(const struct schedule *s, uint64_t n, int64_t now,
		       uint64_t *skipped)
{
	uint64_t next = first_of_now(s, now);

	if (next <= n)
		next = n + 1;
	while (schedule_end(s, next) <= now)
		next++;
	if (s->count && next > s->count) {
		*skipped += n < s->count ? s->count - n : 0;
		return 0;
	}
	*skipped += next - n - 1;
	return next;
}
