#include "suite/explain/clash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cpc/cpc.h"
#include "suite/request/names.h"
#include "table/assign.h"

enum { MAX = 64 };

static int any_counter(void *arg, const char *name, uint64_t *pics)
{
	const struct spec_names *of = arg;

	if (of->event(of->arg, name, pics))
		return -1;
	*pics = UINT64_MAX;
	return 0;
}

static int attr(void *arg, const char *name, struct spec_attr *is)
{
	const struct spec_names *of = arg;

	return of->attr(of->arg, name, is);
}

/* "picN=" stands before the name. */
static int is_chosen(const char *text, const struct spec_req *r)
{
	return r->column > 1 && text[r->column - 2] == '=';
}

/* -1: some event cannot have the counter that was chosen for it. */
static int ask_of(cpc_t *cpc, const char *text, const struct spec *s,
		  struct assign_request *ask)
{
	for (unsigned i = 0; i < s->n; i++) {
		struct resolved m;

		if (resolve_name(&cpc->scope, s->req[i].event, &m) == -1)
			return -1;
		ask[i] = (struct assign_request){
			.can = m.pics,
			.nneeds = m.own ? m.own->nneeds : 0,
			.needs = m.own ? m.own->needs : NULL,
		};
		if (is_chosen(text, &s->req[i]))
			ask[i].can &= UINT64_C(1) << s->req[i].pic;
		if (!ask[i].can)
			return -1;
	}
	return 0;
}

static size_t add(char *buf, size_t len, size_t size, const char *text)
{
	if (len < size)
		snprintf(buf + len, size - len, "%s", text);
	return len + strlen(text);
}

static const char *separator(int first, int last)
{
	return first ? "" : last ? " and " : ", ";
}

/* "A, B and C": those whose bits are set. */
static size_t name_events(const struct spec *s, uint64_t clash, char *buf, size_t size)
{
	size_t len = 0;

	for (uint64_t left = clash; left; left &= left - 1) {
		len = add(buf, len, size, separator(left == clash, !(left & (left - 1))));
		len = add(buf, len, size, s->req[__builtin_ctzll(left)].event);
	}
	return len;
}

static void name_rule(uint64_t pics, unsigned n, size_t len, char *buf, size_t size)
{
	const int one = !(pics & (pics - 1));

	len = add(buf, len, size, n > 2 ? " are all of counter" : " are both of counter");
	len = add(buf, len, size, one ? " " : "s ");
	for (uint64_t left = pics; left; left &= left - 1) {
		char number[16];

		snprintf(number, sizeof number, "%s%d",
			 separator(left == pics, !(left & (left - 1))),
			 __builtin_ctzll(left));
		len = add(buf, len, size, number);
	}
	add(buf, len, size, " alone");
}

/*
 * No more counters than one fewer than the events that clash: else it is not for want of
 * counters.
 */
static int say(const struct spec *s, const struct assign_request *ask, uint64_t clash,
	       char *why, size_t size)
{
	const unsigned n = (unsigned)__builtin_popcountll(clash);
	uint64_t pics = 0;

	for (uint64_t left = clash; left; left &= left - 1)
		pics |= ask[__builtin_ctzll(left)].can;
	if (n < 2 || (unsigned)__builtin_popcountll(pics) >= n)
		return 0;
	name_rule(pics, n, name_events(s, clash, why, size), why, size);
	return 1;
}

struct spec *explain_clash(cpc_t *cpc, const char *text, char *why, size_t size)
{
	struct spec_names of = spec_names_of(cpc), any = of;
	struct assign_request ask[MAX];
	struct assign_result choice[MAX];
	struct spec_error e;
	uint64_t clash;

	any.arg = &of;
	any.event = any_counter;
	any.attr = attr;
	any.place = NULL;
	any.npic = MAX;
	struct spec *s = spec_parse(text, &any, &e);
	if (s && s->n && ask_of(cpc, text, s, ask) == 0 &&
	    assign_pics(ask, s->n, choice, &clash) == -1 && say(s, ask, clash, why, size))
		return s;
	spec_free(s);
	return NULL;
}
