#include "engine/ring/lives.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"

enum {
	HEADER = 8,
	NAME_SIZE = 16, /* TASK_COMM_LEN of Linux */
	/* sample_id: the LWP and the time, at the end of each record */
	SAMPLE_ID = 16,
	/* value, ns enabled, ns running, id */
	READ_SIZE = HEADER + 8 + 4 * 8 + SAMPLE_ID,
	/* pid, ppid, tid, ptid, time */
	TASK_SIZE = HEADER + 4 * 4 + 8 + SAMPLE_ID,
	/* pid, tid, at least one word of the name */
	COMM_SIZE = HEADER + 8 + 8 + SAMPLE_ID,
	MAX_RECORD = COMM_SIZE + NAME_SIZE
};

/* A record. */
struct kernel_life {
	int64_t ns;
	uint32_t type;
	int is_exec;
	pid_t pid, tid, parent_pid, parent_tid;
	char name[NAME_SIZE];
	uint64_t value, enabled, running, id;
};

/* Records in the order of time: those that were taken of a ring. */
struct kernel_run {
	unsigned first, end; /* places in kernel_lives.life */
};

/* An LWP of which the kernel has written the values of some events, not yet of all. */
struct kernel_values {
	pid_t pid, tid;
	unsigned got; /* how many parts */
	int64_t ns;
	struct count *val;  /* [nsel]; absent until all parts have come */
	unsigned char *has; /* [nparts]; behind val */
};

