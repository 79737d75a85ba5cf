#include "irix/costs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "base/words.h"

enum { MILLION = 1000000, DECIMALS = 6 };

const struct costs *costs_of(const char *cpu)
{
	for (const struct costs *c = costs_tables; c->name; c++)
		if (strcmp(c->cpu, cpu) == 0)
			return c;
	return NULL;
}

void costs_free(const struct costs *c)
{
	if (!c || c->name)
		return;
	free((char *)c->cpu);
	free((char *)c->system);
	free((char *)c->synthetic);
	free((struct costs *)c);
}

struct parse {
	struct costs *costs;
	struct costs_error *err;
	uint32_t seen; /* bit n: the line of event n was read */
	struct line_words line;
};

/* Append to the error's text. Returns -1 with EINVAL. */
static int refuse(struct parse *p, const char *problem)
{
	say_add(p->err->text, sizeof p->err->text, "%s", problem);
	errno = EINVAL;
	return -1;
}

static int refuse_word(struct parse *p, struct word w, const char *problem)
{
	say_add(p->err->text, sizeof p->err->text, "'%.*s' ", WORD(w));
	return refuse(p, problem);
}

/*
 * Read a number below a million, in millionths. Returns -1 if the word is no such number.
 */
static int millionths(struct word w, uint64_t *val)
{
	uint64_t v = 0;
	size_t i = 0, decimals = 0;

	for (; i < w.len && isdigit((unsigned char)w.s[i]); i++)
		if ((v = v * 10 + (uint64_t)(w.s[i] - '0')) >= MILLION)
			return -1;
	if (i == 0 || (i > 1 && w.s[0] == '0'))
		return -1;
	if (i < w.len) {
		if (w.s[i++] != '.' || i == w.len)
			return -1;
		for (; i < w.len && isdigit((unsigned char)w.s[i]); i++, decimals++)
			v = v * 10 + (uint64_t)(w.s[i] - '0');
	}
	if (i < w.len || decimals > DECIMALS)
		return -1;
	for (; decimals < DECIMALS; decimals++)
		v *= 10;
	*val = v;
	return 0;
}

static const char twice[] = "is given twice";
static const char one_word[] = "must be followed by one word";

/* Read a line of a key and one word, a copy of which is then in *to. */
static int read_name(struct parse *p, const char **to)
{
	if (*to)
		return refuse_word(p, p->line.word[0], twice);
	if (p->line.n != 2)
		return refuse_word(p, p->line.word[0], one_word);
	*to = strndup(p->line.word[1].s, p->line.word[1].len);
	return *to ? 0 : -1;
}

static int read_clock(struct parse *p)
{
	if (p->costs->hz)
		return refuse_word(p, p->line.word[0], twice);
	if (p->line.n != 2)
		return refuse_word(p, p->line.word[0], one_word);
	if (millionths(p->line.word[1], &p->costs->hz) == -1 || !p->costs->hz)
		return refuse_word(p, p->line.word[1],
				   "is not a clock rate: write MHz above 0 and below "
				   "1000000, with at most 6 decimals");
	return 0;
}

static int read_synthetic(struct parse *p)
{
	if (p->costs->synthetic)
		return refuse_word(p, p->line.word[0], twice);
	if (!p->line.rest.len)
		return refuse_word(p, p->line.word[0], "must be followed by a text");
	p->costs->synthetic = strndup(p->line.rest.s, p->line.rest.len);
	return p->costs->synthetic ? 0 : -1;
}

static int read_cost(struct parse *p, unsigned event)
{
	struct cost *c = &p->costs->cost[event];
	uint64_t *const part[] = {&c->typical, &c->minimum, &c->maximum};
	unsigned unknown = 0;

	if (p->seen >> event & 1)
		return refuse_word(p, p->line.word[0], twice);
	if (p->line.n != 4)
		return refuse(p, "an event needs three costs: typical, minimum, maximum");
	p->seen |= UINT32_C(1) << event;
	for (unsigned i = 0; i < 3; i++) {
		const struct word w = p->line.word[i + 1];

		unknown += word_is(w, "-");
		*part[i] = COST_UNKNOWN;
		if (!word_is(w, "-") && millionths(w, part[i]) == -1)
			return refuse_word(p, w,
					   "is not a cost: write a number below 1000000 "
					   "with at most 6 decimals, or -");
	}
	if (unknown != 0 && unknown != 3)
		return refuse(p, "either all three costs or none must be '-'");
	if (c->typical < c->minimum || c->typical > c->maximum)
		return refuse(p, "the typical cost is not between minimum and maximum");
	return 0;
}

static int read_event(struct parse *p)
{
	uint64_t v;

	if (memchr(p->line.word[0].s, '.', p->line.word[0].len) ||
	    millionths(p->line.word[0], &v) == -1 || v / MILLION >= COSTS_NEVENTS)
		return refuse_word(p, p->line.word[0],
				   "is not an event number from 0 to 31");
	return read_cost(p, (unsigned)(v / MILLION));
}

