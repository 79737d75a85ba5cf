#include "spec/spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "spec/fill.h"
#include "spec/item.h"
#include "spec/value.h"

/*
 * Read the counter number that follows the first word bytes of a key: *pic is that
 * counter, or -1 for all counters if no number follows. Returns 0 if something else
 * follows.
 */
static int counters_of(const struct parse *p, struct span key, size_t word, int *pic)
{
	const struct span suffix = {key.s + word, key.len - word};

	*pic = span_number(suffix);
	return !suffix.len || (*pic >= 0 && (unsigned)*pic < p->npic);
}

/*
 * The attribute picnum is reserved: libcpc uses it for the N of picN=. The original
 * refused it too.
 */
static int is_attr(const struct parse *p, struct span s, struct spec_attr *attr)
{
	char name[CPC_MAX_ATTR_LEN];

	*attr = (struct spec_attr){0};
	return s.len && !span_is(s, "picnum") && span_copy(s, name, sizeof(name)) &&
	       p->names->attr(p->names->arg, name, attr);
}

/* Returns 0 if s is not an event; *pics are the counters that can count the event. */
static int is_event(const struct parse *p, struct span s, uint64_t *pics)
{
	char name[CPC_MAX_EVENT_LEN];

	*pics = 0;
	if (!s.len || !span_fits_event(s) || !span_copy(s, name, sizeof(name)) ||
	    p->names->event(p->names->arg, name, pics))
		return 0;
	*pics &= p->all;
	return 1;
}

static int too_long(struct parse *p, struct span name)
{
	spec_say(p, "bad token '%.60s...'; an event name has at most %d bytes, not %zu",
		 name.s, CPC_MAX_EVENT_LEN - 1, name.len);
	return spec_fail(p, name.s);
}

/* Returns nonzero if key would be a token with another counter number. */
static int wrong_number(const struct parse *p, struct span key)
{
	const struct span word = span_stem(key);
	struct spec_attr attr;

	return word.len < key.len && (span_is(word, "pic") || span_is(word, "nouser") ||
				      span_is(word, "sys") || is_attr(p, word, &attr));
}

/* Refuse an item that is neither a token nor an event. */
static int bad_token(struct parse *p, const struct item *it)
{
	uint64_t pics;

	spec_say(p, "bad token '%.*s'", span_shown(it->all), it->all.s);
	if (wrong_number(p, it->key))
		spec_say(p,
			 p->names->npic ? "; counters are numbered from 0 to %u"
					: "; there are no counters",
			 p->names->npic - 1);
	else if (span_is(it->key, "picnum"))
		spec_say(p, "; write picN=event to choose a counter");
	else if (it->value.s && is_event(p, it->key, &pics))
		spec_say(p, "; '%.*s' is an event and takes no value",
			 span_shown(it->key), it->key.s);
	else
		span_copy(it->key, p->err->token, sizeof(p->err->token));
	return spec_fail(p, it->all.s);
}

/* "pic0", "pic0 and pic3", "pic0 to pic255" */
static void say_pics(struct parse *p, uint64_t pics)
{
	enum { MANY = 5 };
	const int low = __builtin_ctzll(pics), n = __builtin_popcountll(pics);

	if (n >= MANY && pics >> low == UINT64_MAX >> (64 - n)) {
		spec_say(p, "pic%d to pic%u", low,
			 pics >> 63 ? p->npic - 1 : (unsigned)(low + n - 1));
		return;
	}
	for (const char *sep = ""; pics; pics &= pics - 1) {
		spec_say(p, "%spic%d", sep, __builtin_ctzll(pics));
		sep = __builtin_popcountll(pics) == 2 ? " and " : ", ";
	}
}

/* pics: the counters that can count the event, or NULL if it is not known. */
static int cannot_measure(struct parse *p, int pic, struct span ev, const uint64_t *pics)
{
	spec_say(p, "pic%d cannot measure event '%.*s' on this cpu", pic, span_shown(ev),
		 ev.s);
	if (!pics) {
		span_copy(ev, p->err->token, sizeof(p->err->token));
	} else if (*pics) {
		spec_say(p, "; the event can be counted on ");
		say_pics(p, *pics);
	} else {
		spec_say(p, "; no counter can count it");
	}
	return spec_fail(p, ev.s);
}

/* Return the event that uses a counter. */
static struct span event_on(const struct parse *p, unsigned pic)
{
	unsigned i = 0;

	while (p->event[i].pic != pic)
		i++;
	return p->event[i].name;
}

