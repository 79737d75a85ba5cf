#include "suite/by/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Point the fields of a row into its id. */
static void split(struct values_row *row, const struct names_entry *id)
{
	const char *p = id->text;

	*row = (struct values_row){.cells = 0};
	for (unsigned i = 0; i < VALUES_FIELDS; i++) {
		row->field[i] = p;
		p += strlen(p) + 1;
	}
}

/* Make room for another row, so that each id has its row. */
static int make_room(struct values *v)
{
	const unsigned room = v->room ? 2 * v->room : 16;

	if (v->ids.n < v->room)
		return 0;
	struct values_row *grown = reallocarray(v->row, room, sizeof *grown);
	if (!grown)
		return -1;
	v->row = grown;
	v->room = room;
	return 0;
}

static int has_fields(const struct values *v, unsigned number,
		      const char *const field[VALUES_FIELDS])
{
	if (number >= v->ids.n)
		return 0;
	for (unsigned i = 0; i < VALUES_FIELDS; i++)
		if (strcmp(v->row[number].field[i], field[i]) != 0)
			return 0;
	return 1;
}

int values_row(struct values *v, const char *const field[VALUES_FIELDS], unsigned *number)
{
	struct textbuf id = {0};

	if (has_fields(v, *number, field))
		return 0;
	if (make_room(v) == -1)
		return -1;
	for (unsigned i = 0; i < VALUES_FIELDS; i++)
		textbuf_put(&id, field[i], strlen(field[i]) + 1);
	const int rc = id.failed ? -1 : names_number(&v->ids, id.s, id.len, number);
	free(id.s);
	if (rc == 1)
		split(&v->row[*number], v->ids.entry[*number]);
	return rc == -1 ? -1 : 0;
}

int values_key(struct values *v, const char *key, unsigned *number)
{
	return names_number(&v->keys, key, strlen(key), number) == -1 ? -1 : 0;
}

/* Returns the cell of a key, or NULL with ENOMEM. */
static struct values_cell *cell(struct values_row *row, unsigned key)
{
	if (key >= row->cells) {
		const unsigned n = key < 8 ? 16 : 2 * key;
		struct values_cell *grown = reallocarray(row->cell, n, sizeof *grown);

		if (!grown)
			return NULL;
		for (unsigned i = row->cells; i < n; i++)
			grown[i] = (struct values_cell){.has_value = 0};
		row->cell = grown;
		row->cells = n;
	}
	return &row->cell[key];
}

int values_add(struct values *v, unsigned row, unsigned key, values_number value,
	       cpc_class_t quality)
{
	struct values_cell *c = cell(&v->row[row], key);

	if (!c)
		return -1;
	if (quality == CPC_UNAVAILABLE)
		return 0;
	c->value += value;
	if (!c->has_value || quality > c->quality)
		c->quality = quality;
	c->has_value = 1;
	return 0;
}

void values_free(struct values *v)
{
	for (unsigned i = 0; i < v->ids.n; i++)
		free(v->row[i].cell);
	free(v->row);
	names_free(&v->ids);
	names_free(&v->keys);
	*v = (struct values){.room = 0};
}

/* A value and the number of its key. */
struct one {
	values_number value;
	const struct names_entry *key;
};

/* Keys of equal values are in the order of their numbers: rank 2 before rank 10. */
static int by_value(const void *a, const void *b)
{
	const struct one *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return strverscmp(x->key->text, y->key->text);
}

static void add_quality(struct values_summary *s, cpc_class_t quality)
{
	if (s->n && quality != s->quality)
		s->is_mixed = 1;
	if (!s->n || quality > s->quality)
		s->quality = quality;
}

/* Take the cells that have values, and their sum and class. */
static void collect(const struct values *v, const struct values_row *row,
		    struct values_summary *s, struct one *all)
{
	for (unsigned i = 0; i < row->cells; i++) {
		const struct values_cell *c = &row->cell[i];

		if (!c->has_value)
			continue;
		add_quality(s, c->quality);
		s->sum += c->value;
		all[s->n++] = (struct one){c->value, v->keys.entry[i]};
	}
}

/* Returns the first key with the largest value. */
static const struct one *largest(const struct one *all, unsigned n)
{
	const struct one *p = &all[n - 1];

	while (p > all && p[-1].value == p->value)
		p--;
	return p;
}

int values_summarize(const struct values *v, unsigned number, struct values_summary *s)
{
	const struct values_row *row = &v->row[number];
	struct one *all = calloc(row->cells + 1, sizeof *all);

	*s = (struct values_summary){.keys = v->keys.n};
	if (!all)
		return -1;
	collect(v, row, s, all);
	if (s->n) {
		qsort(all, s->n, sizeof *all, by_value);
		s->min = all[0].value;
		s->min_at = all[0].key->number;
		s->max = all[s->n - 1].value;
		s->max_at = largest(all, s->n)->key->number;
		s->median = (all[(s->n - 1) / 2].value + all[s->n / 2].value) / 2;
		s->has_sum = strcmp(row->field[VALUES_SCOPE], "series") != 0;
		s->imbalance = s->sum > 0 ? s->max * s->n / s->sum : -1;
	}
	free(all);
	return 0;
}
