#include "suite/explain/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpc/cpc.h"
#include "engine/engine.h"

struct engine {
	const struct engine_ops *ops;
	struct engine *real; /* the engine that would count */
	enum explain_query query;
};

struct evsel {
	const struct engine_ops *ops;
	struct evsel *real; /* or NULL */
	struct explain_answer answer;
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

static void walk(struct engine *e, const struct engine_walk *w)
{
	e->ops->walk(e->real, w);
}

static const char *const *attrs(struct engine *e)
{
	return e->ops->attrs(e->real);
}

static void add_part(void *arg, const struct engine_part *p)
{
	struct explain_items *items = arg;
	struct explain_item *it = explain_add_item(items, p->name);

	if (!it)
		return;
	if (p->from && !(it->from = strdup(p->from)))
		items->failed = 1;
	for (unsigned i = 0; i < p->n; i++)
		explain_add_field(it, p->field[i].name, p->field[i].value,
				  p->field[i].word);
}

static int copy_text(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return text && !*to ? -1 : 0;
}

static int describe_values(struct evsel *s)
{
	s->answer.class = cpc_class_name(s->ops->class(s->real));
	return copy_text(&s->answer.note, s->ops->words->note(s->real));
}

/*
 * Records why the real engine refuses a request, and how it would program the event. If
 * this machine lacks an event of another processor, that is a note, not a refusal.
 * Returns 0, or -1 with EINVAL if the request is malformed, or with ENOMEM.
 */
static int record_refusal(struct engine *e, struct evsel *s,
			  const struct engine_request *req, const struct why *why)
{
	const int error = errno;
	struct why ignored;

	s->real = e->ops->words->draft ? e->ops->words->draft(e->real, req, &ignored)
				       : NULL;
	if (!s->real && e->ops->words->draft && error == EINVAL && !req->row) {
		errno = EINVAL;
		return -1;
	}
	if (s->real && error == ENOENT && !req->row)
		return copy_text(&s->answer.note, why->text);
	if (s->real && describe_values(s) == -1)
		return -1;
	return copy_text(&s->answer.refused, why->text);
}

/* Fills the answer of s. Returns 0, or -1 with ENOMEM, or with EINVAL and *why. */
static int query_real(struct engine *e, struct evsel *s, const struct engine_request *req,
		      struct why *why)
{
	s->real = e->ops->encode(e->real, req, why);
	if (s->real ? describe_values(s) == -1 : record_refusal(e, s, req, why) == -1)
		return -1;
	if (s->answer.class && !s->answer.refused &&
	    e->ops->probe(e->real, s->real, e->query == QUERY_CPUS, why) == -1 &&
	    copy_text(&s->answer.refused, why->text) == -1)
		return -1;
	if (s->real && e->ops->words->explain)
		e->ops->words->explain(s->real, &s->answer.items, add_part);
	if (!s->answer.items.failed)
		return 0;
	errno = ENOMEM;
	return -1;
}

static void drop(struct evsel *s)
{
	if (!s)
		return;
	s->ops->drop(s->real);
	explain_items_free(&s->answer.items);
	free(s->answer.note);
	free(s->answer.refused);
	free(s);
}

static struct evsel *encode(struct engine *e, const struct engine_request *req,
			    struct why *why)
{
	struct evsel *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->ops = e->ops;
	if (e->query == QUERY_NONE || query_real(e, s, req, why) == 0)
		return s;
	const int error = errno;
	drop(s);
	errno = error;
	return NULL;
}

static cpc_class_t class_of(const struct evsel *s)
{
	return s->answer.class ? s->ops->class(s->real) : CPC_UNAVAILABLE;
}

static const char *note(const struct evsel *s)
{
	return s->answer.note;
}

/* Sets of this engine are never bound. */
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

int explain_engine_install(cpc_t *cpc, enum explain_query query)
{
	struct engine *e = calloc(1, sizeof *e);

	if (!e)
		return -1; /* errno is ENOMEM */
	*e = (struct engine){cpc->scope.ops, cpc->scope.engine, query};
	cpc->scope.ops = &explain_ops;
	cpc->scope.engine = e;
	return 0;
}

const struct explain_answer *explain_engine_answer(const struct evsel *s)
{
	return &s->answer;
}
