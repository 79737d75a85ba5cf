#include "engine/machine_parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "sim/shared/vocab.h"

enum { MOST_MISTAKES = 20, MAX_KEYS = 128 };

/* Where a value comes from: a line of the text, a change, or neither. */
struct origin {
	unsigned line;
	const char *set;
};

struct parse {
	const struct machine_source *source;
	struct machine *m;
	struct machine_mistakes *to;
	unsigned line;		    /* of the text, from 1 */
	const char *set;	    /* the change that is read, or NULL */
	struct line_words words;    /* of the line */
	struct origin at[MAX_KEYS]; /* of each key's value, by its row */
	struct origin named;	    /* of the line "machine" */
	int has_penalty[SIM_NVOCAB + 1], has_timing[MOP_NOPS];
};

/* Report a mistake at its origin. */
__attribute__((format(printf, 3, 4))) static void complain(struct parse *p,
							   struct origin at,
							   const char *fmt, ...)
{
	char text[512], line[768];
	va_list ap;

	if (p->to->n > MOST_MISTAKES)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (p->to->n++ == MOST_MISTAKES)
		snprintf(text, sizeof text, "further mistakes are not shown");
	if (at.set)
		snprintf(line, sizeof line, "--set=%.100s: %s", at.set, text);
	else
		snprintf(line, sizeof line, "%.200s:%u: %s", p->source->path,
			 at.line   ? at.line
			 : p->line ? p->line
				   : 1,
			 text);
	text_clean(line, "");
	p->to->fn(p->to->arg, line);
}

static struct origin here(const struct parse *p)
{
	return (struct origin){p->set ? 0 : p->line, p->set};
}

/* Returns the words of a list from index from on. */
static const char *words_from(const char *list, unsigned from)
{
	while (from--)
		list += strcspn(list, " ") + 1;
	return list;
}

static struct word nth_word(const char *list, unsigned n)
{
	list = words_from(list, n);
	return (struct word){list, strcspn(list, " ")};
}

/* Describe the values that a key allows. */
static const char *allowed(const struct machine_key *k, char *buf, size_t size)
{
	char zero[8] = "";

	if (k->words) {
		snprintf(buf, size, "must be one of: %s", words_from(k->words, k->min));
		return buf;
	}
	if (k->power && !k->min)
		snprintf(zero, sizeof zero, "0 or ");
	snprintf(buf, size, "must be %s%s from %u to %u", zero,
		 k->power ? "a power of two" : "a number",
		 k->power && !k->min ? 1 : (unsigned)k->min, (unsigned)k->max);
	return buf;
}

/* Store the value of a key, or report that it is wrong. */
static void set_value(struct parse *p, const struct machine_key *k, struct word w)
{
	const int64_t v = k->words ? machine_find_word(k->words, w) : machine_number(w);
	char range[128];

	p->at[k - machine_keys] = here(p);
	if (v < 0 || !machine_key_allows(k, (uint64_t)v))
		complain(p, here(p), "%s: bad value '%.*s': %s", k->name, WORD(w),
			 allowed(k, range, sizeof range));
	else
		machine_put(p->m, k, (uint32_t)v);
}

static void unknown_key(struct parse *p, struct word w)
{
	char name[WORD_SHOWN + 1], hint[160];
	struct nearest near;

	snprintf(name, sizeof name, "%.*s", WORD(w));
	nearest_init(&near, name);
	if (!p->set) {
		nearest_add(&near, "machine");
		nearest_add(&near, "penalty");
		nearest_add(&near, "timing");
	}
	for (const struct machine_key *k = machine_keys; k->name; k++)
		nearest_add(&near, k->name);
	nearest_text(&near, hint, sizeof hint);
	complain(p, here(p), "unknown key '%s'%s%s", name, *hint ? "; " : "", hint);
}

static void read_key(struct parse *p)
{
	const struct machine_key *k = machine_find_key(p->words.word[0]);

	if (!k)
		return unknown_key(p, p->words.word[0]);
	if (p->words.n != 2)
		return complain(p, here(p), "%s: needs one value", k->name);
	if (p->at[k - machine_keys].line)
		return complain(p, here(p), "%s: is given twice, first in line %u",
				k->name, p->at[k - machine_keys].line);
	/* A change takes the place of the line. */
	if (!p->at[k - machine_keys].set)
		set_value(p, k, p->words.word[1]);
}

