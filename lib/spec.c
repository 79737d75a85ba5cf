#include "spec.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec_item.h"

enum { MAX_PICS = 64 };

/* An attribute as it was written, for one counter or for all. */
struct mod {
	struct span name; /* without counter number */
	uint64_t val;
	uint64_t pics; /* bit n: for counter n */
};

/* What was read so far. Bit n of a mask: counter n. */
struct parse {
	const struct spec_names *names;
	struct spec_error *err;
	const char *text;
	uint64_t all, used, sys, nouser;
	struct span event[MAX_PICS]; /* by counter */
	struct mod *mods;
	size_t nmods;
};

/* Add words to what is said about an error; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) static void say(struct spec_error *err,
						      const char *fmt, ...)
{
	va_list ap;
	const size_t n = strlen(err->text);

	va_start(ap, fmt);
	vsnprintf(err->text + n, sizeof(err->text) - n, fmt, ap);
	va_end(ap);
}

/* The error is at this place of the text. Always -1. */
static int fail(struct parse *p, const char *at)
{
	p->err->column = at - p->text + 1;
	errno = EINVAL;
	return -1;
}

/* As a precision for "%.*s": names are shown whole, junk is not. */
static int shown(struct span s)
{
	return s.len < CPC_MAX_EVENT_LEN ? (int)s.len : CPC_MAX_EVENT_LEN - 1;
}

/* "pic0", "pic0 and pic1", "pic0, pic1 and pic2", "pic0 to pic31" */
static void say_pics(struct spec_error *err, uint64_t pics, const char *last)
{
	enum { MANY = 5 };
	const int low = __builtin_ctzll(pics), n = __builtin_popcountll(pics);

	if (n >= MANY && pics >> low == UINT64_MAX >> (64 - n)) {
		say(err, "pic%d to pic%d", low, low + n - 1);
		return;
	}
	for (const char *sep = ""; pics; pics &= pics - 1) {
		say(err, "%spic%d", sep, __builtin_ctzll(pics));
		sep = __builtin_popcountll(pics) == 2 ? last : ", ";
	}
}

/*
 * For which counters a token holds, by what follows its word: a number, or nothing for
 * all. 0: neither.
 */
static int counters(const struct parse *p, struct span key, size_t word, uint64_t *pics)
{
	const struct span suffix = {key.s + word, key.len - word};
	const int n = span_number(suffix);

	if (suffix.len && (n < 0 || n >= MAX_PICS || !(p->all >> n & 1)))
		return 0;
	*pics = suffix.len ? UINT64_C(1) << n : p->all;
	return 1;
}

/* picnum is how libcpc itself says picN=; the original took it as no token either. */
static int is_attr(const struct parse *p, struct span s)
{
	char name[CPC_MAX_ATTR_LEN];

	return s.len && !span_is(s, "picnum") && span_copy(s, name, sizeof(name)) &&
	       p->names->attr(p->names->arg, name);
}

/* Which counters can count it? 0: it is no event, or one of no counter of ours. */
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
	say(p->err, "bad token '%.60s...'; event names have at most %d bytes, not %zu",
	    name.s, CPC_MAX_EVENT_LEN - 1, name.len);
	return fail(p, name.s);
}

/* Is key a token but for its number? */
static int wrong_number(const struct parse *p, struct span key)
{
	const struct span word = span_stem(key);

	return word.len < key.len && (span_is(word, "pic") || span_is(word, "nouser") ||
				      span_is(word, "sys") || is_attr(p, word));
}

/* Nothing of what an item can be. */
static int bad_token(struct parse *p, const struct item *it)
{
	uint64_t pics;

	say(p->err, "bad token '%.*s'", shown(it->all), it->all.s);
	if (wrong_number(p, it->key))
		say(p->err,
		    p->names->npic ? "; counters are numbered from 0 to %u"
				   : "; there are no counters",
		    p->names->npic - 1);
	else if (span_is(it->key, "picnum"))
		say(p->err, "; write picN=event to choose a counter");
	else if (it->value.s && is_event(p, it->key, &pics))
		say(p->err, "; '%.*s' is an event and takes no value", shown(it->key),
		    it->key.s);
	else
		span_copy(it->key, p->err->token, sizeof(p->err->token));
	return fail(p, it->all.s);
}

