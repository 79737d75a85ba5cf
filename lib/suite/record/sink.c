#include "suite/record/sink.h"

#include <errno.h>
#include <stdlib.h>

struct lines {
	struct sink sink; /* first: its address is that of the lines */
	struct row_style style;
	int title;
	struct sink_output out;
	struct textbuf text; /* not written yet; its memory is used again */
	uint64_t records;    /* that were written */
	uint64_t before; /* the records that were written before a provisional report */
};

static int flush(struct sink *s)
{
	struct lines *l = (struct lines *)s;
	struct textbuf *b = &l->text;

	if (b->failed) {
		l->out.write(l->out.arg, NULL, 0);
		errno = ENOMEM;
		return -1;
	}
	if (b->len == 0)
		return 0;
	const int rc = l->out.write(l->out.arg, b->s, b->len);
	b->len = 0;
	return rc;
}

/* A record is in the text. */
static int put_record(struct lines *l)
{
	l->records++;
	return flush(&l->sink);
}

static int begin(struct sink *s, const struct record_run *run)
{
	struct lines *l = (struct lines *)s;

	l->style.run = &run->row;
	if (l->style.format == TEXT_JSON) {
		record_begin(&l->text, run);
		return put_record(l);
	}
	if (l->title)
		row_put_title(&l->text, &l->style, run->nsets ? run->set[0] : NULL);
	return flush(s);
}

static int put_row(struct sink *s, const struct row *row)
{
	struct lines *l = (struct lines *)s;

	row_put(&l->text, &l->style, row);
	return l->style.format == TEXT_JSON ? put_record(l) : 0;
}

static void provisional(struct sink *s)
{
	struct lines *l = (struct lines *)s;

	l->before = l->records;
}

static int end(struct sink *s, const struct record_end *e)
{
	struct lines *l = (struct lines *)s;

	if (l->style.format != TEXT_JSON)
		return flush(s);
	record_end(&l->text, l->style.run, e, l->records + 1);
	const int rc = put_record(l);
	if (e->provisional)
		l->records = l->before;
	return rc;
}

static void free_lines(struct sink *s)
{
	struct lines *l = (struct lines *)s;

	free(l->text.s);
	free(l);
}

struct sink *sink_lines(const struct row_style *style, int title, struct sink_output out)
{
	struct lines *l = calloc(1, sizeof *l);

	if (!l)
		return NULL;
	*l = (struct lines){.sink = {.begin = begin,
				     .row = put_row,
				     .flush = flush,
				     .provisional = provisional,
				     .end = end,
				     .free = free_lines},
			    .style = *style,
			    .title = title,
			    .out = out};
	return &l->sink;
}