static int read_line(struct parse *p)
{
	struct costs *c = p->costs;

	if (p->line.n == 0)
		return 0;
	if (word_is(p->line.word[0], "cpu"))
		return read_name(p, &c->cpu);
	if (word_is(p->line.word[0], "system"))
		return read_name(p, &c->system);
	if (word_is(p->line.word[0], "mhz"))
		return read_clock(p);
	if (word_is(p->line.word[0], "synthetic"))
		return read_synthetic(p);
	if (isdigit((unsigned char)p->line.word[0].s[0]))
		return read_event(p);
	return refuse_word(
		p, p->line.word[0],
		"is unknown: a line begins with cpu, system, mhz, synthetic or "
		"the number of an event");
}

/* Check that the table is complete. */
static int check_complete(struct parse *p)
{
	if (!p->costs->cpu)
		return refuse(p, "the line 'cpu' is missing");
	if (!p->costs->system)
		return refuse(p, "the line 'system' is missing");
	if (!p->costs->hz)
		return refuse(p, "the line 'mhz' is missing");
	if (p->seen == UINT32_MAX)
		return 0;
	say_add(p->err->text, sizeof p->err->text, "event %d ", __builtin_ctz(~p->seen));
	return refuse(p, "has no line");
}

/*
 * Control characters are refused because parts of a line are printed, also on terminals.
 */
static int has_control(const char *s, const char *end)
{
	for (; s < end; s++)
		if (iscntrl((unsigned char)*s) && !words_is_blank(*s))
			return 1;
	return 0;
}

static int parse_lines(struct parse *p, const char *text, const char *end)
{
	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = eol ? eol : end;

		p->err->line++;
		if (has_control(text, line_end))
			return refuse(p, "the line contains a control character");
		words_split(&p->line, text, line_end);
		if (read_line(p) == -1)
			return -1;
		text = eol ? eol + 1 : end;
	}
	if (!p->err->line)
		p->err->line = 1;
	return check_complete(p);
}

struct costs *costs_parse(const char *text, size_t len, struct costs_error *err)
{
	struct parse p = {.costs = calloc(1, sizeof *p.costs), .err = err};

	*err = (struct costs_error){0};
	if (!p.costs)
		return NULL;
	if (parse_lines(&p, text, text + len) == 0)
		return p.costs;
	const int e = errno;
	costs_free(p.costs);
	errno = e;
	return NULL;
}

static const struct costs *find_built_in(const char *name)
{
	for (const struct costs *c = costs_tables; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* Read the whole file, malloc'ed; a table has a few KB. Returns NULL with errno. */
static char *read_all(FILE *f, size_t *len)
{
	enum { LIMIT = 1 << 20 };
	char *text = malloc(LIMIT);

	*len = text ? fread(text, 1, LIMIT, f) : 0;
	if (text && *len == LIMIT)
		errno = EFBIG;
	if (!text || *len == LIMIT || ferror(f)) {
		free(text);
		return NULL;
	}
	return text;
}

const struct costs *costs_load(const char *name, struct costs_error *err)
{
	FILE *f = fopen(name, "re");
	size_t len;

	*err = (struct costs_error){0};
	if (!f) {
		const struct costs *c = find_built_in(name);

		say_add(err->text, sizeof err->text,
			"neither a table of costs nor a file that can be opened");
		return c;
	}
	char *text = read_all(f, &len);
	const struct costs *c = text ? costs_parse(text, len, err) : NULL;
	const int e = errno;
	if (!text || (!c && e != EINVAL)) {
		*err = (struct costs_error){0};
		say_add(err->text, sizeof err->text, "a file that cannot be read");
	}
	free(text);
	fclose(f);
	errno = e;
	return c;
}

void costs_put_millionths(struct textbuf *b, uint64_t v)
{
	unsigned decimals = DECIMALS;

	for (; decimals > 0 && v % 10 == 0; v /= 10)
		decimals--;
	if (decimals)
		textbuf_fixed(b, v, decimals, 0);
	else
		textbuf_num(b, v, 0);
}

static void put_line(struct textbuf *b, const char *key, const char *value)
{
	textbuf_str(b, key);
	textbuf_char(b, ' ');
	textbuf_str(b, value);
	textbuf_char(b, '\n');
}

static void put_cost(struct textbuf *b, unsigned event, const struct cost *c)
{
	const uint64_t part[] = {c->typical, c->minimum, c->maximum};

	textbuf_num(b, event, 0);
	for (unsigned i = 0; i < 3; i++) {
		textbuf_char(b, ' ');
		if (part[i] == COST_UNKNOWN)
			textbuf_char(b, '-');
		else
			costs_put_millionths(b, part[i]);
	}
	textbuf_char(b, '\n');
}

char *costs_text(const struct costs *c)
{
	struct textbuf b = {0};

	put_line(&b, "cpu", c->cpu);
	put_line(&b, "system", c->system);
	textbuf_str(&b, "mhz ");
	costs_put_millionths(&b, c->hz);
	textbuf_char(&b, '\n');
	if (c->synthetic)
		put_line(&b, "synthetic", c->synthetic);
	textbuf_str(&b, "# event, clocks: typical minimum maximum; -: not known\n");
	for (unsigned i = 0; i < COSTS_NEVENTS; i++)
		put_cost(&b, i, &c->cost[i]);
	return textbuf_end(&b);
}
