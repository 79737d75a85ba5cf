/*
 * An engine that counts nothing: it takes every event except those named "refused", and
 * its groups return the values that the test has set. It counts its sessions, evsels and
 * groups that are open, so that a test can find one that was not closed.
 */
#ifndef FAKE_ENGINE_H
#define FAKE_ENGINE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpc/cpc.h"
#include "engine/engine.h"

enum { FAKE_NPIC = 4 };

struct evsel {
	char note[64];
	cpc_class_t class;
	const char *refusal; /* the event that no target counts, or NULL */
	int only_lwps, only_cpus, lacks, is_tracepoint;
};

struct group {
	unsigned n;
	int on_exec; /* of the target */
};

struct engine {
	int evsels, groups, closed; /* open sessions; how often one was closed */
	int bind_errno;		    /* errno of the next bind; 0: it succeeds */
	int gamma_errno;	    /* why gamma cannot be counted; 0: EACCES */
	int tracepoints;	    /* how many tracepoints a walk reports: 0 to 2 */
	int breakpoints;	    /* all events are breakpoints */
	int listed_attrs;	    /* how often the attributes were listed */
	const char *unread;	    /* a list that a walk cannot read, or NULL */
	int probed_cpus;	    /* the target of the last probe was a CPU */
	pid_t tid;		    /* of the last bind */
	int tree;
	int has_turns;		/* the last bind had turns */
	unsigned char turn[64]; /* of its evsels */
	struct count val[64];	/* what groups read */
	int64_t ns;
	uint64_t on;
};

static struct engine fake;

static inline struct engine *fake_open_engine(struct why *why)
{
	(void)why;
	return &fake;
}

static inline void fake_close(struct engine *e)
{
	e->closed++;
}

static inline const char *fake_cciname(struct engine *e)
{
	(void)e;
	return "Fake";
}

static inline unsigned fake_npic(struct engine *e)
{
	(void)e;
	return FAKE_NPIC;
}

static inline int fake_knows(struct engine *e, const char *name)
{
	(void)e;
	return strncmp(name, "own_", 4) == 0 || strncmp(name, "perf::", 6) == 0 ||
	       strcmp(name, "refused") == 0;
}

/* A name is valid only during the call, as with the kernel engine. */
static inline void fake_name(const struct engine_walk *w, const char *text,
			     const char *title)
{
	char *name = strdup(text);

	w->name(w->arg, name, title);
	memset(name, '?', strlen(name));
	free(name);
}

static inline void fake_walk(struct engine *e, const struct engine_walk *w)
{
	if (w->kinds & ENGINE_EVENTS) {
		fake_name(w, "own_alpha", "first");
		fake_name(w, "own_beta", NULL);
		fake_name(w, "own_gamma", NULL);
		fake_name(w, "refused", NULL);
	}
	for (int i = 0; (w->kinds & ENGINE_TRACEPOINTS) && i < e->tracepoints; i++)
		fake_name(w, i ? "own_trace:two" : "own_trace:one", NULL);
	if (e->unread && w->unread)
		w->unread(w->arg, e->unread);
}

static inline const char *const *fake_attrs(struct engine *e)
{
	static const char *const attrs[] = {"edge", "cmask", NULL};

	e->listed_attrs++;
	return attrs;
}

static inline int fake_refuse(struct why *why, int e, const char *name)
{
	snprintf(why->text, sizeof why->text, "%s: not here, look elsewhere", name);
	errno = e;
	return -1;
}

/* Events with "beta" in their names are counted by another, similar event. */
static inline struct evsel *fake_encode(struct engine *e,
					const struct engine_request *ask, struct why *why)
{
	if (strcmp(ask->name, "refused") == 0) {
		fake_refuse(why, ENOENT, ask->name);
		return NULL;
	}
	struct evsel *s = calloc(1, sizeof *s);
	if (!s)
		abort();
	if (strstr(ask->name, "beta")) {
		s->class = CPC_APPROXIMATE;
		snprintf(s->note, sizeof s->note, "as ~%s", ask->name);
	}
	s->refusal = strstr(ask->name, "gamma") ? "gamma" : NULL;
	s->only_lwps = strstr(ask->name, "delta_lwp") != NULL;
	s->only_cpus = strstr(ask->name, "delta_cpu") != NULL;
	s->lacks = strstr(ask->name, "epsilon") != NULL;
	s->is_tracepoint = strstr(ask->name, "trace") != NULL;
	e->evsels++;
	return s;
}

