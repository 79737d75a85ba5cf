#include "suite/tell/capabilities.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/*
 * Columns of the original's listing: a word that would end at LAST or later is wrapped.
 */
enum { EVENT_MARGIN = 17, ATTR_MARGIN = 20, REF_MARGIN = 8, LAST = 76, TAB = 8 };

static const char nothing[] = "No information available";

/* The state of a paragraph whose words are wrapped; each word is followed by a blank. */
struct wrap {
	FILE *out;
	int margin, column;
};

static void put_word(struct wrap *w, const char *word, size_t len)
{
	if (w->column + (int)len >= LAST && w->column > w->margin) {
		fprintf(w->out, "\n%*s", w->margin, "");
		w->column = w->margin;
	}
	w->column += fprintf(w->out, "%.*s ", (int)len, word);
}

/* Events in the order of the table, each with the counters that can count it. */
struct list {
	cpc_t *cpc;
	unsigned n;
	char **name;
	uint64_t *pics;
	int failed;
};

static void list_add(void *arg, const char *event)
{
	struct list *l = arg;

	if (array_grow(&l->name, l->n, sizeof *l->name) == -1 ||
	    array_grow(&l->pics, l->n, sizeof *l->pics) == -1 ||
	    !(l->name[l->n] = strdup(event))) {
		l->failed = 1;
		return;
	}
	l->pics[l->n] = 0;
	cpc_event_pics(l->cpc, event, &l->pics[l->n]);
	l->n++;
}

static void list_clear(struct list *l)
{
	for (unsigned i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	free(l->pics);
}

/* Print a tab, head, and the events that any of pics can count. */
static void put_events(const struct list *l, uint64_t pics, const char *head, FILE *out)
{
	struct wrap w = {out, EVENT_MARGIN, TAB};
	int any = 0;

	w.column += fprintf(out, "\t%s", head) - 1;
	for (unsigned i = 0; i < l->n; i++)
		if (l->pics[i] & pics) {
			put_word(&w, l->name[i], strlen(l->name[i]));
			any = 1;
		}
	if (!any)
		fputs(nothing, out);
	fputc('\n', out);
}

/* Returns nonzero if all counters can count the same events. */
static int counters_are_alike(const struct list *l, unsigned npic)
{
	const uint64_t all = npic >= 64 ? UINT64_MAX : (UINT64_C(1) << npic) - 1;

	for (unsigned i = 0; i < l->n; i++)
		if ((l->pics[i] & all) != all)
			return 0;
	return 1;
}

/* Print a block for each counter with blank lines between, or one for counters alike. */
static void put_list(const struct list *l, unsigned npic, FILE *out)
{
	char head[32];

	if (counters_are_alike(l, npic)) {
		snprintf(head, sizeof head, "event[0-%u]: ", npic - 1);
		put_events(l, UINT64_MAX, head, out);
		return;
	}
	for (unsigned i = 0; i < npic; i++) {
		snprintf(head, sizeof head, "event%u: %s", i, i < 10 ? " " : "");
		fputs(i ? "\n" : "", out);
		put_events(l, UINT64_C(1) << i, head, out);
	}
}

static void put_attr(void *arg, const char *attr)
{
	if (strcmp(attr, "picnum") != 0)
		put_word(arg, attr, strlen(attr));
}

static void put_attrs(cpc_t *cpc, FILE *out)
{
	struct wrap w = {out, ATTR_MARGIN, ATTR_MARGIN};

	fputs("\n\tattributes: ", out);
	cpc_walk_attrs(cpc, &w, put_attr);
	put_word(&w, "nouser", 6);
	put_word(&w, "sys", 3);
	fputc('\n', out);
}

static void put_ref(cpc_t *cpc, FILE *out)
{
	struct wrap w = {out, REF_MARGIN, REF_MARGIN};

	fputs("\n\t", out);
	for (const char *s = cpc_cpuref(cpc); *s;) {
		const size_t len = strcspn(s, " ");

		put_word(&w, s, len);
		s += len;
		s += strspn(s, " ");
	}
	fputc('\n', out);
}

char *capabilities_text(cpc_t *cpc)
{
	struct list generic = {.cpc = cpc}, specific = {.cpc = cpc};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	cpc_walk_generic_events_all(cpc, &generic, list_add);
	cpc_walk_events_all(cpc, &specific, list_add);
	fprintf(out, "\tCPU performance counter interface: %s\n\n", cpc_cciname(cpc));
	fputs("\tevent specification syntax:\n"
	      "\t[picn=]<eventn>[,attr[n][=<val>]]"
	      "[,[picn=]<eventn>[,attr[n][=<val>]],...]\n\n"
	      "\tGeneric Events:\n\n",
	      out);
	put_list(&generic, cpc_npic(cpc), out);
	fputs("\n\tSee generic_events(3CPC) for their meaning\n\n"
	      "\tPlatform Specific Events:\n\n",
	      out);
	put_list(&specific, cpc_npic(cpc), out);
	put_attrs(cpc, out);
	put_ref(cpc, out);
	const int failed = generic.failed || specific.failed;
	list_clear(&generic);
	list_clear(&specific);
	if (fclose(out) != 0 || failed) {
		free(text);
		return NULL;
	}
	return text;
}
