#include "suite/profile/annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "suite/profile/names.h"
#include "suite/profile/view.h"

/* Returns whether a name, without C++ parameters, is the function or ends with it. */
static int is_name(const char *name, const char *function)
{
	const char *open = strchr(name + 1, '(');
	const size_t len = strlen(function),
		     plain = open ? (size_t)(open - name) : strlen(name);

	if (strcmp(name, function) == 0)
		return 1;
	if (plain < len || memcmp(name + plain - len, function, len) != 0)
		return 0;
	return plain == len || (plain > len + 1 && name[plain - len - 1] == ':' &&
				name[plain - len - 2] == ':');
}

/* Return the innermost frame of the function, or NULL. */
static const struct symbols_frame *find_frame(const struct profile *p,
					      const struct profile_code *c,
					      const char *function)
{
	const struct symbols_frame *f = profile_frames(p, c);

	for (unsigned i = 0; i < c->nframe; i++)
		if (f[i].function && *f[i].function && is_name(f[i].function, function))
			return &f[i];
	return NULL;
}

/* An instruction of the function. */
struct place {
	const struct symbols_frame *frame; /* of the function */
	const char *inlined;		   /* the function inlined into it, or NULL */
	const uint64_t *value;
};

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = names_compare(x->frame->file, y->frame->file);

	if (!order)
		order = (x->frame->line > y->frame->line) -
			(x->frame->line < y->frame->line);
	if (!order)
		order = names_compare(x->inlined, y->inlined);
	return order ? order : (x->frame > y->frame) - (x->frame < y->frame);
}

static struct place *find_places(const struct profile *p, const char *function, size_t *n)
{
	struct place *place = calloc(p->ncode + 1, sizeof *place);

	*n = 0;
	for (size_t i = 0; place && i < p->ncode; i++) {
		const struct profile_code *c = &p->code[i];
		const struct symbols_frame *f = find_frame(p, c, function);

		if (f)
			place[(*n)++] = (struct place){
				f, f > profile_frames(p, c) ? f[-1].function : NULL,
				profile_values(p, i)};
	}
	if (place)
		qsort(place, *n, sizeof *place, compare);
	return place;
}

/* Add the name of an inlined function to a line, unless it was the last. */
static int add_inlined(struct annotate_line *line, const struct place *last,
		       const struct place *place)
{
	struct textbuf b = {0};

	if (!place->inlined ||
	    (line->inlined && last && names_compare(last->inlined, place->inlined) == 0))
		return 0;
	if (line->inlined) {
		textbuf_str(&b, line->inlined);
		textbuf_str(&b, ", ");
	}
	textbuf_str(&b, place->inlined);
	char *text = textbuf_end(&b);

	if (!text)
		return -1;
	free(line->inlined);
	line->inlined = text;
	return 0;
}

static int same_line(const struct place *x, const struct place *y)
{
	return x->frame->line == y->frame->line &&
	       names_compare(x->frame->file, y->frame->file) == 0;
}

static int make_lines(struct annotation *a, const struct place *place, size_t n,
		      unsigned nmetric)
{
	for (size_t i = 0; i < n; i++) {
		const int is_new = i == 0 || !same_line(&place[i - 1], &place[i]);

		if (is_new) {
			a->line[a->n] = (struct annotate_line){
				.file = place[i].frame->file,
				.line = place[i].frame->line,
				.value = a->value + a->n * nmetric};
			a->n++;
		}
		if (add_inlined(&a->line[a->n - 1], is_new ? NULL : &place[i - 1],
				&place[i]) == -1)
			return -1;
		for (unsigned m = 0; m < nmetric; m++) {
			a->value[(a->n - 1) * nmetric + m] += place[i].value[m];
			a->total[m] += place[i].value[m];
		}
	}
	return 0;
}

int annotate_make(struct annotation *a, const struct profile *p, const char *function)
{
	size_t n;
	struct place *place = find_places(p, function, &n);
	int rc = -1;

	*a = (struct annotation){.line = calloc(n + 1, sizeof *a->line),
				 .value = calloc(n * p->nmetric + 1, sizeof *a->value),
				 .total = calloc(p->nmetric + 1, sizeof *a->total)};
	errno = ENOMEM;
	if (place && a->line && a->value && a->total)
		rc = make_lines(a, place, n, p->nmetric);
	if (rc == 0 && n == 0) {
		errno = ENOENT;
		rc = -1;
	}
	free(place);
	if (rc == -1) {
		const int error = errno;

		annotate_free(a);
		errno = error;
	}
	return rc;
}

void annotate_free(struct annotation *a)
{
	for (size_t i = 0; a->line && i < a->n; i++)
		free(a->line[i].inlined);
	free(a->line);
	free(a->value);
	free(a->total);
	*a = (struct annotation){0};
}

void annotate_nearest(const struct profile *p, const char *function, char *text,
		      unsigned size)
{
	struct nearest s;

	nearest_init(&s, function);
	for (size_t i = 0; i < p->ncode; i++) {
		const struct symbols_frame *f = profile_frames(p, &p->code[i]);
		unsigned known = 0;

		for (unsigned k = 0; k < p->code[i].nframe; k++) {
			for (known = 0; known < s.n; known++)
				if (names_compare(s.name[known], f[k].function) == 0)
					break;
			if (f[k].function && known == s.n)
				nearest_add(&s, f[k].function);
		}
	}
	nearest_text(&s, text, size);
}