static void add_event(struct parse *p, struct span event, unsigned pic, uint64_t pics)
{
	p->event[p->nevents++] = (struct wanted_event){event, pic, pics};
}

static int all_taken(struct parse *p, struct span name)
{
	spec_say(p, "bad token '%.*s'; all %u counters are in use", span_shown(name),
		 name.s, p->nevents);
	return spec_fail(p, name.s);
}

/* "picN=event" */
static int read_pic(struct parse *p, const struct item *it)
{
	const struct span key = it->key;
	uint64_t pics;
	int pic;

	if (key.len < 4 || memcmp(key.s, "pic", 3) || !counters_of(p, key, 3, &pic))
		return 0;

	const uint64_t bit = engine_pic_bit((unsigned)pic);
	if (p->used[pic]) {
		const struct span used_by = event_on(p, (unsigned)pic);

		spec_say(p, "repeated 'pic%d' token; pic%d already counts '%.*s'", pic,
			 pic, span_shown(used_by), used_by.s);
		return spec_fail(p, it->all.s);
	}
	if (!it->value.len) {
		spec_say(p, "missing 'pic%d' value", pic);
		return spec_fail(p, it->all.s);
	}
	if (it->value.len >= CPC_MAX_EVENT_LEN)
		return too_long(p, it->value);

	const int known = is_event(p, it->value, &pics);
	if (!(pics & bit))
		return cannot_measure(p, pic, it->value, known ? &pics : NULL);
	if (p->nevents == p->npic)
		return all_taken(p, it->value);
	add_event(p, it->value, (unsigned)pic, bit);
	spec_use(p, (unsigned)pic);
	return 1;
}

/* "nouser[N]", "sys[N]". A value is ignored, as by the original. */
static int read_mode(struct parse *p, const struct item *it)
{
	const struct {
		const char *word;
		unsigned char *pics;
	} modes[] = {{"nouser", p->nouser}, {"sys", p->sys}};

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		const size_t n = strlen(modes[i].word);
		int pic;

		if (it->key.len >= n && !memcmp(it->key.s, modes[i].word, n) &&
		    counters_of(p, it->key, n, &pic)) {
			if (pic < 0)
				memset(modes[i].pics, 1, MAX_PICS);
			else
				modes[i].pics[pic] = 1;
			return 1;
		}
	}
	return 0;
}

/*
 * "attr[N][=value]". If the name of an attribute itself ends in digits, the longest name
 * that fits is the attribute.
 */
static int read_attr(struct parse *p, const struct item *it)
{
	struct wanted_attr w = {.name = it->key};
	size_t digits = 0; /* of the counter number */

	while (!counters_of(p, it->key, w.name.len, &w.pic) ||
	       !is_attr(p, w.name, &w.kind)) {
		if (++digits > SPAN_DIGITS || digits > it->key.len)
			return 0;
		w.name.len = it->key.len - digits;
	}
	if (w.kind.of_set && digits) {
		spec_say(p,
			 "bad token '%.*s'; attribute '%.*s' applies to the whole "
			 "set and takes no counter number",
			 span_shown(it->all), it->all.s, span_shown(w.name), w.name.s);
		return spec_fail(p, it->all.s);
	}
	const char *const correct = spec_value(it->value, w.kind.form, &w.value);
	if (correct) {
		spec_say(p, "invalid value '%.*s' for attribute '%.*s'%s%s",
			 span_shown(it->value), it->value.s ? it->value.s : "",
			 span_shown(it->key), it->key.s, *correct ? "; " : "", correct);
		return spec_fail(p, it->value.s ? it->value.s : it->all.s + it->all.len);
	}
	p->attr[p->nattrs++] = w;
	return 1;
}

/* Refuse a known event that finds no counter: all of pics are used or are skipped. */
static int no_counter(struct parse *p, struct span name, uint64_t pics)
{
	unsigned open = 0;

	while (open < p->npic && (p->used[open] || !(pics & engine_pic_bit(open))))
		open++;
	if (pics == p->all && open == p->npic)
		return all_taken(p, name);
	spec_say(p, "bad token '%.*s'; only ", span_shown(name), name.s);
	say_pics(p, pics);
	spec_say(p, " can count it, and ");
	if (open < p->npic) {
		spec_say(p,
			 "an event without picN= goes above all used counters: write "
			 "pic%u=%.*s",
			 open, span_shown(name), name.s);
	} else {
		const int low = __builtin_ctzll(pics);
		const struct span used_by = event_on(p, (unsigned)low);

		spec_say(p, "pic%d already counts '%.*s'", low, span_shown(used_by),
			 used_by.s);
	}
	return spec_fail(p, name.s);
}

