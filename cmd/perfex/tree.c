#include "tree.h"

#include <stdlib.h>

#include "base/procfs.h"
#include "common/message.h"
#include "engine/breakpoint.h"

/*
 * A thread runs at most this long, in ns, while its counters and those of the tree are
 * started and stopped one after the other.
 */
enum { LWP_NS = 50000 };

/* A difference of less than this part of the time, 0.1 %, proves nothing. */
enum { TIME_PART = 1000 };

static enum source source_of(const struct set_list *s, unsigned i)
{
	for (unsigned k = 0; k < s->sets->n; k++)
		if (s->sets->member[k].set == s->set[i])
			return sets_source(&s->sets->member[k], 0);
	return SOURCE_COUNTER;
}

/* Returns a new set of a time that every thread has, or NULL. */
static cpc_set_t *new_clock(cpc_t *cpc)
{
	cpc_set_t *set = cpc_set_create(cpc);

	if (!set ||
	    cpc_set_add_request(cpc, set, "task-clock", 0, CPC_COUNT_USER, 0, NULL) >= 0)
		return set;
	cpc_set_destroy(cpc, set);
	return NULL;
}

/* The stops for perfex change the counts of the scheduler. */
static cpc_set_t *new_set(const struct set_list *s, unsigned i)
{
	if (i == s->n)
		return new_clock(s->cpc);
	if (!s->set[i] || breakpoint_is_named(s->row[i].name))
		return NULL;
	const enum source source = source_of(s, i);
	return source == SOURCE_SOFTWARE || source == SOURCE_BREAKPOINT
		       ? cpc_set_dup(s->cpc, s->set[i])
		       : NULL;
}

void tree_start(struct tree *t, struct set_list *s, pctx_t *pctx, id_t lwpid)
{
	*t = (struct tree){.s = s};
	if (cpc_engine_notice(s->cpc))
		return;
	t->set = calloc(s->n + 1, sizeof(*t->set));
	message_capture_begin();
	for (unsigned i = 0; t->set && i <= s->n; i++) {
		t->set[i] = new_set(s, i);
		if (t->set[i] &&
		    cpc_bind_pctx(s->cpc, pctx, lwpid, t->set[i], CPC_BIND_TREE) == -1) {
			cpc_set_destroy(s->cpc, t->set[i]);
			t->set[i] = NULL;
		}
	}
	message_capture_end();
}

void tree_birth(struct tree *t, pid_t tid)
{
	t->lwps++;
	if (t->set && t->set[t->s->n])
		t->unattached += procfs_run_time(tid);
}

/* Reads the count of the whole tree. Returns -1 if it is not known. */
static int read_tree(const struct tree *t, unsigned i, cpc_value_t *v)
{
	cpc_t *cpc = t->s->cpc;
	cpc_buf_t *buf = t->set[i] ? cpc_buf_create(cpc, t->set[i]) : NULL;
	int rc = -1;

	if (buf && cpc_set_sample(cpc, t->set[i], buf) == 0)
		rc = cpc_buf_value(cpc, buf, 0, v);
	if (buf)
		cpc_buf_destroy(cpc, buf);
	return rc;
}

/*
 * Returns how many more the tree counted of set i than the threads did; 0 also if it
 * counted fewer; or -1 if the tree's count is not known.
 */
static int64_t missed_counts(const struct tree *t, unsigned i, const cpc_value_t *sum)
{
	/* A new thread can have a fault before it is attached. */
	const uint64_t allowed = source_of(t->s, i) == SOURCE_SOFTWARE ? t->lwps : 0;
	cpc_value_t v;

	if (read_tree(t, i, &v) == -1)
		return -1;
	return v.count > sum->count + allowed ? (int64_t)(v.count - sum->count) : 0;
}

/* Each event is enabled while a thread is on a processor. */
static int time_missed(const struct tree *t, uint64_t enabled)
{
	const uint64_t lwps = t->unattached + (t->lwps + 1) * (uint64_t)LWP_NS;
	cpc_value_t v;

	if (read_tree(t, t->s->n, &v) == -1)
		return 0;
	const uint64_t part = v.enabled / TIME_PART;
	return v.enabled > enabled + (lwps > part ? lwps : part);
}

/*
 * A count of the tree proves whether a set missed something. Only sets whose tree is
 * not counted are judged by the time, which a busy machine makes less certain: the
 * longest sum is compared, as an event may be bound later than others.
 */
int tree_missed(const struct tree *t, cpc_buf_t *const *sum)
{
	uint64_t enabled = 0;
	int unknown = 0;
	cpc_value_t v;

	if (!t->set)
		return 0;
	for (unsigned i = 0; i < t->s->n; i++) {
		if (!t->s->set[i] || cpc_buf_value(t->s->cpc, sum[i], 0, &v) == -1)
			continue;
		const int64_t missed = missed_counts(t, i, &v);

		if (missed > 0)
			return 1;
		unknown |= missed < 0;
		enabled = v.enabled > enabled ? v.enabled : enabled;
	}
	return unknown && time_missed(t, enabled);
}

void tree_end(struct tree *t)
{
	for (unsigned i = 0; t->set && i <= t->s->n; i++)
		if (t->set[i])
			cpc_set_destroy(t->s->cpc, t->set[i]);
	free(t->set);
	t->set = NULL;
}