/* Returns the counter with this name, or SIM_NVOCAB. */
static unsigned find_counter(struct word w)
{
	unsigned i = 0;

	while (i < SIM_NVOCAB && !word_is(w, sim_vocab[i].name))
		i++;
	return i;
}

static const char bad_cycles[] = "must be a number below 1000000, such as 8 or 8.25";

static void read_penalty(struct parse *p)
{
	const struct word *w = p->words.word;

	if (p->words.n != 4)
		return complain(p, here(p),
				"penalty: needs a counter, cycles and a group");
	const unsigned counter = find_counter(w[1]);
	if (counter == SIM_NVOCAB)
		return complain(p, here(p), "penalty: the model has no counter '%.*s'",
				WORD(w[1]));
	if (sim_vocab[counter].class == SIM_ESTIMATED)
		return complain(p, here(p),
				"penalty: '%s' is an estimate, which has no cost",
				sim_vocab[counter].name);
	if (p->has_penalty[counter]++)
		return complain(p, here(p), "penalty: '%s' is given twice",
				sim_vocab[counter].name);
	const int group = machine_find_word(machine_groups, w[3]);
	const double cycles = machine_decimal(w[2]);
	if (group < 0)
		return complain(p, here(p),
				"penalty: unknown group '%.*s': must be one of: %s",
				WORD(w[3]), machine_groups);
	if (cycles < 0)
		return complain(p, here(p), "penalty: bad number '%.*s': %s", WORD(w[2]),
				bad_cycles);
	p->m->penalty[p->m->npenalties++] = (struct penalty){
		(enum sim_counter)counter, (enum cost_group)group, cycles};
}

/* Returns the set of units that have these letters; 0 if the word has others. */
static uint32_t unit_set(struct word w)
{
	uint32_t set = 0;

	for (size_t i = 0; i < w.len; i++) {
		if (w.s[i] < 'A' || w.s[i] >= 'A' + MACHINE_UNITS)
			return 0;
		set |= UINT32_C(1) << (w.s[i] - 'A');
	}
	return set;
}

/* Read a number of cycles. Returns -1 after a message if it is not from min to 127. */
static int read_cycles(struct parse *p, const char *what, struct word w, int min)
{
	const int64_t v = machine_number(w);

	if (v >= min && v <= MACHINE_CYCLES)
		return (int)v;
	complain(p, here(p), "timing: bad %s '%.*s': must be a number from %d to %d",
		 what, WORD(w), min, MACHINE_CYCLES);
	return -1;
}

static void read_timing(struct parse *p)
{
	const struct word *w = p->words.word;

	if (p->words.n != 5)
		return complain(
			p, here(p),
			"timing: needs an operation, a latency, a repeat rate and units");
	const int op = machine_find_word(machine_ops, w[1]);
	if (op < 0)
		return complain(p, here(p),
				"timing: unknown operation '%.*s': must be one of: %s",
				WORD(w[1]), machine_ops);
	if (p->has_timing[op]++)
		return complain(p, here(p), "timing: '%.*s' is given twice", WORD(w[1]));
	const int latency = read_cycles(p, "latency", w[2], 0);
	const int repeat = read_cycles(p, "repeat rate", w[3], 1);
	const uint32_t units = unit_set(w[4]);
	if (!units)
		complain(p, here(p),
			 "timing: bad units '%.*s': must be letters from A to %c",
			 WORD(w[4]), 'A' + MACHINE_UNITS - 1);
	p->m->timing[op] = (struct timing){(uint8_t)latency, (uint8_t)repeat, units};
}

/* Read a line of more than two words, or its change. */
static void read_row(struct parse *p)
{
	const struct line_words line = p->words;
	const char *set = machine_row_change(&p->source->changes, &line);

	if (set) {
		machine_row_words(set, &line, &p->words);
		p->set = set;
	}
	if (word_is(p->words.word[0], "penalty"))
		read_penalty(p);
	else
		read_timing(p);
	p->set = NULL;
}