/*
 * An event without picN= goes to the first counter above all used ones, even if a lower
 * counter is free. Source: opencpc-events(7)
 */
static int add_upwards(struct parse *p, struct span name, uint64_t pics)
{
	unsigned pic = p->top;

	while (pic < p->npic && !(pics & engine_pic_bit(pic)))
		pic++;
	if (pic == p->npic)
		return no_counter(p, name, pics);
	add_event(p, name, pic, engine_pic_bit(pic));
	spec_use(p, pic);
	return 1;
}

/*
 * An event without picN= whose counter place() assigns. Events that only one counter can
 * count are left to place() too, which explains better why they clash.
 */
static int add_anywhere(struct parse *p, struct span name, uint64_t pics)
{
	const int only_one = !(pics & (pics - 1));
	uint64_t usable = pics;

	for (unsigned i = 0; i < p->nevents; i++)
		usable |= p->event[i].pics;
	if (p->nevents == p->npic ||
	    (!only_one && p->nevents >= (unsigned)__builtin_popcountll(usable)))
		return all_taken(p, name);
	add_event(p, name, MAX_PICS, pics);
	return 1;
}

static int read_event(struct parse *p, const struct item *it)
{
	uint64_t pics;

	if (it->value.s)
		return bad_token(p, it);
	if (it->key.len >= CPC_MAX_EVENT_LEN)
		return too_long(p, it->key);
	if (!is_event(p, it->key, &pics))
		return bad_token(p, it);

	if (!pics) {
		spec_say(p, "bad token '%.*s'; no counter of this cpu can count it",
			 span_shown(it->key), it->key.s);
		return spec_fail(p, it->key.s);
	}
	return p->names->place ? add_anywhere(p, it->key, pics)
			       : add_upwards(p, it->key, pics);
}

/*
 * The kinds of items, in the order in which they are tried. A function returns 1 if the
 * item is of its kind, 0 if it is not, or -1 on an error. As in the original, tokens come
 * before events: a name that is both, such as "edge", is the attribute, and "picN=edge"
 * is always the event. read_event() accepts or refuses all remaining items.
 */
static int (*const readers[])(struct parse *p, const struct item *it) = {
	read_pic,
	read_mode,
	read_attr,
	read_event,
};

static int read_item(struct parse *p, const struct item *it)
{
	int done = 0;

	for (size_t i = 0; !done && i < sizeof(readers) / sizeof(*readers); i++)
		done = readers[i](p, it);
	return done;
}

/* The text may end with a comma; no other item may be empty. Source: opencpc-events(7) */
static int read_items(struct parse *p)
{
	for (const char *s = p->text; *s;) {
		const char *open;
		const struct item it = item_cut(s, &open);

		if (open) {
			spec_say(p, "there is no closing '/' in '%.*s'",
				 span_shown(it.all), s);
			return spec_fail(p, open);
		}
		if (read_item(p, &it) < 0)
			return -1;
		s += it.all.len;
		s += *s == ',';
	}
	return 0;
}

static size_t count_commas(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == ',';
	return n;
}

struct spec *spec_parse(const char *text, const struct spec_names *names,
			struct spec_error *err)
{
	const unsigned npic = names->npic < MAX_PICS ? names->npic : MAX_PICS;
	struct parse p = {.names = names, .err = err, .text = text, .npic = npic};

	memset(err, 0, sizeof(*err));
	if (npic)
		p.all = npic < 64 ? UINT64_MAX >> (64 - npic) : UINT64_MAX;

	struct spec *s = calloc(1, sizeof(*s));
	p.attr = calloc(count_commas(text) + 1, sizeof(*p.attr));
	p.event = calloc(count_commas(text) + 1, sizeof(*p.event));
	if (!s || !p.attr || !p.event || read_items(&p) || spec_fill(&p, s)) {
		const int e = errno;

		spec_free(s);
		s = NULL;
		errno = e;
	}
	free(p.attr);
	free(p.event);
	return s;
}

static void free_req(struct spec_req *r)
{
	for (unsigned i = 0; i < r->nattrs; i++)
		free(r->attrs[i].ca_name);
	free(r->attrs);
	free(r->event);
}

void spec_free(struct spec *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->n; i++)
		free_req(&s->req[i]);
	free(s->req);
	free(s);
}
