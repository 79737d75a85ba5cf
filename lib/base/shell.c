#include "base/shell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Separators of words, and what sh gives a meaning to. Source: POSIX, Shell Command
 * Language
 */
static const char separators[] = " \t\n";
static const char special[] = "|&;<>()$`*?[", special_first[] = "#~";

/* The words, and the memory for their characters, which follows the pointers. */
struct cut {
	char **word;
	size_t n;
	char *to; /* where the next character goes */
};

/* Copy what is between single quotes. Returns what follows, or NULL if they are open. */
static const char *single_quoted(struct cut *c, const char *s)
{
	const char *end = strchr(s, '\'');

	if (!end)
		return NULL;
	c->to = mempcpy(c->to, s, (size_t)(end - s));
	return end + 1;
}

/*
 * Copy what is between double quotes. Returns what follows, or NULL if they are open or
 * if sh would expand something between them.
 */
static const char *double_quoted(struct cut *c, const char *s)
{
	for (; *s && *s != '"'; s++) {
		if (*s == '$' || *s == '`')
			return NULL;
		if (*s == '\\' && s[1] && strchr("\"\\$`", s[1]))
			s++;
		*c->to++ = *s;
	}
	return *s ? s + 1 : NULL;
}

/* Copy one word. Returns what follows, or NULL if the text is malformed. */
static const char *take_word(struct cut *c, const char *s)
{
	c->word[c->n++] = c->to;
	if (strchr(special_first, *s))
		return NULL;
	while (s && *s && !strchr(separators, *s)) {
		if (strchr(special, *s))
			return NULL;
		if (*s == '\'') {
			s = single_quoted(c, s + 1);
		} else if (*s == '"') {
			s = double_quoted(c, s + 1);
		} else if (*s == '\\') {
			if (!s[1])
				return NULL;
			*c->to++ = s[1];
			s += 2;
		} else {
			*c->to++ = *s++;
		}
	}
	*c->to++ = '\0';
	return s;
}

char **shell_words(const char *text)
{
	/* Each word has a character at least, and a separator or the end after it. */
	const size_t len = strlen(text), most = len / 2 + 2;
	struct cut c = {.word = malloc(most * sizeof *c.word + len + most)};

	if (!c.word)
		return NULL;
	c.to = (char *)(c.word + most);
	for (const char *s = text; s; s = take_word(&c, s)) {
		s += strspn(s, separators);
		if (!*s) {
			c.word[c.n] = NULL;
			return c.word;
		}
	}
	free(c.word);
	errno = EINVAL;
	return NULL;
}
