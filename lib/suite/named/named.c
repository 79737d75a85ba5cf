#include "suite/named/named.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/ring.h"
#include "cpc/place.h"
#include "pctx/watch.h"
#include "suite/named/image.h"

/* Where an event of the list is counted: request number request of set number set. */
struct request_of {
	unsigned set, request;
};

/* In how many programs an event was not counted, and why in the first of them. */
struct missing {
	unsigned long programs;
	char *why;
};

/* The image that a process shares with those that it has created by fork(2). */
struct shared {
	unsigned refs;
	pid_t first;	     /* the process in which names are looked for */
	struct image *image; /* NULL if settled is set */
	int settled;	     /* all names were found, or are not there */
	/* [n->nsets]; bound to the first LWP while names are looked for */
	cpc_set_t **bound;
	struct found found[]; /* [n->n] */
};

struct process {
	struct ring link;
	pid_t pid;
	struct shared *shared;
};

struct named {
	cpc_t *cpc;
	int running;
	unsigned nsets;
	struct ring processes;
	size_t n;
	struct wanted *wanted;
	struct request_of *of;
	struct missing *missing;
	unsigned adding; /* the set whose events are being added ... */
	int failed;	 /* ... for which memory ran out */
};

static void add_wanted(void *arg, int index, const char *event, uint64_t preset,
		       uint_t flags, int nattrs, const cpc_attr_t *attrs)
{
	struct named *n = arg;
	struct wanted w = {.event = event};
	struct why why;

	(void)preset;
	(void)flags;
	(void)nattrs;
	(void)attrs;
	if (!breakpoint_is_named(event) || breakpoint_parse(event, &w.breakpoint, &why))
		return;
	w.symbol = strndup(w.breakpoint.symbol, w.breakpoint.symbol_size);
	if (!w.symbol || array_grow(&n->wanted, n->n, sizeof *n->wanted) == -1 ||
	    array_grow(&n->of, n->n, sizeof *n->of) == -1) {
		n->failed = 1;
		free(w.symbol);
		return;
	}
	n->of[n->n] = (struct request_of){n->adding, (unsigned)index};
	n->wanted[n->n++] = w;
}

int named_open(struct named **named, cpc_t *cpc, unsigned nsets, cpc_set_t *const *set,
	       int running)
{
	struct named *n = calloc(1, sizeof *n);

	*named = NULL;
	if (!n)
		return -1;
	*n = (struct named){.cpc = cpc, .running = running, .nsets = nsets};
	ring_init(&n->processes);
	for (; n->adding < nsets; n->adding++)
		if (set[n->adding])
			cpc_walk_requests(cpc, set[n->adding], n, add_wanted);
	n->missing = calloc(n->n + 1, sizeof *n->missing);
	if (n->n && !n->failed && n->missing) {
		*named = n;
		return 0;
	}
	const int failed = n->failed || !n->missing;
	named_free(n);
	errno = ENOMEM;
	return failed ? -1 : 0;
}

static void drop(struct named *n, struct shared *s)
{
	if (!s || --s->refs > 0)
		return;
	for (size_t i = 0; i < n->n; i++)
		free(s->found[i].why);
	image_free(s->image);
	free(s->bound);
	free(s);
}

static void forget(struct named *n, struct process *p)
{
	ring_drop(&p->link);
	drop(n, p->shared);
	free(p);
}

void named_free(struct named *n)
{
	if (!n)
		return;
	while (n->processes.next != &n->processes)
		forget(n, (struct process *)n->processes.next);
	for (size_t i = 0; i < n->n; i++) {
		free(n->wanted[i].symbol);
		if (n->missing)
			free(n->missing[i].why);
	}
	free(n->wanted);
	free(n->of);
	free(n->missing);
	free(n);
}

static struct process *find(const struct named *n, pid_t pid)
{
	for (struct ring *r = n->processes.next; r != &n->processes; r = r->next)
		if (((struct process *)r)->pid == pid)
			return (struct process *)r;
	return NULL;
}

/* Add a process, which takes over a reference. Returns NULL with ENOMEM. */
static struct process *add(struct named *n, pid_t pid, struct shared *s)
{
	struct process *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->pid = pid;
	p->shared = s;
	ring_add(&n->processes, &p->link);
	return p;
}

static struct shared *shared_new(struct named *n, pid_t pid)
{
	struct shared *s = calloc(1, sizeof *s + n->n * sizeof s->found[0]);

	if (!s)
		return NULL;
	s->refs = 1;
	s->first = pid;
	s->bound = calloc(n->nsets, sizeof *s->bound);
	s->image = image_new(pid);
	if (s->bound && s->image)
		return s;
	const int e = errno;
	drop(n, s);
	errno = e;
	return NULL;
}

static size_t count_left(const struct named *n, const struct shared *s)
{
	size_t left = 0;

	for (size_t i = 0; i < n->n; i++)
		left += s->found[i].state == FOUND_NOT_YET;
	return left;
}

/* Note the events that are not counted in an image; without memory, without reason. */
static void note_missing(struct named *n, const struct shared *s)
{
	for (size_t i = 0; i < n->n; i++) {
		struct missing *m = &n->missing[i];

		if (s->found[i].state != FOUND_NOT)
			continue;
		if (!m->why)
			m->why = strdup(s->found[i].why);
		m->programs++;
	}
}

/* As image_look(). */
static int look(struct named *n, struct shared *s, int last)
{
	const int changed = image_look(s->image, n->wanted, s->found, n->n, last);

	if (changed == -1)
		return -1;
	if (!count_left(n, s)) {
		s->settled = 1;
		note_missing(n, s);
		image_free(s->image);
		s->image = NULL;
	}
	return changed;
}