/* pics: which counters can, or NULL if the event is not known. */
static int cannot_measure(struct parse *p, int pic, struct span ev, const uint64_t *pics)
{
	struct spec_error *const err = p->err;

	say(err, "pic%d cannot measure event '%.*s' on this cpu", pic, shown(ev), ev.s);
	if (!pics) {
		span_copy(ev, err->token, sizeof(err->token));
	} else if (*pics) {
		say(err, "; it can on ");
		say_pics(err, *pics, " or ");
	} else {
		say(err, "; no counter can");
	}
	return fail(p, ev.s);
}

/* "picN=event" */
static int take_pic(struct parse *p, const struct item *it)
{
	const struct span key = it->key;
	uint64_t bit, pics;

	if (key.len < 4 || memcmp(key.s, "pic", 3) || !counters(p, key, 3, &bit))
		return 0;

	const int pic = __builtin_ctzll(bit);
	if (p->used & bit) {
		say(p->err, "repeated 'pic%d' token; it counts '%.*s' already", pic,
		    shown(p->event[pic]), p->event[pic].s);
		return fail(p, it->all.s);
	}
	if (!it->value.len) {
		say(p->err, "missing 'pic%d' value", pic);
		return fail(p, it->all.s);
	}
	if (it->value.len >= CPC_MAX_EVENT_LEN)
		return too_long(p, it->value);

	const int known = is_event(p, it->value, &pics);
	if (!(pics & bit))
		return cannot_measure(p, pic, it->value, known ? &pics : NULL);
	p->event[pic] = it->value;
	p->used |= bit;
	return 1;
}

/* "nouser[N]", "sys[N]"; the original never looked at a value of theirs. */
static int take_mode(struct parse *p, const struct item *it)
{
	const struct {
		const char *word;
		uint64_t *pics;
	} modes[] = {{"nouser", &p->nouser}, {"sys", &p->sys}};

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		const size_t n = strlen(modes[i].word);
		uint64_t pics;

		if (it->key.len >= n && !memcmp(it->key.s, modes[i].word, n) &&
		    counters(p, it->key, n, &pics)) {
			*modes[i].pics |= pics;
			return 1;
		}
	}
	return 0;
}

/*
 * Read as strtoll(3) does in base 0. The original took what follows a number for nothing;
 * an error is safer.
 */
static int attr_value(const struct item *it, uint64_t *val)
{
	*val = 1;
	if (!it->value.s)
		return 1;

	/* A number ends at the latest at the comma or NUL behind the value. */
	char *end;
	errno = 0;
	*val = (uint64_t)strtoll(it->value.s, &end, 0);
	return !errno && it->value.len && end == it->value.s + it->value.len;
}

/* "attr[N][=value]". An attribute's own name may end in digits: the longest name wins. */
static int take_attr(struct parse *p, const struct item *it)
{
	struct mod mod = {.name = it->key};
	size_t digits = 0; /* a counter's number has at most 2 */

	while (!counters(p, it->key, mod.name.len, &mod.pics) || !is_attr(p, mod.name)) {
		if (++digits > 2 || digits > it->key.len)
			return 0;
		mod.name.len = it->key.len - digits;
	}
	if (!attr_value(it, &mod.val)) {
		say(p->err, "invalid value '%.*s' for attribute '%.*s'", shown(it->value),
		    it->value.s, shown(it->key), it->key.s);
		return fail(p, it->value.s);
	}
	p->mods[p->nmods++] = mod;
	return 1;
}

/* An event that is known, but no counter is left where the rules would have it. */
static int no_counter(struct parse *p, struct span name, uint64_t pics)
{
	const uint64_t open = pics & ~p->used;

	say(p->err, "bad token '%.*s'; ", shown(name), name.s);
	if (!pics) {
		say(p->err, "no counter of this cpu can count it");
		return fail(p, name.s);
	}
	if (pics == p->all && !open) {
		say(p->err, "all %u counters of a set are taken", p->names->npic);
		return fail(p, name.s);
	}
	say(p->err, "it can be counted on ");
	say_pics(p->err, pics, " and ");
	if (open) {
		say(p->err,
		    " only, and events without picN= fill counters upwards: write "
		    "pic%d=%.*s",
		    __builtin_ctzll(open), shown(name), name.s);
	} else {
		const struct span has = p->event[__builtin_ctzll(pics)];

		say(p->err, " only, and pic%d counts '%.*s' already",
		    __builtin_ctzll(pics), shown(has), has.s);
	}
	return fail(p, name.s);
}

/*
 * A bare event goes to the first counter above all that are used, even if one below is
 * free (cputrack(1)).
 */
