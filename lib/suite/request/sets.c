#include "suite/request/sets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/request/names.h"
#include "suite/request/spec.h"

struct sets *sets_new(cpc_t *cpc)
{
	struct sets *g = calloc(1, sizeof *g);

	if (g)
		g->cpc = cpc;
	return g;
}

static void show_clear(struct row_set *show)
{
	for (unsigned i = 0; show->event && i < show->n; i++)
		free((char *)show->event[i]);
	free((char **)show->event);
	free((unsigned *)show->pic);
	free((char **)show->note);
	free((char *)show->spec);
}

void sets_free(struct sets *g)
{
	if (!g)
		return;
	for (unsigned i = 0; i < g->n; i++) {
		cpc_set_destroy(g->cpc, g->set[i].set);
		show_clear(&g->set[i].show);
	}
	free(g->set);
	free(g);
}

/*
 * The message, the specification (of a long one the part that matters), a caret under the
 * place, and what may have been meant.
 */
static void explain(cpc_t *cpc, const char *text, const struct spec_error *e, char *err,
		    size_t size)
{
	enum { WIDTH = 72, BEFORE = 48 };
	char near[CPC_MAX_EVENT_LEN] = "";
	const size_t len = strlen(text);
	const size_t from = len > WIDTH && e->column > BEFORE ? e->column - BEFORE : 0;
	const char *head = from ? "..." : "", *tail = len - from > WIDTH ? "..." : "";

	if (*e->token)
		cpc_suggest(cpc, e->token, near, sizeof near);
	snprintf(err, size, "%s (column %u)%s%s\n\t%s%.*s%s\n\t%*s", e->text, e->column,
		 *near ? "; " : "", near, head, WIDTH, text + from, tail,
		 (int)(e->column - from + strlen(head)), "^");
}

/* What rows show of a set: copies, since the specification is freed. */
static int show_fill(struct row_set *show, const char *text, const struct spec *spec)
{
	char **event = calloc(spec->n + 1, sizeof *event);
	unsigned *pic = calloc(spec->n + 1, sizeof *pic);

	show->event = (const char *const *)event;
	show->pic = pic;
	show->note = calloc(spec->n + 1, sizeof *show->note);
	show->spec = strdup(text);
	show->n = spec->n;
	if (!event || !pic || !show->note || !show->spec)
		return -1;
	for (unsigned i = 0; i < spec->n; i++) {
		pic[i] = spec->req[i].pic;
		event[i] = strdup(spec->req[i].event);
		if (!event[i])
			return -1;
	}
	return 0;
}

/* Those that could not be placed ask for no counter: who binds them is told why. */
static int add_request(cpc_t *cpc, cpc_set_t *set, const struct spec_req *r)
{
	cpc_attr_t attrs[r->nattrs + 1];
	char picnum[] = "picnum";
	const int placed = r->pics == UINT64_C(1) << r->pic;

	for (unsigned i = 0; i < r->nattrs; i++)
		attrs[i] = r->attrs[i];
	attrs[r->nattrs] = (cpc_attr_t){picnum, r->pic};
	return cpc_set_add_request(cpc, set, r->event, 0, r->flags,
				   r->nattrs + (placed ? 1 : 0), attrs);
}

static int set_fill(cpc_t *cpc, struct sets_set *s, const char *text,
		    const struct spec *spec)
{
	s->set = cpc_set_create(cpc);
	if (!s->set || show_fill(&s->show, text, spec) == -1)
		return -1;
	for (unsigned i = 0; i < spec->n; i++) {
		if (add_request(cpc, s->set, &spec->req[i]) == -1)
			return -1;
		((const char **)s->show.note)[i] = cpc_request_note(cpc, s->set, (int)i);
	}
	return 0;
}

int sets_add(struct sets *g, const char *text, char *err, size_t size)
{
	const struct spec_names names = spec_names_of(g->cpc);
	struct sets_set *grown = realloc(g->set, (g->n + 1) * sizeof *grown);
	struct spec_error e;

	err[0] = '\0';
	if (!grown)
		return -1;
	g->set = grown;
	struct spec *spec = spec_parse(text, &names, &e);
	if (!spec) {
		if (errno == EINVAL) {
			explain(g->cpc, text, &e, err, size);
			errno = EINVAL;
		}
		return -1;
	}
	struct sets_set *s = &g->set[g->n];
	*s = (struct sets_set){0};
	const int r = set_fill(g->cpc, s, text, spec);
	const int saved = errno;
	spec_free(spec);
	if (r == 0) {
		g->n++;
		return 0;
	}
	if (s->set)
		cpc_set_destroy(g->cpc, s->set);
	show_clear(&s->show);
	errno = saved;
	return -1;
}
