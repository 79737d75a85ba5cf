#include "suite/request/sets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "cpc/cpc.h"
#include "spec/names.h"
#include "spec/spec.h"

struct sets *sets_new(cpc_t *cpc)
{
	struct sets *sets = calloc(1, sizeof *sets);

	if (sets)
		sets->cpc = cpc;
	return sets;
}

static void show_clear(struct row_set *show)
{
	for (unsigned i = 0; show->event && i < show->n; i++)
		free((char *)show->event[i]);
	for (unsigned i = 0; show->attrs && i < show->n; i++)
		free((char *)show->attrs[i]);
	free((char **)show->event);
	free((char **)show->attrs);
	free((char **)show->mode);
	free((unsigned *)show->pic);
	free((char **)show->note);
	free((char **)show->unit);
	free((char *)show->spec);
}

void sets_free(struct sets *sets)
{
	if (!sets)
		return;
	for (unsigned i = 0; i < sets->n; i++) {
		cpc_set_destroy(sets->cpc, sets->member[i].set);
		show_clear(&sets->member[i].show);
	}
	free(sets->member);
	free(sets);
}

/*
 * Write the error with similar names, the specification (if it is long, the part around
 * the mistake), and a caret under the mistake.
 */
static void describe_error(cpc_t *cpc, const char *text, struct spec_error *e, char *err,
			   size_t size)
{
	enum { WIDTH = 72, BEFORE = 48 };
	char near[CPC_MAX_EVENT_LEN] = "", part[WIDTH + 1];
	const size_t len = strlen(text), column = e->column - 1;
	const size_t from = len > WIDTH && column >= BEFORE ? column + 1 - BEFORE : 0;
	const char *head = from ? "..." : "", *tail = len - from > WIDTH ? "..." : "";

	if (*e->token)
		cpc_suggest(cpc, e->token, near, sizeof near);
	text_clean(near, "");
	text_clean(e->text, "");
	snprintf(part, sizeof part, "%.*s", (int)(column - from), text + from);
	const size_t caret = strlen(head) + text_width(part) + 1;
	snprintf(part, sizeof part, "%s", text + from);
	text_clean(part, "");
	snprintf(err, size, "%s (column %u)%s%s\n\t%s%s%s\n\t%*s", e->text, e->column,
		 *near ? "; " : "", near, head, part, tail, (int)caret, "^");
}

/* Returns the attributes as text, which the caller frees, or NULL with ENOMEM. */
static char *attrs_text(const struct spec_req *r)
{
	struct textbuf b = {0};

	for (unsigned i = 0; i < r->nattrs; i++) {
		textbuf_str(&b, i ? "," : "");
		textbuf_str(&b, r->attrs[i].ca_name);
		textbuf_char(&b, '=');
		textbuf_num(&b, r->attrs[i].ca_val, 0);
	}
	return textbuf_end(&b);
}

/* The modes in which a request is counted, which its engine may have changed. */
static const char *mode_word(const cpc_set_t *set, unsigned i, unsigned flags)
{
	static const char *const words[] = {"", "user", "sys", "user+sys"};
	const struct engine_words *of = set->reqs->ops->words;

	if (of->modes)
		flags = of->modes(set->reqs->req[i].sel);
	return words[(flags & CPC_COUNT_USER ? 1 : 0) +
		     (flags & CPC_COUNT_SYSTEM ? 2 : 0)];
}

enum source sets_source(const struct sets_member *member, unsigned index)
{
	const struct requests *r = member->set->reqs;

	return r->ops->source ? r->ops->source(r->req[index].sel) : SOURCE_COUNTER;
}

static int suits_cpus(const struct sets_member *s, unsigned i)
{
	switch (sets_source(s, i)) {
	case SOURCE_COUNTER:
		return strcmp(s->show.mode[i], "user") == 0;
	case SOURCE_BREAKPOINT:
		return 0;
	default:
		return 1;
	}
}

int sets_suit_cpus(const struct sets *sets)
{
	for (unsigned k = 0; k < sets->n; k++)
		for (unsigned i = 0; i < sets->member[k].show.n; i++)
			if (!suits_cpus(&sets->member[k], i))
				return 0;
	return 1;
}

