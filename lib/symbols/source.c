#include "symbols/source.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

uint32_t source_add_name(struct source_lines *s, const char *name)
{
	const char *const copy = strings_unique(&s->strings, name);

	if (!copy || s->nnames >= SOURCE_NONE ||
	    array_grow(&s->names, s->nnames, sizeof(*s->names))) {
		errno = ENOMEM;
		return SOURCE_NONE;
	}
	s->names[s->nnames] = copy;
	return s->nnames++;
}

uint32_t source_add_function(struct source_lines *s, const struct source_function *f)
{
	if (s->nfunctions >= SOURCE_NONE) {
		errno = ENOMEM;
		return SOURCE_NONE;
	}
	if (array_grow(&s->functions, s->nfunctions, sizeof(*f)))
		return SOURCE_NONE;
	s->functions[s->nfunctions] = *f;
	return s->nfunctions++;
}

int source_add_range(struct source_lines *s, uint32_t function, uint64_t start,
		     uint64_t end)
{
	struct source_function *const f = &s->functions[function];

	if (!f->start || start < f->start)
		f->start = start;
	return ranges_add(&s->code, start, end, function, function);
}

/* Return the first row of the sequence that is not ended yet. */
static size_t first_row(const struct source_lines *s)
{
	if (!s->nsequences)
		return 0;

	const struct source_sequence *const last = &s->sequences[s->nsequences - 1];

	return last->first + last->n;
}

int source_add_row(struct source_lines *s, const struct source_row *row)
{
	const size_t first = first_row(s);

	while (s->nrows > first && s->rows[s->nrows - 1].address >= row->address)
		s->nrows--;
	if (s->nrows > first && s->rows[s->nrows - 1].file == row->file &&
	    s->rows[s->nrows - 1].line == row->line)
		return 0;
	if (array_grow(&s->rows, s->nrows, sizeof(*row)))
		return -1;
	s->rows[s->nrows++] = *row;
	return 0;
}

int source_end_sequence(struct source_lines *s, uint64_t end)
{
	const size_t first = first_row(s);

	if (first == s->nrows)
		return 0;
	if (ranges_add(&s->covered, s->rows[first].address, end, s->nsequences,
		       s->nsequences) ||
	    array_grow(&s->sequences, s->nsequences, sizeof(*s->sequences)))
		return -1;
	s->sequences[s->nsequences++] = (struct source_sequence){first, s->nrows - first};
	return 0;
}

int source_finish(struct source_lines *s)
{
	return ranges_finish(&s->code) || ranges_finish(&s->covered) ? -1 : 0;
}

struct source_function *source_function(const struct source_lines *s, uint64_t address)
{
	const uint32_t i = ranges_find(&s->code, address);

	return i == RANGES_NONE ? NULL : &s->functions[i];
}

struct source_function *source_caller(const struct source_lines *s,
				      const struct source_function *f)
{
	return f->inlined_into == SOURCE_NONE ? NULL : &s->functions[f->inlined_into];
}

const struct source_row *source_row(const struct source_lines *s, uint64_t address)
{
	const uint32_t i = ranges_find(&s->covered, address);

	if (i == RANGES_NONE)
		return NULL;

	const struct source_row *row = &s->rows[s->sequences[i].first];

	for (size_t n = s->sequences[i].n; n > 1;) {
		const size_t half = n / 2;

		row += row[half].address <= address ? half : 0;
		n -= half;
	}
	return row;
}

void source_free(struct source_lines *s)
{
	strings_free(&s->strings);
	free(s->names);
	free(s->functions);
	free(s->rows);
	free(s->sequences);
	ranges_free(&s->code);
	ranges_free(&s->covered);
	*s = (struct source_lines){0};
}