int named_begin(struct named *n, pctx_t *pctx, pid_t pid, id_t lwpid)
{
	if (!n || find(n, pid))
		return 0;
	struct shared *s = shared_new(n, pid);
	if (!s)
		return -1;
	if (!add(n, pid, s)) {
		drop(n, s);
		return -1;
	}
	if (look(n, s, n->running || !image_has_loader(s->image)) == -1)
		return -1;
	for (size_t i = 0; i < n->n; i++)
		s->found[i].is_placed = s->found[i].state != FOUND_NOT_YET;
	pctx_watch_calls(pctx, lwpid, !s->settled);
	return 0;
}

/* Move the breakpoint of event i in a set that is bound. As cpc_place(). */
static int place(struct named *n, const struct shared *s, size_t i, cpc_set_t *set)
{
	const struct engine_place *to = NULL;
	struct engine_place entry;

	if (s->found[i].state == FOUND) {
		to = &s->found[i].place;
	} else if (s->found[i].state == FOUND_NOT_YET) {
		entry = image_entry(s->image);
		to = &entry;
	}
	return cpc_place(n->cpc, set, n->of[i].request, to);
}

/*
 * Move the breakpoints of the events that the last looks have decided, in the sets that
 * are bound. The others go on counting.
 */
static int place_decided(struct named *n, struct shared *s)
{
	for (size_t i = 0; i < n->n; i++) {
		cpc_set_t *const set = s->bound[n->of[i].set];

		if (s->found[i].state == FOUND_NOT_YET || s->found[i].is_placed)
			continue;
		s->found[i].is_placed = 1;
		if (set && place(n, s, i, set) == -1)
			return -1;
	}
	return 0;
}

int named_bound(struct named *n, pid_t pid, unsigned index, cpc_set_t *set)
{
	struct process *p = n ? find(n, pid) : NULL;

	if (!p)
		return 0;
	if (!p->shared->settled && p->shared->first == pid && !p->shared->bound[index])
		p->shared->bound[index] = set;
	for (size_t i = 0; i < n->n; i++)
		if (n->of[i].set == index && place(n, p->shared, i, set) == -1)
			return -1;
	return 0;
}

/* Return whether event i, whose breakpoint is at the program's entry, has counted. */
static int has_counted(const struct named *n, cpc_set_t *set, size_t i)
{
	cpc_buf_t *buf = cpc_buf_create(n->cpc, set);
	cpc_value_t v = {0};

	if (buf && cpc_set_sample(n->cpc, set, buf) == 0)
		cpc_buf_value(n->cpc, buf, (int)n->of[i].request, &v);
	if (buf)
		cpc_buf_destroy(n->cpc, buf);
	return v.count > 0;
}

/*
 * Return whether the program has begun. If no breakpoint can tell, as the sets with the
 * names wait for their turn, the first turn settles the process.
 */
static int has_begun(const struct named *n, const struct shared *s)
{
	for (size_t i = 0; i < n->n; i++) {
		cpc_set_t *const set = s->bound[n->of[i].set];

		if (s->found[i].state == FOUND_NOT_YET && set)
			return has_counted(n, set, i);
	}
	return 0;
}

int named_call(struct named *n, pctx_t *pctx, pid_t pid, id_t lwpid)
{
	struct process *p = n ? find(n, pid) : NULL;

	if (!p || p->shared->settled) {
		pctx_watch_calls(pctx, lwpid, 0);
		return 0;
	}
	struct shared *s = p->shared;
	if (look(n, s, has_begun(n, s)) == -1 || place_decided(n, s) == -1)
		return -1;
	if (s->settled)
		pctx_watch_calls(pctx, lwpid, 0);
	return 0;
}

int named_is_pending(const struct named *n, pid_t pid)
{
	const struct process *p = n ? find(n, pid) : NULL;

	for (unsigned i = 0; p && !p->shared->settled && i < n->nsets; i++)
		if (p->shared->bound[i])
			return 1;
	return 0;
}

void named_settle(struct named *n, pid_t pid)
{
	struct process *p = n ? find(n, pid) : NULL;

	if (!p || p->shared->settled || p->shared->first != pid)
		return;
	struct shared *s = p->shared;
	look(n, s, 1);
	place_decided(n, s);
}

const char *named_refusal(const struct named *n, pid_t pid, const char **event)
{
	const struct process *p = n ? find(n, pid) : NULL;

	for (size_t i = 0; p && p->shared->settled && i < n->n; i++)
		if (p->shared->found[i].state == FOUND_NOT) {
			*event = n->wanted[i].event;
			return n->missing[i].why;
		}
	return NULL;
}

int named_fork(struct named *n, pid_t pid, pid_t child)
{
	struct process *p = n ? find(n, pid) : NULL;

	if (!p || find(n, child))
		return 0;
	if (!add(n, child, p->shared))
		return -1;
	p->shared->refs++;
	return 0;
}

void named_end(struct named *n, pid_t pid)
{
	struct process *p = n ? find(n, pid) : NULL;

	if (p)
		forget(n, p);
}

unsigned named_notes(const struct named *n, void *arg,
		     void (*fn)(void *arg, const char *text))
{
	unsigned notes = 0;

	for (size_t i = 0; n && i < n->n; i++) {
		const struct missing *m = &n->missing[i];
		char *text;

		if (!m->programs)
			continue;
		notes++;
		if (asprintf(&text, "%s: not counted in %lu program%s: %s",
			     n->wanted[i].event, m->programs, m->programs == 1 ? "" : "s",
			     m->why ? m->why : "") == -1)
			continue;
		fn(arg, text);
		free(text);
	}
	return notes;
}