/*
 * The row of the generic events of Linux that stands for a name of the kernel's engine,
 * or NULL: the names of perf(1) and, as perf::NAME, of libpfm4.
 */
static const struct event *generic_row(const char *name)
{
	const struct evtab *linux_events = evtab_find("linux");

	for (unsigned i = 0; i < linux_events->n; i++) {
		const struct event *row = &linux_events->ev[i];

		if (strcmp(row->name, name) == 0 ||
		    (row->host && strcmp(row->host, name) == 0))
			return row;
	}
	return NULL;
}

/*
 * The unit of an event's counts; "1" if the event is not known to count time or cycles.
 */
static const char *unit_of(const struct sets_member *s, unsigned index)
{
	const struct request *r = &s->set->reqs->req[index];
	const struct event *row = r->event.row ? r->event.row : generic_row(r->name);
	const enum source source = sets_source(s, index);

	if (source == SOURCE_CLOCK)
		return "ns";
	if (source == SOURCE_COSTS)
		return "cycles";
	return row && row->unit ? row->unit : "1";
}

/* Fill *show with copies: the specification will be freed. */
static int show_fill(struct row_set *show, const char *text, const struct spec *spec)
{
	char **event = calloc(spec->n + 1, sizeof *event);
	char **attrs = calloc(spec->n + 1, sizeof *attrs);
	unsigned *pic = calloc(spec->n + 1, sizeof *pic);

	show->event = (const char *const *)event;
	show->attrs = (const char *const *)attrs;
	show->pic = pic;
	show->mode = calloc(spec->n + 1, sizeof *show->mode);
	show->note = calloc(spec->n + 1, sizeof *show->note);
	show->unit = calloc(spec->n + 1, sizeof *show->unit);
	show->spec = strdup(text);
	show->n = spec->n;
	if (!event || !attrs || !pic || !show->mode || !show->unit || !show->note ||
	    !show->spec)
		return -1;
	for (unsigned i = 0; i < spec->n; i++) {
		pic[i] = spec->req[i].pic;
		event[i] = strdup(spec->req[i].event);
		attrs[i] = attrs_text(&spec->req[i]);
		if (!event[i] || !attrs[i])
			return -1;
	}
	return 0;
}

static int set_fill(cpc_t *cpc, struct sets_member *s, const char *text,
		    const struct spec *spec)
{
	s->set = cpc_set_create(cpc);
	if (!s->set || show_fill(&s->show, text, spec) == -1)
		return -1;
	for (unsigned i = 0; i < spec->n; i++) {
		if (spec_add(cpc, s->set, &spec->req[i]) == -1)
			return -1;
		((const char **)s->show.note)[i] = cpc_request_note(cpc, s->set, (int)i);
		((const char **)s->show.mode)[i] =
			mode_word(s->set, i, spec->req[i].flags);
		((const char **)s->show.unit)[i] = unit_of(s, i);
	}
	return 0;
}

int sets_add(struct sets *sets, const char *text, char *err, size_t size)
{
	const struct spec_names names = spec_names_of(sets->cpc);
	struct spec_error e;

	err[0] = '\0';
	if (array_grow(&sets->member, sets->n, sizeof *sets->member) == -1)
		return -1;
	struct spec *spec = spec_parse(text, &names, &e);
	if (!spec) {
		if (errno == EINVAL) {
			sets->unknown = *e.token != '\0';
			describe_error(sets->cpc, text, &e, err, size);
			errno = EINVAL;
		}
		return -1;
	}
	struct sets_member *s = &sets->member[sets->n];
	*s = (struct sets_member){0};
	const int r = set_fill(sets->cpc, s, text, spec);
	const int saved = errno;
	spec_free(spec);
	if (r == 0) {
		sets->n++;
		return 0;
	}
	if (s->set)
		cpc_set_destroy(sets->cpc, s->set);
	show_clear(&s->show);
	errno = saved;
	return -1;
}
