#include "suite/explain/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "cpc/cpc.h"
#include "engine/engine.h"

struct engine {
	const struct engine_ops *ops;
	struct engine *real;
	enum explain_asked asked;
};

struct evsel {
	const struct engine_ops *ops;
	struct evsel *real; /* or NULL */
	struct explain_told told;
};

static void close_session(struct engine *e)
{
	if (!e)
		return;
	e->ops->close(e->real);
	free(e);
}

static const char *cciname(struct engine *e)
{
	return e->ops->cciname(e->real);
}

static unsigned npic(struct engine *e)
{
	return e->ops->npic(e->real);
}

static int knows(struct engine *e, const char *name)
{
	return e->ops->knows(e->real, name);
}

static void walk(struct engine *e, void *arg,
		 void (*fn)(void *arg, const char *name, const char *title))
{
	e->ops->walk(e->real, arg, fn);
}

static const char *const *attrs(struct engine *e)
{
	return e->ops->attrs(e->real);
}

static void keep(void *arg, const struct engine_part *p)
{
	struct explain_items *items = arg;
	struct explain_item *it = explain_add(items, p->name);

	if (!it)
		return;
	if (p->from && !(it->from = strdup(p->from)))
		items->failed = 1;
	for (unsigned i = 0; i < p->n; i++)
		explain_field(it, p->field[i].name, p->field[i].value, p->field[i].word);
}

static int keep_text(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return text && !*to ? -1 : 0;
}

static int describe(struct evsel *s)
{
	s->told.class = cpc_class_name(s->ops->class(s->real));
	return keep_text(&s->told.note, s->ops->words->note(s->real));
}

/*
 * It was refused: why, and how it would be programmed if it were not. An event of another
 * processor is no refusal, that is what was asked. -1: it makes no sense.
 */
static int refuse(struct engine *e, struct evsel *s, const struct engine_request *ask,
		  const struct why *why)
{
	const int error = errno;
	struct why other;

	s->real =
		e->ops->words->draft ? e->ops->words->draft(e->real, ask, &other) : NULL;
	if (!s->real && e->ops->words->draft && error == EINVAL && !ask->row) {
		errno = EINVAL;
		return -1;
	}
	if (s->real && error == ENOENT && !ask->row)
		return keep_text(&s->told.note, why->text);
	if (s->real && describe(s) == -1)
		return -1;
	return keep_text(&s->told.refused, why->text);
}

/* One CPU is enough: not every CPU has every PMU (ENOENT). */
static int probe_cpus(struct engine *e, const struct evsel *real, struct why *why)
{
	struct target t = {.tid = -1};
	struct cpulist here;
	struct group *g = NULL;

	if (cpulist_allowed(&here) == -1) {
		strcpy(why->text, strerror(errno));
		return -1;
	}
	errno = ENOENT;
	for (unsigned i = 0; i < here.n && !g && errno == ENOENT; i++) {
		t.cpu = here.cpu[i];
		g = e->ops->bind(e->real, &t, &real, 1, why);
	}
	cpulist_free(&here);
	e->ops->unbind(g);
	return g ? 0 : -1;
}

static int probe(struct engine *e, const struct evsel *real, struct why *why)
{
	return e->asked == ASK_CPUS ? probe_cpus(e, real, why)
				    : e->ops->probe(e->real, real, why);
}

/* -1: ENOMEM, or EINVAL and *why. */
static int ask_real(struct engine *e, struct evsel *s, const struct engine_request *ask,
		    struct why *why)
{
	s->real = e->ops->encode(e->real, ask, why);
	if (s->real ? describe(s) == -1 : refuse(e, s, ask, why) == -1)
		return -1;
	if (s->told.class && !s->told.refused && probe(e, s->real, why) == -1 &&
	    keep_text(&s->told.refused, why->text) == -1)
		return -1;
	if (s->real && e->ops->words->explain)
		e->ops->words->explain(s->real, &s->told.items, keep);
	if (!s->told.items.failed)
		return 0;
	errno = ENOMEM;
	return -1;
}

static void drop(struct evsel *s)
{
	if (!s)
		return;
	s->ops->drop(s->real);
	explain_items_free(&s->told.items);
	free(s->told.note);
	free(s->told.refused);
	free(s);
}

static struct evsel *encode(struct engine *e, const struct engine_request *ask,
			    struct why *why)
{
	struct evsel *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->ops = e->ops;
	if (e->asked == ASK_NOTHING || ask_real(e, s, ask, why) == 0)
		return s;
	const int error = errno;
	drop(s);
	errno = error;
	return NULL;
}

static cpc_class_t class_of(const struct evsel *s)
{
	return s->told.class ? s->ops->class(s->real) : CPC_UNAVAILABLE;
}

static const char *note(const struct evsel *s)
{
	return s->told.note;
}

/* There is nothing to undo: sets of such an engine are never bound. */
static void unbind(struct group *g)
{
	(void)g;
}

static const struct engine_words explain_words = {.note = note};

static const struct engine_ops explain_ops = {
	.name = "explain",
	.words = &explain_words,
	.close = close_session,
	.cciname = cciname,
	.npic = npic,
	.knows = knows,
	.walk = walk,
	.attrs = attrs,
	.encode = encode,
	.drop = drop,
	.class = class_of,
	.unbind = unbind,
};

int explain_engine_take(cpc_t *cpc, enum explain_asked asked)
{
	struct engine *e = calloc(1, sizeof *e);

	if (!e)
		return -1;
	*e = (struct engine){cpc->scope.ops, cpc->scope.engine, asked};
	cpc->scope.ops = &explain_ops;
	cpc->scope.engine = e;
	return 0;
}

const struct explain_told *explain_engine_told(const struct evsel *s)
{
	return &s->told;
}