static inline void fake_drop(struct evsel *s)
{
	if (s)
		fake.evsels--;
	free(s);
}

/* The machine does not have events with "epsilon" in their names. */
static inline const char *fake_lacking(const struct evsel *s)
{
	return s->lacks ? "epsilon: this machine does not have it" : NULL;
}

static inline cpc_class_t fake_class(const struct evsel *s)
{
	return s->class;
}

static inline enum source fake_source(const struct evsel *s)
{
	if (fake.breakpoints)
		return SOURCE_BREAKPOINT;
	return s->is_tracepoint ? SOURCE_TRACEPOINT : SOURCE_COUNTER;
}

static inline const char *fake_note(const struct evsel *s)
{
	return *s->note ? s->note : NULL;
}

/*
 * Events with "gamma" in their names can be encoded, but not counted; those with "delta"
 * on one kind of target.
 */
static inline int fake_probe(struct engine *e, const struct evsel *s, int cpus,
			     struct why *why)
{
	e->probed_cpus = cpus;
	if (s->refusal)
		return fake_refuse(why, e->gamma_errno ? e->gamma_errno : EACCES,
				   s->refusal);
	return cpus	      ? s->only_lwps ? fake_refuse(why, EACCES, "delta") : 0
	       : s->only_cpus ? fake_refuse(why, EINVAL, "delta")
			      : 0;
}

static inline struct group *fake_bind(struct engine *e, const struct target *t,
				      const struct evsel *const *sel, unsigned n,
				      struct why *why)
{
	(void)sel;
	if (e->bind_errno) {
		fake_refuse(why, e->bind_errno, "bind");
		e->bind_errno = 0;
		return NULL;
	}
	struct group *g = calloc(1, sizeof *g);
	if (!g)
		abort();
	g->n = n;
	g->on_exec = t->on_exec;
	e->groups++;
	e->tid = t->tid;
	e->tree = t->tree;
	e->has_turns = t->turn != NULL;
	if (t->turn)
		memcpy(e->turn, t->turn, n);
	return g;
}

static inline int fake_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	memcpy(val, fake.val, g->n * sizeof *val);
	if (ns)
		*ns = fake.ns;
	*on = fake.on;
	return 0;
}

static inline unsigned fake_read_all(struct group *const *g, unsigned n, unsigned width,
				     struct count *val, uint64_t *on)
{
	for (unsigned i = 0; i < n; i++)
		fake_read(g[i], val + (size_t)i * width, NULL, &on[i]);
	return n;
}

static inline uint64_t fake_cycles(struct engine *e, uint64_t on)
{
	(void)e;
	return 3 * on;
}

static inline void fake_unbind(struct group *g)
{
	if (g)
		fake.groups--;
	free(g);
}

static const struct engine_words fake_words = {.note = fake_note};

static const struct engine_ops fake_ops = {
	.name = "fake",
	.words = &fake_words,
	.open = fake_open_engine,
	.close = fake_close,
	.cciname = fake_cciname,
	.npic = fake_npic,
	.knows = fake_knows,
	.walk = fake_walk,
	.attrs = fake_attrs,
	.encode = fake_encode,
	.drop = fake_drop,
	.lacking = fake_lacking,
	.class = fake_class,
	.source = fake_source,
	.probe = fake_probe,
	.bind = fake_bind,
	.read = fake_read,
	.read_all = fake_read_all,
	.cycles = fake_cycles,
	.unbind = fake_unbind,
};

/* Give a session this engine, with operations of the test. */
static inline void fake_enter(cpc_t *cpc, const struct engine_ops *ops)
{
	if (!cpc)
		abort();
	cpc->scope.ops->close(cpc->scope.engine);
	cpc->automatic = 0;
	cpc->scope.ops = ops;
	cpc->scope.engine = &fake;
}

/* Open a session with this engine; cpu as for cpc_open_cpu(). */
static inline cpc_t *fake_session(const char *cpu)
{
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, cpu, NULL);

	fake = (struct engine){0};
	fake_enter(cpc, &fake_ops);
	return cpc;
}

#endif
