#include "suite/explain/clash.h"

#include "base/say.h"
#include "cpc/cpc.h"
#include "spec/names.h"
#include "table/assign.h"

enum { MAX_REQUESTS = 64 };

/*
 * Says of each event that all counters can count it, so that the parser accepts any set.
 */
static int any_counter(void *arg, const char *name, uint64_t *pics)
{
	const struct spec_names *names = arg;

	if (names->event(names->arg, name, pics))
		return -1;
	*pics = UINT64_MAX;
	return 0;
}

static int find_attr(void *arg, const char *name, struct spec_attr *attr)
{
	const struct spec_names *names = arg;

	return names->attr(names->arg, name, attr);
}

/* Returns 1 if "picN=" precedes the event in the text. */
static int names_counter(const char *text, const struct spec_req *r)
{
	return r->column > 1 && text[r->column - 2] == '=';
}

/* Fills req[]. Returns -1 if an event cannot be counted on the counter that it names. */
static int fill_requests(cpc_t *cpc, const char *text, const struct spec *s,
			 struct assign_request *req)
{
	for (unsigned i = 0; i < s->n; i++) {
		struct resolved res;

		if (resolve_name(&cpc->scope, s->req[i].event, &res) == -1)
			return -1;
		req[i] = (struct assign_request){
			.can = res.pics,
			.nneeds = res.own ? res.own->nneeds : 0,
			.needs = res.own ? res.own->needs : NULL,
		};
		if (names_counter(text, &s->req[i]))
			req[i].can &= UINT64_C(1) << s->req[i].pic;
		if (!req[i].can)
			return -1;
	}
	return 0;
}

static const char *event_name(const void *arg, unsigned member)
{
	const struct spec *s = arg;

	return s->req[member].event;
}

/* Appends the numbers of counters: "0, 1 and 2". */
static void add_counters(char *buf, size_t size, uint64_t pics)
{
	for (const char *sep = ""; pics; pics &= pics - 1) {
		say_add(buf, size, "%s%d", sep, __builtin_ctzll(pics));
		sep = __builtin_popcountll(pics) == 2 ? " and " : ", ";
	}
}

/*
 * Writes why the events of a set cannot be counted together; bit n: event n. Returns 0 if
 * the events have enough counters, so that something else is missing.
 */
static int clash_message(const struct spec *s, const struct assign_request *req,
			 uint64_t clash, char *why, size_t size)
{
	const unsigned n = (unsigned)__builtin_popcountll(clash);
	uint64_t pics = 0;

	for (uint64_t left = clash; left; left &= left - 1)
		pics |= req[__builtin_ctzll(left)].can;
	if (n < 2 || (unsigned)__builtin_popcountll(pics) >= n)
		return 0;
	why[0] = '\0';
	say_set(why, size, clash, event_name, s);
	say_add(why, size, " can%s be counted only on counter%s ", n == 2 ? " both" : "",
		pics & (pics - 1) ? "s" : "");
	add_counters(why, size, pics);
	return 1;
}

struct spec *explain_clash(cpc_t *cpc, const char *text, char *why, size_t size)
{
	struct spec_names names = spec_names_of(cpc), any = names;
	struct assign_request req[MAX_REQUESTS];
	struct assign_result result[MAX_REQUESTS];
	struct spec_error e;
	uint64_t clash;

	any.arg = &names;
	any.event = any_counter;
	any.attr = find_attr;
	any.place = NULL;
	any.npic = MAX_REQUESTS;
	struct spec *s = spec_parse(text, &any, &e);
	if (s && s->n && fill_requests(cpc, text, s, req) == 0 &&
	    assign_pics(req, s->n, result, &clash) == -1 &&
	    clash_message(s, req, clash, why, size))
		return s;
	spec_free(s);
	return NULL;
}
