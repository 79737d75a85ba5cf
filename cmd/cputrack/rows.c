#include "rows.h"

#include "base/clock.h"

int64_t rows_time(const struct track *t, hrtime_t ns)
{
	return ns > t->start ? ns - t->start : 0;
}

void rows_print(struct track *t, const struct row *row)
{
	out_line(t->out, row_line(&t->style, row));
	if (t->out->error)
		pctx_stop(t->pctx);
}

void rows_print_values(struct track *t, const char *word, pctx_t *pctx, pid_t pid,
		       id_t lwp, unsigned set, cpc_buf_t *buf)
{
	const struct row_set *show = &t->sets->member[set].show;
	const hrtime_t taken = cpc_buf_hrtime(t->cpc, buf);

	for (unsigned i = 0; i < show->n; i++)
		cpc_buf_value(t->cpc, buf, (int)i, &t->value[i]);
	rows_print(t, &(struct row){
			      .kind = ROW_VALUES,
			      .ns = rows_time(t, taken ? taken : clock_ns()),
			      .pid = pid,
			      .tid = pctx_tid(pctx, lwp),
			      .lwp = lwp,
			      .word = word,
			      .tick = t->style.tick ? cpc_buf_tick(t->cpc, buf) : 0,
			      .index = set,
			      .set = show,
			      .value = t->value,
		      });
	notes_add(t->notes, set, t->value);
}

/* Prints the totals of each set; two of them are stride bytes apart. */
static void print_totals(struct track *t, const char *word, pctx_t *pctx, pid_t pid,
			 id_t lwp, const struct totals *total, size_t stride)
{
	for (unsigned i = 0; i < t->sets->n; i++) {
		if (total->sampled)
			rows_print_values(t, word, pctx, pid, lwp, i, total->buf);
		total = (const struct totals *)((const char *)total + stride);
	}
}

void rows_print_lwp(struct track *t, const char *word, pctx_t *pctx, pid_t pid, id_t id,
		    const struct counted_lwp *l)
{
	print_totals(t, word, pctx, pid, id, &l->set[0].total, sizeof l->set[0]);
}

void rows_print_proc(const struct counted_proc *p, const char *word, pctx_t *pctx,
		     id_t id)
{
	print_totals(p->track, word, pctx, p->pid, id, p->total, sizeof p->total[0]);
}
