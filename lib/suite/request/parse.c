#include "suite/request/spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/request/fill.h"
#include "suite/request/item.h"
#include "suite/request/say.h"
#include "suite/request/value.h"

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
static int is_attr(const struct parse *p, struct span s, struct spec_attr *is)
{
	char name[CPC_MAX_ATTR_LEN];

	*is = (struct spec_attr){0};
	return s.len && !span_is(s, "picnum") && span_copy(s, name, sizeof(name)) &&
	       p->names->attr(p->names->arg, name, is);
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
	spec_say(p->err,
		 "bad token '%.60s...'; event names have at most %d bytes, not %zu",
		 name.s, CPC_MAX_EVENT_LEN - 1, name.len);
	return spec_fail(p, name.s);
}

/* Is key a token but for its number? */
static int wrong_number(const struct parse *p, struct span key)
{
	const struct span word = span_stem(key);
	struct spec_attr attr;

	return word.len < key.len && (span_is(word, "pic") || span_is(word, "nouser") ||
				      span_is(word, "sys") || is_attr(p, word, &attr));
}

/* Nothing of what an item can be. */
static int bad_token(struct parse *p, const struct item *it)
{
	uint64_t pics;

	spec_say(p->err, "bad token '%.*s'", spec_shown(it->all), it->all.s);
	if (wrong_number(p, it->key))
		spec_say(p->err,
			 p->names->npic ? "; counters are numbered from 0 to %u"
					: "; there are no counters",
			 p->names->npic - 1);
	else if (span_is(it->key, "picnum"))
		spec_say(p->err, "; write picN=event to choose a counter");
	else if (it->value.s && is_event(p, it->key, &pics))
		spec_say(p->err, "; '%.*s' is an event and takes no value",
			 spec_shown(it->key), it->key.s);
	else
		span_copy(it->key, p->err->token, sizeof(p->err->token));
	return spec_fail(p, it->all.s);
}

/* pics: which counters can, or NULL if the event is not known. */
static int cannot_measure(struct parse *p, int pic, struct span ev, const uint64_t *pics)
{
	struct spec_error *const err = p->err;

	spec_say(err, "pic%d cannot measure event '%.*s' on this cpu", pic,
		 spec_shown(ev), ev.s);
	if (!pics) {
		span_copy(ev, err->token, sizeof(err->token));
	} else if (*pics) {
		spec_say(err, "; it can on ");
		spec_say_pics(err, *pics, " or ");
	} else {
		spec_say(err, "; no counter can");
	}
	return spec_fail(p, ev.s);
}

/* The event that has a counter. */
static struct span event_on(const struct parse *p, unsigned pic)
{
	unsigned i = 0;

	while (p->wish[i].pic != pic)
		i++;
	return p->wish[i].event;
}

static void add_wish(struct parse *p, struct span event, unsigned pic, uint64_t pics)
{
	p->wish[p->nwishes++] = (struct wish){event, pic, pics};
}

static int all_taken(struct parse *p, struct span name)
{
	spec_say(p->err, "bad token '%.*s'; all %u counters of a set are taken",
		 spec_shown(name), name.s, p->nwishes);
	return spec_fail(p, name.s);
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
		const struct span has = event_on(p, (unsigned)pic);

		spec_say(p->err, "repeated 'pic%d' token; it counts '%.*s' already", pic,
			 spec_shown(has), has.s);
		return spec_fail(p, it->all.s);
	}
	if (!it->value.len) {
		spec_say(p->err, "missing 'pic%d' value", pic);
		return spec_fail(p, it->all.s);
	}
	if (it->value.len >= CPC_MAX_EVENT_LEN)
		return too_long(p, it->value);

	const int known = is_event(p, it->value, &pics);
	if (!(pics & bit))
		return cannot_measure(p, pic, it->value, known ? &pics : NULL);
	if (p->nwishes == p->names->npic)
		return all_taken(p, it->value);
	add_wish(p, it->value, (unsigned)pic, bit);
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