static int is_name(struct word w)
{
	if (w.len == 0 || w.len >= MACHINE_NAME || !islower((unsigned char)w.s[0]))
		return 0;
	for (size_t i = 0; i < w.len; i++)
		if (!islower((unsigned char)w.s[i]) && !isdigit((unsigned char)w.s[i]) &&
		    w.s[i] != '_')
			return 0;
	return 1;
}

/* Find the title, which is in quotes and ends the line but for a comment. */
static struct word find_title(const char *s, const char *end)
{
	const char *from = memchr(s, '"', (size_t)(end - s));
	const char *to = from ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
	const struct word none = {NULL, 0};

	if (!to)
		return none;
	for (s = to + 1; s < end && words_is_blank(*s); s++)
		;
	return s < end && (*s != '#' || s == to + 1)
		       ? none
		       : (struct word){from + 1, (size_t)(to - from - 1)};
}

/* Read the line machine NAME "TITLE". */
static void read_name(struct parse *p, const char *s, const char *end)
{
	const struct word title = find_title(s, end);

	if (p->named.line)
		return complain(p, here(p), "machine: is given twice");
	p->named = here(p);
	if (p->words.n < 2 || !is_name(p->words.word[1]))
		return complain(
			p, here(p),
			"machine: needs a name of at most %d small letters, digits and _",
			MACHINE_NAME - 1);
	if (!title.len || title.len >= MACHINE_TITLE ||
	    memchr(title.s, '\\', title.len) ||
	    title.s < p->words.word[1].s + p->words.word[1].len)
		return complain(p, here(p),
				"machine: needs a title in quotes after the name, of at "
				"most %d bytes and without \\",
				MACHINE_TITLE - 1);
	memcpy(p->m->name, p->words.word[1].s, p->words.word[1].len);
	memcpy(p->m->title, title.s, title.len);
	text_clean(p->m->title, "");
}

static void read_line(struct parse *p, const char *s, const char *end)
{
	for (const char *c = s; c < end; c++)
		if (iscntrl((unsigned char)*c) && !words_is_blank(*c))
			return complain(p, here(p),
					"the line has a byte that is not text");
	words_split(&p->words, s, end);
	if (p->words.n == 0)
		return;
	if (word_is(p->words.word[0], "machine"))
		read_name(p, s, end);
	else if (word_is(p->words.word[0], "penalty") ||
		 word_is(p->words.word[0], "timing"))
		read_row(p);
	else
		read_key(p);
}

static void read_lines(struct parse *p)
{
	const char *s = p->source->text, *const end = s + p->source->len;

	while (s < end) {
		const char *eol = memchr(s, '\n', (size_t)(end - s));

		p->line++;
		read_line(p, s, eol ? eol : end);
		s = eol ? eol + 1 : end;
	}
}

/* Read a change of a key; changes of rows are read with their lines. */
static void read_change(struct parse *p, const char *set)
{
	const struct word key = machine_changed_key(set);
	const struct machine_key *k = machine_find_key(key);

	p->set = set;
	if (!set[key.len])
		complain(p, here(p), "write KEY=VALUE, such as l2.size=1M");
	else if (k && !p->at[k - machine_keys].set)
		set_value(p, k, machine_value(set));
	else if (!k && !machine_is_row(key))
		unknown_key(p, key);
	p->set = NULL;
}

static void read_changes(struct parse *p)
{
	for (unsigned i = p->source->changes.n; i-- > 0;)
		read_change(p, p->source->changes.set[i]);
}

/* Does the machine have the row with these words? */
static int has_row(const struct parse *p, const struct line_words *w)
{
	if (word_is(w->word[0], "penalty"))
		return p->has_penalty[find_counter(w->word[1])] > 0;
	const int op = machine_find_word(machine_ops, w->word[1]);
	return op >= 0 && p->has_timing[op];
}

/* Read the changes of rows that have no line; like: the words that they leave out. */
static void read_new_rows(struct parse *p, const struct line_words *like)
{
	for (unsigned i = 0; i < p->source->changes.n; i++) {
		const char *const set = p->source->changes.set[i];
		const struct word key = machine_changed_key(set);

		if (!machine_is_row(key) || !set[key.len])
			continue;
		machine_row_words(set, like, &p->words);
		if (has_row(p, &p->words) ||
		    machine_change(&p->source->changes, key) != set)
			continue;
		read_row(p);
	}
}

