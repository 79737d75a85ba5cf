#include "suite/by/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct check {
	struct by *by;
	void (*say)(void *arg, const char *text);
	void *arg;
	int incomplete;
	int failed;
};

/* Hand over the text, and free it. */
static void say(struct check *c, struct textbuf *b)
{
	char *text = textbuf_end(b);

	if (text)
		c->say(c->arg, text);
	else
		c->failed = 1;
	free(text);
}

static void put_number(struct textbuf *b, uint64_t n, const char *one, const char *many)
{
	textbuf_num(b, n, 0);
	textbuf_char(b, ' ');
	textbuf_str(b, n == 1 ? one : many);
}

/* The facts that were found while reading. Each sentence follows "1 run" or "2 runs". */
static const struct {
	const char *one, *many;
	int is_incomplete;
} facts[] = {
	[BY_KILLED] = {"run has no last record: it was killed, or goes on",
		       "runs have no last record: they were killed, or go on", 1},
	[BY_PROVISIONAL] =
		{"run has only a provisional report: it was killed, or goes on",
		 "runs have only a provisional report: they were killed, or "
		 "go on",
		 1},
	[BY_KEYLESS] = {"run is left out, because it has no",
			"runs are left out, because they have no", 1},
	[BY_TWICE] = {"run came a second time and is counted once",
		      "runs came a second time and are counted once", 0},
	[BY_SHARED] = {"run is of a rank that has another run: their counts are added",
		       "runs are of ranks that have other runs: their counts are added",
		       0},
	[BY_SERIES] =
		{"run has repeated runs of a key that has others: medians cannot be "
		 "added, and the first ones are taken",
		 "runs have repeated runs of keys that have others: medians cannot "
		 "be added, and the first ones are taken",
		 1},
	[BY_ORPHANS] = {"record is left out, because the first record of its run is not "
			"in the file before it",
			"records are left out, because the first records of their runs "
			"are not in the file before them",
			1},
};

static void check_found(struct check *c, enum by_problem problem)
{
	const struct by_found *f = &c->by->found[problem];
	struct textbuf b = {0};

	if (!f->n)
		return;
	put_number(&b, f->n, facts[problem].one, facts[problem].many);
	if (problem == BY_KEYLESS) {
		textbuf_char(&b, ' ');
		textbuf_str(&b, by_word(c->by, 0));
		if (c->by->label) {
			textbuf_str(&b, " '");
			textbuf_clean(&b, c->by->label);
			textbuf_char(&b, '\'');
		}
	}
	textbuf_str(&b, f->n == 1 ? " (in '" : " (the first one in '");
	textbuf_clean(&b, f->path);
	textbuf_str(&b, "')");
	c->incomplete += facts[problem].is_incomplete;
	say(c, &b);
}

static int by_place(const void *a, const void *b)
{
	const struct by_rank *x = a, *y = b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The ranks that have no run, as text: "2, 5-7". */
struct missing {
	struct textbuf text;
	uint64_t n;
	unsigned parts;
};

enum { MOST_PARTS = 10 };

static void add_missing(struct missing *m, int64_t from, int64_t to)
{
	if (from > to)
		return;
	m->n += (uint64_t)(to - from + 1);
	if (m->parts++ == MOST_PARTS)
		textbuf_str(&m->text, ", ...");
	if (m->parts > MOST_PARTS)
		return;
	if (m->parts > 1)
		textbuf_str(&m->text, ", ");
	textbuf_num(&m->text, (uint64_t)from, 0);
	if (from == to)
		return;
	textbuf_char(&m->text, '-');
	textbuf_num(&m->text, (uint64_t)to, 0);
}

/* Say which ranks of a job have no run, and free the text of *m. */
static void say_missing(struct check *c, struct missing *m, int64_t size)
{
	struct textbuf b = {0};
	char *list = textbuf_end(&m->text);

	textbuf_num(&b, m->n, 0);
	textbuf_str(&b, " of ");
	textbuf_num(&b, (uint64_t)size, 0);
	textbuf_str(&b, m->n == 1 ? " ranks has no run: " : " ranks have no run: ");
	textbuf_str(&b, list ? list : "");
	b.failed |= !list;
	free(list);
	c->incomplete++;
	say(c, &b);
}

/* Check the ranks of one job, which are sorted. Without a size none is missing. */
static void check_job(struct check *c, const struct by_rank *rank, unsigned n)
{
	struct missing m = {.n = 0};
	int64_t size = -1, next = 0;

	for (unsigned i = 0; i < n; i++)
		size = rank[i].size > size ? rank[i].size : size;
	for (unsigned i = 0; i < n && rank[i].rank < size; i++) {
		add_missing(&m, next, (int64_t)rank[i].rank - 1);
		next = (int64_t)rank[i].rank + 1;
	}
	add_missing(&m, next, size - 1);
	if (m.n)
		say_missing(c, &m, size);
	else
		free(m.text.s);
}

static void check_ranks(struct check *c)
{
	struct by *b = c->by;
	unsigned begin = 0;

	if (b->ranks > 0)
		qsort(b->rank, b->ranks, sizeof *b->rank, by_place);
	for (unsigned i = 1; i <= b->ranks; i++)
		if (i == b->ranks || b->rank[i].job != b->rank[begin].job) {
			check_job(c, &b->rank[begin], i - begin);
			begin = i;
		}
}

static void put_event(struct textbuf *b, const struct values_row *row)
{
	textbuf_clean(b, row->field[VALUES_EVENT]);
	textbuf_str(b, ": ");
}

static void check_row(struct check *c, unsigned number)
{
	const struct values_row *row = &c->by->values.row[number];
	struct values_summary s;

	if (values_summarize(&c->by->values, number, &s) == -1) {
		c->failed = 1;
		return;
	}
	if (s.n < s.keys) {
		struct textbuf b = {0};

		put_event(&b, row);
		textbuf_num(&b, s.keys - s.n, 0);
		textbuf_str(&b, " of ");
		textbuf_num(&b, s.keys, 0);
		textbuf_char(&b, ' ');
		textbuf_str(&b, by_word(c->by, 1));
		textbuf_str(&b, s.keys - s.n == 1 ? " has none" : " have none");
		c->incomplete++;
		say(c, &b);
	}
	if (s.is_mixed) {
		struct textbuf b = {0};

		put_event(&b, row);
		textbuf_str(&b, "the values have different classes; the worst is ");
		textbuf_str(&b, cpc_class_name(s.quality));
		c->incomplete++;
		say(c, &b);
	}
}

int by_check(struct by *b, void (*say_line)(void *arg, const char *text), void *arg)
{
	struct check c = {.by = b, .say = say_line, .arg = arg};

	for (unsigned i = 0; i < BY_PROBLEMS; i++)
		check_found(&c, (enum by_problem)i);
	check_ranks(&c);
	for (unsigned i = 0; i < b->values.ids.n; i++)
		check_row(&c, i);
	return c.failed ? -1 : c.incomplete;
}
