#include "suite/report/finals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/screen/units.h"

#include "base/array.h"

enum { W_NAME = 17, GAP = 2, MOST_DIGITS = 32 };

static int is_total(const struct finals *f, const struct row *row)
{
	if (row->cgroup)
		return row->kind == ROW_VALUES || row->kind == ROW_TOTAL;
	if (row->kind != ROW_VALUES)
		return 0;
	if (f->scope != ROW_LWPS)
		return row->id >= 0;
	return !row->tree &&
	       (strcmp(row->word, "exit") == 0 || strcmp(row->word, "exec") == 0);
}

static int is_same(const struct final *p, const char *cgroup, int id)
{
	return cgroup ? strcmp(p->cgroup, cgroup) == 0 : p->id == id;
}

/* Rows of CPUs and cgroups come in the same order in each interval. */
static struct final *find(struct finals *f, const char *cgroup, int id)
{
	for (unsigned i = 0; i < f->n; i++) {
		const unsigned k = (f->last + 1 + i) % f->n;

		if (is_same(&f->final[k], cgroup, id)) {
			f->last = k;
			return &f->final[k];
		}
	}
	return NULL;
}

static uint64_t key_of(const struct final *p)
{
	return p->value[0].quality == CPC_UNAVAILABLE ? 0 : p->value[0].value;
}

static void free_final(struct final *p)
{
	free(p->cgroup);
	free(p->value);
}

/* Returns the place of a new one, with arrays of values in it. */
static struct final *place(struct finals *f)
{
	struct final *least = f->final;

	if (f->n == FINALS_MOST) {
		for (unsigned i = 1; i < f->n; i++)
			if (key_of(&f->final[i]) < key_of(least))
				least = &f->final[i];
		f->dropped++;
		free(least->cgroup);
		least->cgroup = NULL;
		return least;
	}
	if (array_grow(&f->final, f->n, sizeof *f->final) == -1)
		return NULL;
	struct final *const p = &f->final[f->n];
	*p = (struct final){.value = calloc(2 * f->events + 1, sizeof *p->value)};
	if (!p->value)
		return NULL;
	p->since = p->value + f->events;
	f->n++;
	return p;
}

static struct final *make(struct finals *f, const char *cgroup, int id)
{
	struct final *p = place(f);

	if (!p)
		return NULL;
	p->id = id;
	p->name[0] = '\0';
	for (unsigned i = 0; i < 2 * f->events; i++)
		p->value[i] = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	f->last = (unsigned)(p - f->final);
	if (cgroup)
		p->cgroup = strdup(cgroup);
	return cgroup && !p->cgroup ? NULL : p;
}

static void add(cpc_value_t *sum, const cpc_value_t *v)
{
	if (v->quality == CPC_UNAVAILABLE)
		return;
	if (sum->quality == CPC_UNAVAILABLE || v->quality > sum->quality)
		sum->quality = v->quality;
	sum->value += v->value;
}

/* Add a row of a cgroup to p->value and p->since, from its first event on. */
static void add_cgroup(struct final *p, const struct row *row, unsigned first)
{
	for (unsigned i = first; i < first + row->set->n; i++) {
		const cpc_value_t *v = &row->value[i - first];

		if (row->kind == ROW_VALUES) {
			add(&p->since[i], v);
			continue;
		}
		add(&p->value[i], v);
		p->since[i] = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	}
}

/* Returns the number of the first event of a set. */
static unsigned first_event(const struct finals *f, unsigned set)
{
	unsigned n = 0;

	for (unsigned i = 0; i < set; i++)
		n += f->run->set[i]->n;
	return n;
}

int finals_add(struct finals *f, const struct row *row)
{
	const int id = row->cgroup ? 0 : f->scope == ROW_LWPS ? row->pid : row->id;

	if (!is_total(f, row))
		return 0;
	if (!f->events)
		f->events = first_event(f, f->run->nsets);
	struct final *p = find(f, row->cgroup, id);
	if (!p)
		p = make(f, row->cgroup, id);
	if (!p)
		return -1;
	if (row->name)
		snprintf(p->name, sizeof p->name, "%s", row->name);
	const unsigned first = first_event(f, row->index);
	if (p->cgroup) {
		add_cgroup(p, row, first);
		return 0;
	}
	for (unsigned i = 0; i < row->set->n; i++)
		add(&p->value[first + i], &row->value[i]);
	return 0;
}

static int by_count(const void *a, const void *b)
{
	const uint64_t x = key_of(a), y = key_of(b);

	return (x < y) - (x > y);
}

static int by_id(const void *a, const void *b)
{
	const struct final *x = a, *y = b;

	if (x->cgroup)
		return strcmp(x->cgroup, y->cgroup);
	return (x->id > y->id) - (x->id < y->id);
}

