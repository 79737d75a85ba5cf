#include "base/words.h"

#include <string.h>

int word_is(struct word w, const char *s)
{
	return w.len == strlen(s) && memcmp(w.s, s, w.len) == 0;
}

int words_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void add(struct line_words *line, struct word w)
{
	if (line->n < WORDS_MOST)
		line->word[line->n] = w;
	if (line->n == 1)
		line->rest.s = w.s;
	if (line->n >= 1)
		line->rest.len = (size_t)(w.s + w.len - line->rest.s);
	line->n += line->n <= WORDS_MOST;
}

void words_split(struct line_words *line, const char *s, const char *end)
{
	*line = (struct line_words){0};
	for (;;) {
		while (s < end && words_is_blank(*s))
			s++;
		if (s == end || *s == '#')
			return;
		const char *const from = s;
		while (s < end && !words_is_blank(*s))
			s++;
		add(line, (struct word){from, (size_t)(s - from)});
	}
}