static int take_event(struct parse *p, const struct item *it)
{
	uint64_t pics;

	if (it->value.s)
		return bad_token(p, it);
	if (it->key.len >= CPC_MAX_EVENT_LEN)
		return too_long(p, it->key);
	if (!is_event(p, it->key, &pics))
		return bad_token(p, it);

	const uint64_t below = p->used ? UINT64_MAX >> __builtin_clzll(p->used) : 0;
	if (!(pics & ~below))
		return no_counter(p, it->key, pics);

	const int pic = __builtin_ctzll(pics & ~below);
	p->event[pic] = it->key;
	p->used |= UINT64_C(1) << pic;
	return 1;
}

/*
 * What an item can be, in the order in which it is tried; each gives 1 if the item was
 * its own, 0 if not, -1 on errors. As in the original, tokens come before events: a name
 * that is both, such as "edge", is the attribute, and "picN=edge" always means the event.
 * take_event() takes or refuses what is left.
 */
static int (*const takers[])(struct parse *p, const struct item *it) = {
	take_pic,
	take_mode,
	take_attr,
	take_event,
};

static int take_item(struct parse *p, const struct item *it)
{
	int taken = 0;

	for (size_t i = 0; !taken && i < sizeof(takers) / sizeof(*takers); i++)
		taken = takers[i](p, it);
	return taken;
}

/* Nothing may follow a last comma, as in the manual's form; else an item is not empty. */
static int take_items(struct parse *p)
{
	for (const char *s = p->text; *s;) {
		const char *open;
		const struct item it = item_cut(s, &open);

		if (open) {
			say(p->err, "no closing '/' in '%.*s'", shown(it.all), s);
			return fail(p, open);
		}
		if (take_item(p, &it) < 0)
			return -1;
		s += it.all.len;
		s += *s == ',';
	}
	return 0;
}

static int add_attr(struct parse *p, struct spec_req *r, const struct mod *mod)
{
	for (unsigned i = 0; i < r->nattrs; i++) {
		if (span_is(mod->name, r->attrs[i].ca_name)) {
			say(p->err, "attribute '%s' given twice for pic%u",
			    r->attrs[i].ca_name, r->pic);
			return fail(p, mod->name.s);
		}
	}

	cpc_attr_t *const attrs = realloc(r->attrs, (r->nattrs + 1) * sizeof(*attrs));
	if (!attrs)
		return -1;
	r->attrs = attrs;
	attrs[r->nattrs].ca_name = strndup(mod->name.s, mod->name.len);
	if (!attrs[r->nattrs].ca_name)
		return -1;
	attrs[r->nattrs++].ca_val = mod->val;
	return 0;
}

static int add_req(const struct parse *p, struct spec *s, int pic)
{
	const struct span name = p->event[pic];
	struct spec_req *const r = &s->req[s->n];

	r->event = strndup(name.s, name.len);
	if (!r->event)
		return -1;
	r->pic = pic;
	r->flags = (p->nouser >> pic & 1 ? 0 : CPC_COUNT_USER) |
		   (p->sys >> pic & 1 ? CPC_COUNT_SYSTEM : 0);
	r->column = name.s - p->text + 1;
	s->n++;
	return 0;
}

/* Attributes for a counter that is not used are dropped, as in the original. */
static int fill(struct parse *p, struct spec *s)
{
	s->req = calloc(__builtin_popcountll(p->used) + 1, sizeof(*s->req));
	if (!s->req)
		return -1;
	for (uint64_t left = p->used; left; left &= left - 1)
		if (add_req(p, s, __builtin_ctzll(left)))
			return -1;
	for (size_t m = 0; m < p->nmods; m++)
		for (unsigned i = 0; i < s->n; i++)
			if (p->mods[m].pics >> s->req[i].pic & 1 &&
			    add_attr(p, &s->req[i], &p->mods[m]))
				return -1;
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
	struct parse p = {.names = names, .err = err, .text = text};

	memset(err, 0, sizeof(*err));
	if (npic)
		p.all = UINT64_MAX >> (MAX_PICS - npic);

	struct spec *s = calloc(1, sizeof(*s));
	p.mods = calloc(count_commas(text) + 1, sizeof(*p.mods));
	if (!s || !p.mods || take_items(&p) || fill(&p, s)) {
		const int e = errno;

		spec_free(s);
		s = NULL;
		errno = e;
	}
	free(p.mods);
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