/* Returns the text of a value: times in ms with 3 decimals. */
static const char *value_text(char text[MOST_DIGITS], const cpc_value_t *v,
			      const char *unit, int grouped)
{
	char digits[24], with_commas[TEXT_GROUPED];
	const int is_time = unit && strcmp(unit, "ns") == 0;
	const uint64_t us = units_us(v->value);

	if (v->quality == CPC_UNAVAILABLE)
		return "-";
	snprintf(digits, sizeof digits, "%" PRIu64, is_time ? us / 1000 : v->value);
	snprintf(text, MOST_DIGITS, "%s",
		 grouped ? text_grouped(with_commas, digits) : digits);
	if (is_time)
		snprintf(text + strlen(text), MOST_DIGITS - strlen(text), ".%03u ms",
			 (unsigned)(us % 1000));
	return text;
}

/* The column of an event, as wide as its values. */
struct column {
	const char *name, *unit;
	size_t width;
};

static void measure(const struct finals *f, struct column *column, unsigned shown,
		    int grouped)
{
	unsigned n = 0;

	for (unsigned s = 0; s < f->run->nsets; s++)
		for (unsigned i = 0; i < f->run->set[s]->n; i++) {
			const struct row_set *set = f->run->set[s];

			column[n++] = (struct column){set->event[i], set->unit[i],
						      text_width(set->event[i])};
		}
	for (unsigned i = 0; i < f->events; i++)
		for (unsigned k = 0; k < shown; k++) {
			char text[MOST_DIGITS];
			const size_t width = strlen(value_text(
				text, &f->final[k].value[i], column[i].unit, grouped));

			if (width > column[i].width)
				column[i].width = width;
		}
}

static void put_right(struct textbuf *b, const char *text, size_t width)
{
	for (size_t i = text_width(text); i < width + GAP; i++)
		textbuf_char(b, ' ');
	textbuf_clean(b, text);
}

static const char *title(enum row_scope scope)
{
	static const char *const titles[] = {[ROW_LWPS] = "process",
					     [ROW_CPUS] = "cpu",
					     [ROW_CORES] = "core",
					     [ROW_SOCKETS] = "socket",
					     [ROW_BINS] = "bin"};

	return titles[scope];
}

/* The paths of cgroups are a column as wide as the longest one that is shown. */
static size_t path_width(const struct finals *f)
{
	size_t width = strlen("cgroup");

	for (unsigned i = 0; i < f->n; i++) {
		const size_t n = text_width(f->final[i].cgroup);

		if (n > width)
			width = n;
	}
	return width;
}

static void put_left(struct textbuf *b, const char *text, size_t width)
{
	textbuf_clean(b, text);
	for (size_t i = text_width(text); i < width; i++)
		textbuf_char(b, ' ');
}

static void put_title(struct textbuf *b, const struct finals *f,
		      const struct column *column)
{
	textbuf_char(b, '\n');
	if (f->final->cgroup)
		put_left(b, "cgroup", path_width(f));
	else
		textbuf_cell(b, title(f->scope), strlen(title(f->scope)), 10);
	if (f->scope == ROW_LWPS) {
		textbuf_str(b, "  ");
		put_left(b, "name", W_NAME);
	}
	for (unsigned i = 0; i < f->events; i++)
		put_right(b, column[i].name, column[i].width);
	textbuf_char(b, '\n');
}

static void put_final(struct textbuf *b, const struct finals *f, const struct final *p,
		      const struct column *column, int grouped)
{
	if (p->cgroup)
		put_left(b, p->cgroup, path_width(f));
	else
		textbuf_num(b, (uint64_t)p->id, 10);
	if (f->scope == ROW_LWPS) {
		textbuf_str(b, "  ");
		put_left(b, p->name, W_NAME);
	}
	for (unsigned i = 0; i < f->events; i++) {
		char text[MOST_DIGITS];

		put_right(b, value_text(text, &p->value[i], column[i].unit, grouped),
			  column[i].width);
	}
	textbuf_char(b, '\n');
}

/* What a cgroup has counted since its last total belongs to its counts, too. */
void finals_settle(struct finals *f)
{
	for (unsigned i = 0; i < f->n; i++)
		for (unsigned k = 0; k < f->events; k++) {
			add(&f->final[i].value[k], &f->final[i].since[k]);
			f->final[i].since[k].quality = CPC_UNAVAILABLE;
		}
}

void finals_put(struct textbuf *b, struct finals *f, int grouped)
{
	const int is_processes = f->scope == ROW_LWPS;
	const unsigned shown = is_processes && f->n > FINALS_SHOWN ? FINALS_SHOWN : f->n;
	struct column column[f->events + 1];

	if (f->n < 2 && !(f->n && f->final->cgroup))
		return;
	finals_settle(f);
	qsort(f->final, f->n, sizeof *f->final, is_processes ? by_count : by_id);
	measure(f, column, shown, grouped);
	put_title(b, f, column);
	for (unsigned i = 0; i < shown; i++)
		put_final(b, f, &f->final[i], column, grouped);
	if (f->n + f->dropped == shown)
		return;
	textbuf_num(b, f->n + f->dropped - shown, 10);
	textbuf_str(b, is_processes ? " more processes\n" : " more\n");
}

void finals_free(struct finals *f)
{
	for (unsigned i = 0; i < f->n; i++)
		free_final(&f->final[i]);
	free(f->final);
	f->final = NULL;
	f->n = 0;
}
