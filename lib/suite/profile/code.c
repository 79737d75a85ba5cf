#include "suite/profile/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/profile/collect.h"

enum { MOST_FRAMES = 64, MOST_INPUTS = 1 << 24 };

const char *profile_number_name(enum profile_number n)
{
	static const char *const names[] = {
		[PROFILE_COUNTS] = "exact counts",
		[PROFILE_WEIGHTED] = "records x interval",
		[PROFILE_RECORDS] = "records",
	};

	return names[n];
}

const uint64_t *profile_values(const struct profile *p, size_t i)
{
	return p->value + i * p->nmetric;
}

const struct symbols_frame *profile_frames(const struct profile *p,
					   const struct profile_code *c)
{
	return p->frame + c->frame;
}

/* Return the code of an instruction, or NULL if it was not recorded. */
static const struct profile_code *find_code(const struct profile *p, size_t input,
					    uint64_t ip)
{
	size_t low = 0, high = p->ncode;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;
		const struct profile_code *c = &p->code[mid];

		if (c->ip == ip && c->input == input)
			return c;
		if (c->ip < ip || (c->ip == ip && c->input < input))
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

struct symbols_frame profile_symbol(const struct profile *p, size_t input, uint64_t ip)
{
	const struct profile_code *c = find_code(p, input, ip);
	struct symbols_frame frame[MOST_FRAMES];

	if (c)
		return profile_frames(p, c)[c->nframe - 1];
	return frame[symbols_code(p->input[input].symbols, ip, frame, MOST_FRAMES) - 1];
}

static void free_metrics(struct profile *p)
{
	for (unsigned i = 0; i < p->nmetric; i++) {
		free(p->metric[i].event);
		free(p->metric[i].source);
	}
	free(p->metric);
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	free_metrics(p);
	free(p->code);
	free(p->value);
	free(p->frame);
	free(p->marker);
	tally_free(&p->thread);
	tally_free(&p->core);
	tally_free(&p->branch);
	tally_free(&p->latency);
	tally_free(&p->lwpval);
	tally_free(&p->data);
	tally_free(&p->time);
	free(p);
}

static int sort_tallies(struct profile *p)
{
	struct tally *const all[] = {&p->thread, &p->core, &p->branch, &p->latency,
				     &p->lwpval, &p->data, &p->time};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (tally_sort(all[i]) == -1)
			return -1;
	return 0;
}

/* Look up the functions of a code, and append them to the frames. */
static int add_frames(struct profile *p, struct profile_code *c, size_t *n, size_t *room)
{
	if (*n + MOST_FRAMES > *room) {
		const size_t more = 2 * *room + MOST_FRAMES;
		struct symbols_frame *grown = reallocarray(p->frame, more, sizeof *grown);

		if (!grown)
			return -1;
		p->frame = grown;
		*room = more;
	}
	c->frame = *n;
	c->nframe = symbols_code(p->input[c->input].symbols, c->ip, p->frame + *n,
				 MOST_FRAMES);
	*n += c->nframe;
	return 0;
}

/* Make codes of the sorted entries, of which those of an instruction are neighbours. */
static int make_codes(struct profile *p, const struct tally *t)
{
	size_t nframe = 0, room = 0;
	struct profile_code *c = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const uint64_t *entry = tally_entry(t, i);
		const uint32_t input = (uint32_t)collect_input(entry[1]);

		if (!c || c->ip != entry[0] || c->input != input) {
			c = &p->code[p->ncode++];
			*c = (struct profile_code){.ip = entry[0], .input = input};
			if (add_frames(p, c, &nframe, &room) == -1)
				return -1;
		}
		p->value[(p->ncode - 1) * p->nmetric + collect_metric(entry[1])] =
			entry[2];
	}
	return 0;
}

static int fill(struct profile *p, const struct profile_options *o)
{
	struct tally codes = {.nkey = 2, .nsum = 2};
	int rc = -1;

	if (collect(p, &codes, o) == 0 && tally_sort(&codes) == 0 &&
	    sort_tallies(p) == 0) {
		p->code = calloc(codes.n + 1, sizeof *p->code);
		p->value = calloc(codes.n * p->nmetric + 1, sizeof *p->value);
		if (p->code && p->value)
			rc = make_codes(p, &codes);
	}
	tally_free(&codes);
	return rc;
}

struct profile *profile_new(const struct profile_input *input, size_t n,
			    const struct profile_options *o)
{
	if (n > MOST_INPUTS) {
		errno = E2BIG;
		return NULL;
	}
	struct profile *p = malloc(sizeof *p);

	if (!p)
		return NULL;
	*p = (struct profile){
		.input = input,
		.ninput = n,
		.thread = {.nkey = 2, .nsum = 2},
		.core = {.nkey = 2, .nsum = 2},
		.branch = {.nkey = 3, .nsum = 5},
		.latency = {.nkey = 2, .nsum = 2},
		.lwpval = {.nkey = 4, .nsum = 2},
		.data = {.nkey = 4, .nsum = 3},
		.time = {.nkey = 3, .nsum = 1},
	};
	if (fill(p, o) == -1) {
		const int error = errno;

		profile_free(p);
		errno = error;
		return NULL;
	}
	return p;
}