void kernel_lives_stamp(struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

/*
 * When a processor goes from one LWP to another that has inherited the same events, the
 * kernel may let the two exchange their events, which is faster, but then counts of one
 * LWP were seen in the other. It does not where an inherited event has PERF_SAMPLE_READ.
 */
void kernel_lives_attr(struct perf_event_attr *attr)
{
	attr->inherit_stat = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
	kernel_lives_stamp(attr);
	attr->sample_type |= PERF_SAMPLE_READ;
}

static uint64_t word(const unsigned char *from)
{
	uint64_t v;

	memcpy(&v, from, sizeof v);
	return v;
}

static pid_t id_of(const unsigned char *from)
{
	uint32_t v;

	memcpy(&v, from, sizeof v);
	return (pid_t)v;
}

/* Decode the body of a record. Returns 0 if the record is of no use. */
static int decode(struct kernel_life *l, const unsigned char *record, unsigned len)
{
	const unsigned char *body = record + HEADER;
	uint16_t misc;

	memcpy(&l->type, record, sizeof l->type);
	memcpy(&misc, record + 4, sizeof misc);
	if (l->type == PERF_RECORD_READ && len == READ_SIZE) {
		l->value = word(body + 8);
		l->enabled = word(body + 16);
		l->running = word(body + 24);
		l->id = word(body + 32);
		l->tid = id_of(body + 4);
	} else if (l->type == PERF_RECORD_FORK && len == TASK_SIZE) {
		l->parent_pid = id_of(body + 4);
		l->tid = id_of(body + 8);
		l->parent_tid = id_of(body + 12);
	} else if (l->type == PERF_RECORD_COMM && len >= COMM_SIZE && len <= MAX_RECORD) {
		l->tid = id_of(body + 4);
		l->is_exec = (misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
		memcpy(l->name, body + 8, len - HEADER - 8 - SAMPLE_ID);
		l->name[NAME_SIZE - 1] = '\0';
	} else {
		return 0;
	}
	l->pid = id_of(body);
	l->ns = (int64_t)word(record + len - 8);
	return 1;
}

/*
 * Does the decoder know this type, and need nothing of it? It does not need
 * PERF_RECORD_EXIT, because the records of the values tell that an LWP has ended.
 */
static int is_known(uint32_t type)
{
	return type == PERF_RECORD_EXIT || type == PERF_RECORD_LOST ||
	       type == PERF_RECORD_LOST_SAMPLES || type == PERF_RECORD_THROTTLE ||
	       type == PERF_RECORD_UNTHROTTLE;
}

/* Make room for a record. Returns -1 if memory runs out. */
static int grow(struct kernel_lives *v)
{
	const unsigned room = v->room ? 2 * v->room : 64;

	if (v->n < v->room)
		return 0;
	struct kernel_life *more = realloc(v->life, room * sizeof *more);
	if (!more)
		return -1;
	v->life = more;
	v->room = room;
	return 0;
}

/* A ring has its records in the order of time, so that they are one run. */
static void add(struct kernel_lives *v, const struct kernel_life *l)
{
	const int begins = v->n == 0 || l->ns < v->life[v->n - 1].ns;

	if (grow(v) == -1 ||
	    (begins && array_grow(&v->run, v->nruns, sizeof *v->run) == -1)) {
		v->lost++;
		return;
	}
	if (begins)
		v->run[v->nruns++].first = v->n;
	v->life[v->n++] = *l;
	v->run[v->nruns - 1].end = v->n;
}

void kernel_lives_take(struct kernel_lives *v, struct kernel_ring *ring, uint64_t head)
{
	unsigned char record[MAX_RECORD + 8];
	unsigned len;

	while ((len = kernel_ring_next(ring, head, record, sizeof record))) {
		struct kernel_life l = {0};

		if (decode(&l, record, len))
			add(v, &l);
		else if (!is_known(l.type))
			v->lost++;
	}
}

/* Returns the place of a record's event among the parts, or nparts. */
static unsigned find_part(const struct kernel_lives *v, uint64_t id)
{
	unsigned i = 0;

	while (i < v->nparts && v->part[i].id != id)
		i++;
	return i;
}

static void forget(struct kernel_lives *v, struct kernel_values *values)
{
	free(values->val);
	*values = v->values[--v->nvalues];
}

/* Report the end of an LWP, and forget its values. */
static void end(struct kernel_lives *v, struct kernel_values *values, void *arg,
		void (*fn)(void *arg, const struct engine_life *life))
{
	for (unsigned i = 0; i < v->nparts; i++)
		if (!values->has[i])
			values->val[v->part[i].sel].absent = 1;
	fn(arg, &(struct engine_life){.kind = LIFE_END,
				      .ns = values->ns,
				      .pid = values->pid,
				      .tid = values->tid,
				      .val = values->val});
	forget(v, values);
}

static struct kernel_values *find_values(const struct kernel_lives *v, pid_t tid)
{
	for (unsigned i = v->nvalues; i-- > 0;)
		if (v->values[i].tid == tid)
			return &v->values[i];
	return NULL;
}

/* Returns NULL if memory runs out. */
static struct kernel_values *new_values(struct kernel_lives *v,
					const struct kernel_life *l)
{
	if (v->nvalues == v->values_room) {
		const unsigned room = v->values_room ? 2 * v->values_room : 8;
		struct kernel_values *more = realloc(v->values, room * sizeof *more);

		if (!more)
			return NULL;
		v->values = more;
		v->values_room = room;
	}
	struct kernel_values *values = &v->values[v->nvalues];
	*values = (struct kernel_values){
		.pid = l->pid,
		.tid = l->tid,
		.val = calloc(1, v->nsel * sizeof *values->val + v->nparts)};
	if (!values->val)
		return NULL;
	values->has = (unsigned char *)&values->val[v->nsel];
	v->nvalues++;
	return values;
}

/* Parts of an evsel on several kinds of cores run at different times. */
static void add_part(const struct kernel_lives *v, struct kernel_values *values,
		     unsigned part, const struct kernel_life *l)
{
	const struct kernel_lives_part *p = &v->part[part];
	struct count *c = &values->val[p->sel];

	values->has[part] = 1;
	values->got++;
	values->ns = l->ns;
	c->count += l->value * p->factor;
	if (c->enabled < l->enabled)
		c->enabled = l->enabled;
	c->running += p->with_previous ? 0 : l->running;
	if (c->running > c->enabled)
		c->running = c->enabled;
}

/* A value of an LWP that is ending. When all have come, the LWP has ended. */
static void take_value(struct kernel_lives *v, const struct kernel_life *l, void *arg,
		       void (*fn)(void *arg, const struct engine_life *life))
{
	const unsigned part = find_part(v, l->id);
	struct kernel_values *values = find_values(v, l->tid);

	if (part == v->nparts) {
		v->lost++;
		return;
	}
	/* Another LWP has this number now, and values of the one before are lost. */
	if (values && values->has[part]) {
		end(v, values, arg, fn);
		values = NULL;
	}
	if (!values)
		values = new_values(v, l);
	if (!values) {
		v->lost++;
		return;
	}
	add_part(v, values, part, l);
	if (values->got == v->nparts)
		end(v, values, arg, fn);
}

static void emit(struct kernel_lives *v, const struct kernel_life *l, void *arg,
		 void (*fn)(void *arg, const struct engine_life *life))
{
	if (l->type == PERF_RECORD_READ) {
		take_value(v, l, arg, fn);
		return;
	}
	fn(arg,
	   &(struct engine_life){.kind = l->type == PERF_RECORD_FORK ? LIFE_BIRTH
					 : l->is_exec		     ? LIFE_EXEC
								     : LIFE_NAME,
				 .ns = l->ns,
				 .pid = l->pid,
				 .tid = l->tid,
				 .parent_pid = l->parent_pid,
				 .parent_tid = l->parent_tid,
				 .name = l->type == PERF_RECORD_COMM ? l->name : NULL});
}

/*
 * Returns the run with the earliest record, or NULL if none is left. There are few runs:
 * sorting the records would take longer.
 */
static struct kernel_run *earliest(const struct kernel_lives *v)
{
	struct kernel_run *found = NULL;

	for (unsigned i = 0; i < v->nruns; i++) {
		struct kernel_run *r = &v->run[i];

		if (r->first < r->end &&
		    (!found || v->life[r->first].ns < v->life[found->first].ns))
			found = r;
	}
	return found;
}

/* Move the records that are left to the beginning. */
static void keep_rest(struct kernel_lives *v)
{
	const unsigned nruns = v->nruns;

	v->n = v->nruns = 0;
	for (unsigned i = 0; i < nruns; i++) {
		const struct kernel_run r = v->run[i];
		const unsigned n = r.end - r.first;

		if (n == 0)
			continue;
		memmove(&v->life[v->n], &v->life[r.first], n * sizeof *v->life);
		v->run[v->nruns++] = (struct kernel_run){v->n, v->n + n};
		v->n += n;
	}
}

void kernel_lives_emit(struct kernel_lives *v, int64_t until, void *arg,
		       void (*fn)(void *arg, const struct engine_life *life))
{
	struct kernel_run *r;

	while ((r = earliest(v)) && v->life[r->first].ns <= until)
		emit(v, &v->life[r->first++], arg, fn);
	keep_rest(v);
}

void kernel_lives_end(struct kernel_lives *v, void *arg,
		      void (*fn)(void *arg, const struct engine_life *life))
{
	while (v->nvalues)
		end(v, &v->values[0], arg, fn);
}

void kernel_lives_free(struct kernel_lives *v)
{
	while (v->nvalues)
		forget(v, &v->values[0]);
	free(v->values);
	free(v->life);
	free(v->run);
}