/* Returns whether a change has taken away the part of the machine that has this key. */
static int is_disabled(const struct parse *p, const struct machine_key *key)
{
	static const char *const owner[] = {
		[PART_L3] = "l3.size",		[PART_SPLIT] = "tlb",
		[PART_ITLB1] = "itlb1.entries", [PART_DTLB1] = "dtlb1.entries",
		[PART_GSHARE] = "bp",
	};
	const struct word name = {owner[key->part], strlen(owner[key->part])},
			  tlb = {"tlb", 3};

	return machine_change(&p->source->changes, name) ||
	       (key->part != PART_L3 && key->part != PART_GSHARE &&
		machine_change(&p->source->changes, tlb));
}

/* Give values to the keys that were left out, and none to keys of absent parts. */
static void complete(struct parse *p)
{
	for (const struct machine_key *k = machine_keys; k->name; k++) {
		const struct origin *at = &p->at[k - machine_keys];
		const int given = at->line || at->set;

		if (!machine_has(p->m, k->part)) {
			if (given && (at->set || !is_disabled(p, k)))
				complain(p, *at, "%s: is not used by this machine",
					 k->name);
			machine_put(p->m, k, 0);
		} else if (!given && k->otherwise == KEY_NEEDED) {
			complain(p, (struct origin){0}, "%s: is missing", k->name);
		} else if (!given) {
			machine_put(p->m, k,
				    k->otherwise == KEY_BEFORE ? machine_get(p->m, k - 1)
							       : (uint32_t)k->otherwise);
		}
	}
	for (unsigned i = 0; i < MOP_NOPS; i++)
		if (!p->has_timing[i])
			complain(p, (struct origin){0}, "timing: '%.*s' is missing",
				 WORD(nth_word(machine_ops, i)));
	machine_complete(p->m);
}

/*
 * Returns where a rule about a key was broken: by a change of the key or of the same
 * cache or TLB, else in the line of the key.
 */
static struct origin blame(const struct parse *p, const struct machine_key *k)
{
	const size_t n = strcspn(k->name, ".") + 1;

	for (unsigned i = p->source->changes.n; i-- > 0;)
		if (strncmp(p->source->changes.set[i], k->name, n) == 0)
			return (struct origin){0, p->source->changes.set[i]};
	return p->at[k - machine_keys];
}

/* A rule of machine_check() is broken. */
static void report_fault(void *arg, const char *key, const char *text)
{
	struct parse *p = arg;
	const struct machine_key *k = machine_find_key((struct word){key, strlen(key)});

	complain(p, k ? blame(p, k) : (struct origin){0}, "%s: %s", key,
		 text ? text : "is out of range");
}

int machine_parse(const struct machine_source *source, struct machine *m,
		  struct machine_mistakes *to)
{
	struct parse p = {.source = source, .m = m, .to = to};
	const unsigned before = to->n;

	memset(m, 0, sizeof *m);
	if (memchr(source->text, 0, source->len)) {
		complain(&p, (struct origin){1, NULL},
			 "this is no text: it has a NUL byte");
	} else {
		read_changes(&p);
		read_lines(&p);
		/* A row with a mistake would be read, and reported, again. */
		if (to->n == before)
			read_new_rows(&p, NULL);
		if (!p.named.line)
			complain(&p, (struct origin){0}, "machine: is missing");
	}
	if (to->n == before)
		complete(&p);
	if (to->n == before)
		machine_check(m, &p, report_fault);
	if (to->n == before)
		return 0;
	errno = EINVAL;
	return -1;
}

int machine_check_changes(const struct machine_changes *changes,
			  struct machine_mistakes *to)
{
	const struct machine_source source = {.path = "", .changes = *changes};
	struct machine m = {0};
	struct parse p = {.source = &source, .m = &m, .to = to};
	const struct line_words any_group = {.n = 4, .word = {[3] = {"load", 4}}};
	const unsigned before = to->n;

	read_changes(&p);
	read_new_rows(&p, &any_group);
	if (to->n == before)
		return 0;
	errno = EINVAL;
	return -1;
}
