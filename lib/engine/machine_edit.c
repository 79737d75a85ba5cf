/* The text of a machine with its changes. */
#include "engine/machine_parse.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct edit {
	const struct machine_source *source;
	const struct machine *m;
	const char *remark; /* the comment behind each changed line */
	struct textbuf b;
};

static void put_changed(struct edit *e, struct word key, const char *set)
{
	const struct word value = machine_value(set);
	char line[256];

	snprintf(line, sizeof line, "%-13.*s %-16.*s # %s\n", WORD(key), WORD(value),
		 e->remark);
	textbuf_str(&e->b, line);
}

/* Put the line that a change of a row makes; line: the words of the line, or NULL. */
static void put_row(struct edit *e, const struct line_words *line, const char *set)
{
	struct line_words w;
	char text[256];

	machine_row_words(set, line, &w);
	if (w.n == 4)
		snprintf(text, sizeof text, "penalty %-14.*s %8.*s  %-6.*s # %s\n",
			 WORD(w.word[1]), WORD(w.word[2]), WORD(w.word[3]), e->remark);
	else
		snprintf(text, sizeof text, "timing  %-8.*s %5.*s %6.*s  %-7.*s # %s\n",
			 WORD(w.word[1]), WORD(w.word[2]), WORD(w.word[3]),
			 WORD(w.word[4]), e->remark);
	textbuf_str(&e->b, text);
}

static void put_line(struct edit *e, const char *s, const char *end)
{
	const struct machine_changes *const all = &e->source->changes;
	struct line_words w;

	words_split(&w, s, end);
	const struct machine_key *k = w.n == 2 ? machine_find_key(w.word[0]) : NULL;
	const char *const set = k ? machine_change(all, w.word[0]) : NULL;
	const char *const row = machine_row_change(all, &w);
	if (set)
		return put_changed(e, w.word[0], set);
	if (row)
		return put_row(e, &w, row);
	if (k && !machine_has(e->m, k->part))
		textbuf_str(&e->b, "# ");
	textbuf_put(&e->b, s, (size_t)(end - s));
	textbuf_char(&e->b, '\n');
}

/* Does the text have a line that this change changes? */
static int has_line(const struct machine_source *source, const char *set)
{
	const char *s = source->text, *const end = s + source->len;
	const struct machine_changes only = {1, &set};
	struct line_words w;

	while (s < end) {
		const char *eol = memchr(s, '\n', (size_t)(end - s));

		words_split(&w, s, eol ? eol : end);
		if (w.n &&
		    (machine_change(&only, w.word[0]) || machine_row_change(&only, &w)))
			return 1;
		s = eol ? eol + 1 : end;
	}
	return 0;
}

/* The changes of what the text does not have. */
static void put_new(struct edit *e)
{
	const struct machine_changes *const all = &e->source->changes;

	for (unsigned i = 0; i < all->n; i++) {
		const struct word key = machine_changed_key(all->set[i]);
		const struct machine_changes later = {all->n - i - 1, all->set + i + 1};

		if (has_line(e->source, all->set[i]) || machine_change(&later, key))
			continue;
		if (machine_is_row(key))
			put_row(e, NULL, all->set[i]);
		else
			put_changed(e, key, all->set[i]);
	}
}

char *machine_edit(const struct machine_source *source, const struct machine *m,
		   const char *remark)
{
	struct edit e = {.source = source, .m = m, .remark = remark};
	const char *s = source->text, *const end = s + source->len;

	while (s < end) {
		const char *eol = memchr(s, '\n', (size_t)(end - s));

		put_line(&e, s, eol ? eol : end);
		s = eol ? eol + 1 : end;
	}
	put_new(&e);
	return textbuf_end(&e.b);
}
