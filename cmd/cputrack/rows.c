#include "rows.h"

#include "base/clock.h"
#include "check.h"
#include "common/forward.h"
#include "common/message.h"
#include "pctx/name.h"
#include "table.h"

#define HOW_TO_JOIN "put events of one set in one -c, separated by commas"

/* Returns the time of a row, in ns since the start of the run. */
static int64_t time_of(const struct track *t, hrtime_t ns)
{
	return ns > t->start ? ns - t->start : 0;
}

/* Returns pctx_name() of an LWP; NULL also if rows have no names. */
static const char *name_of(const struct track *t, pctx_t *pctx, id_t lwp,
			   struct name *name)
{
	return t->names ? pctx_name(pctx, lwp, name) : NULL;
}

void rows_print(struct track *t, const struct row *row)
{
	if (recording_put(t->recording, row) == -1)
		pctx_stop(t->pctx);
}

void rows_print_values(struct track *t, const char *word, pctx_t *pctx, pid_t pid,
		       id_t lwp, unsigned set, cpc_buf_t *buf)
{
	const struct row_set *show = &t->sets->member[set].show;
	const hrtime_t taken = cpc_buf_hrtime(t->cpc, buf);
	struct name name;

	for (unsigned i = 0; i < show->n; i++)
		cpc_buf_value(t->cpc, buf, (int)i, &t->value[i]);
	rows_print(t, &(struct row){
			      .kind = ROW_VALUES,
			      .ns = time_of(t, taken ? taken : clock_ns()),
			      .pid = pid,
			      .tid = pctx_tid(pctx, lwp),
			      .lwp = lwp,
			      .name = name_of(t, pctx, lwp, &name),
			      .word = word,
			      .tick = t->style.tick ? cpc_buf_tick(t->cpc, buf) : 0,
			      .index = set,
			      .set = show,
			      .value = t->value,
		      });
	if (!t->provisional)
		notes_add(t->notes, set, t->value);
}

static int draw(void *arg)
{
	return table_draw(arg);
}

void rows_print_tick(struct track *t, pctx_t *pctx, pid_t pid, id_t lwp, unsigned set)
{
	struct sink *sink = t->recording->sink;

	rows_print_values(t, "tick", pctx, pid, lwp, set, t->delta[set]);
	if (t->options->threads && table_is_due(sink))
		forward_pause(draw, sink);
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

/* Prints a row without values for a set that no LWP of the process has counted. */
static void print_missing(const struct counted_proc *p, const char *word, pctx_t *pctx,
			  id_t id, unsigned set)
{
	struct track *t = p->track;
	const struct row_set *show = &t->sets->member[set].show;
	struct name name;

	for (unsigned i = 0; i < show->n; i++)
		t->value[i] = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	rows_print(t, &(struct row){
			      .kind = ROW_VALUES,
			      .ns = time_of(t, clock_ns()),
			      .pid = p->pid,
			      .tid = pctx_tid(pctx, id),
			      .lwp = id,
			      .name = name_of(t, pctx, id, &name),
			      .word = word,
			      .index = set,
			      .set = show,
			      .value = t->value,
		      });
	t->turns[set].missing++;
}

void rows_print_proc(const struct counted_proc *p, const char *word, pctx_t *pctx,
		     id_t id)
{
	struct track *t = p->track;

	print_totals(t, word, pctx, p->pid, id, p->total, sizeof p->total[0]);
	for (unsigned i = 0; p->total[0].sampled && i < t->sets->n; i++)
		if (!p->total[i].sampled)
			print_missing(p, word, pctx, id, i);
}

void rows_print_fork(const struct counted_proc *parent, id_t lwp, pid_t child)
{
	struct track *t = parent->track;
	struct name name;

	rows_print(t, &(struct row){
			      .kind = ROW_FORK,
			      .ns = time_of(t, clock_ns()),
			      .pid = parent->pid,
			      .tid = pctx_tid(parent->pctx, lwp),
			      .lwp = lwp,
			      .name = name_of(t, parent->pctx, lwp, &name),
			      .child = child,
		      });
}

void rows_print_exec(const struct counted_proc *p, id_t lwp, const char *cmd)
{
	struct track *t = p->track;
	struct name name;

	rows_print(t, &(struct row){
			      .kind = ROW_EXEC,
			      .ns = time_of(t, clock_ns()),
			      .pid = p->pid,
			      .tid = p->pid,
			      .lwp = lwp,
			      .name = name_of(t, p->pctx, lwp, &name),
			      .cmd = cmd,
		      });
}

void rows_print_rest(struct track *t)
{
	for (unsigned i = 0; i < t->sets->n; i++) {
		if (!check_rest(t, i, t->value))
			continue;
		rows_print(t, &(struct row){
				      .kind = ROW_VALUES,
				      .ns = time_of(t, clock_ns()),
				      .pid = t->root,
				      .word = "rest",
				      .index = i,
				      .set = t->shown[i],
				      .value = t->value,
			      });
		notes_add(t->notes, i, t->value);
	}
}

int rows_print_turns(const struct track *t)
{
	int missing = 0;

	/* After an error of the output the run is not followed to its end. */
	for (unsigned i = 0; t->started && !t->out->error && i < t->sets->n; i++) {
		const struct turns *turns = &t->turns[i];

		if (turns->counted && !turns->missing)
			continue;
		missing = 1;
		if (turns->counted)
			message_notef(
				"set %u (%s): not counted in %lu processes or programs "
				"that ended before its turn; " HOW_TO_JOIN,
				i, t->shown[i]->spec, turns->missing);
		else
			message_notef("set %u (%s): never counted; " HOW_TO_JOIN, i,
				      t->shown[i]->spec);
	}
	return missing;
}