/* "attr[N][=value]". An attribute's own name may end in digits: the longest name wins. */
static int take_attr(struct parse *p, const struct item *it)
{
	struct mod mod = {.name = it->key};
	size_t digits = 0; /* a counter's number has at most 2 */

	while (!counters(p, it->key, mod.name.len, &mod.pics) ||
	       !is_attr(p, mod.name, &mod.attr)) {
		if (++digits > 2 || digits > it->key.len)
			return 0;
		mod.name.len = it->key.len - digits;
	}
	if (mod.attr.of_set && digits) {
		spec_say(p->err,
			 "bad token '%.*s'; attribute '%.*s' is of the whole set and "
			 "takes no counter",
			 spec_shown(it->all), it->all.s, spec_shown(mod.name),
			 mod.name.s);
		return spec_fail(p, it->all.s);
	}
	const char *const right = spec_value(it->value, mod.attr.form, &mod.value);
	if (right) {
		spec_say(p->err, "invalid value '%.*s' for attribute '%.*s'%s%s",
			 spec_shown(it->value), it->value.s ? it->value.s : "",
			 spec_shown(it->key), it->key.s, *right ? "; " : "", right);
		return spec_fail(p, it->value.s ? it->value.s : it->all.s + it->all.len);
	}
	p->mods[p->nmods++] = mod;
	return 1;
}

/* An event that is known, but no counter is left where the rules would have it. */
static int no_counter(struct parse *p, struct span name, uint64_t pics)
{
	const uint64_t open = pics & ~p->used;

	if (pics == p->all && !open)
		return all_taken(p, name);
	spec_say(p->err, "bad token '%.*s'; ", spec_shown(name), name.s);
	spec_say(p->err, "it can be counted on ");
	spec_say_pics(p->err, pics, " and ");
	if (open) {
		spec_say(p->err,
			 " only, and events without picN= fill counters upwards: write "
			 "pic%d=%.*s",
			 __builtin_ctzll(open), spec_shown(name), name.s);
	} else {
		const struct span has = event_on(p, (unsigned)__builtin_ctzll(pics));

		spec_say(p->err, " only, and pic%d counts '%.*s' already",
			 __builtin_ctzll(pics), spec_shown(has), has.s);
	}
	return spec_fail(p, name.s);
}

/*
 * A bare event goes to the first counter above all that are used, even if one below is
 * free (cputrack(1)).
 */
static int take_next(struct parse *p, struct span name, uint64_t pics)
{
	const uint64_t below = p->used ? UINT64_MAX >> __builtin_clzll(p->used) : 0;

	if (!(pics & ~below))
		return no_counter(p, name, pics);
	const unsigned pic = (unsigned)__builtin_ctzll(pics & ~below);
	add_wish(p, name, pic, UINT64_C(1) << pic);
	p->used |= UINT64_C(1) << pic;
	return 1;
}

/*
 * A bare event whose counter place() gives. Those of one counter alone are place()'s
 * too, which has more to say of them.
 */
static int take_any(struct parse *p, struct span name, uint64_t pics)
{
	const int one = !(pics & (pics - 1));
	uint64_t together = pics;

	for (unsigned i = 0; i < p->nwishes; i++)
		together |= p->wish[i].pics;
	if (p->nwishes == p->names->npic ||
	    (!one && p->nwishes >= (unsigned)__builtin_popcountll(together)))
		return all_taken(p, name);
	add_wish(p, name, MAX_PICS, pics);
	return 1;
}

static int take_event(struct parse *p, const struct item *it)
{
	uint64_t pics;

	if (it->value.s)
		return bad_token(p, it);
	if (it->key.len >= CPC_MAX_EVENT_LEN)
		return too_long(p, it->key);
	if (!is_event(p, it->key, &pics))
		return bad_token(p, it);

	if (!pics) {
		spec_say(p->err, "bad token '%.*s'; no counter of this cpu can count it",
			 spec_shown(it->key), it->key.s);
		return spec_fail(p, it->key.s);
	}
	return p->names->place ? take_any(p, it->key, pics) : take_next(p, it->key, pics);
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
			spec_say(p->err, "no closing '/' in '%.*s'", spec_shown(it.all),
				 s);
			return spec_fail(p, open);
		}
		if (take_item(p, &it) < 0)
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
	struct parse p = {.names = names, .err = err, .text = text};

	memset(err, 0, sizeof(*err));
	if (npic)
		p.all = UINT64_MAX >> (MAX_PICS - npic);

	struct spec *s = calloc(1, sizeof(*s));
	p.mods = calloc(count_commas(text) + 1, sizeof(*p.mods));
	if (!s || !p.mods || take_items(&p) || spec_fill(&p, s)) {
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
