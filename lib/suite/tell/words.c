#include "suite/tell/words.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "table/synonyms.h"

enum { FORM_SIZE = 1024, SHORTEST_PLURAL = 4 };

struct word {
	char *given;
	int is_pattern;
	int is_punctuation; /* no letters or digits: a name must contain it as given */
	int has_colon; /* only for names with a colon, such as those of tracepoints */
	/* given, in the form of form(), in the singular and without the last blank */
	char form[FORM_SIZE];
};

struct words {
	unsigned n;
	struct word *word;
	char form[FORM_SIZE]; /* of all words together */
};

static int is_letter(char c)
{
	return isalnum((unsigned char)c) || (c & 0x80);
}

/* Copy text in small letters, with one blank before, between and behind its words. */
static void form(char *to, const char *text)
{
	size_t n = 0;

	to[n++] = ' ';
	for (; text && *text && n < FORM_SIZE - 2; text++)
		if (is_letter(*text))
			to[n++] = (char)tolower((unsigned char)*text);
		else if (to[n - 1] != ' ')
			to[n++] = ' ';
	if (to[n - 1] != ' ')
		to[n++] = ' ';
	to[n] = '\0';
}

static int ends_with(const char *s, size_t n, const char *end)
{
	const size_t len = strlen(end);

	return n >= len && memcmp(s + n - len, end, len) == 0;
}

/* Returns the length of an English plural's ending at the end of s, or 0. */
static size_t plural(const char *s, size_t n)
{
	if (n < SHORTEST_PLURAL || s[n - 1] != 's' || ends_with(s, n, "ss") ||
	    ends_with(s, n, "us") || ends_with(s, n, "is"))
		return 0;
	if (ends_with(s, n, "ies"))
		return 3;
	return ends_with(s, n, "sses") || ends_with(s, n, "ches") ||
			       ends_with(s, n, "shes") || ends_with(s, n, "xes")
		       ? 2
		       : 1;
}

/* Cut the blank and the ending of a plural off the end of a form. */
static void stem(char *form)
{
	size_t n = strlen(form) - 1;

	form[n] = '\0';
	const char *last = strrchr(form, ' ');
	if (last)
		form[n - plural(last + 1, strlen(last + 1))] = '\0';
}

static int add_word(struct words *w, const char *s, size_t n)
{
	if (array_grow(&w->word, w->n, sizeof *w->word) == -1)
		return -1;
	struct word *word = &w->word[w->n];
	word->given = strndup(s, n);
	if (!word->given)
		return -1;
	w->n++;
	word->is_pattern = strpbrk(word->given, "*?[") != NULL;
	form(word->form, word->given);
	stem(word->form);
	word->is_punctuation = !*word->form;
	word->has_colon = strchr(word->given, ':') != NULL;
	return 0;
}

static int add_text(struct words *w, const char *text)
{
	static const char blanks[] = " \t\n";

	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		const size_t n = strcspn(text, blanks);

		if (add_word(w, text, n) == -1)
			return -1;
		text += n;
	}
	return 0;
}

/* Make the form that a name has if the words are the name. */
static void join(struct words *w)
{
	char text[FORM_SIZE] = "";

	for (unsigned i = 0; i < w->n; i++) {
		strncat(text, w->word[i].given, sizeof text - strlen(text) - 1);
		strncat(text, " ", sizeof text - strlen(text) - 1);
	}
	form(w->form, text);
	stem(w->form);
}

struct words *words_new(unsigned n, const char *const *text)
{
	struct words *w = calloc(1, sizeof *w);

	for (unsigned i = 0; w && i < n; i++)
		if (add_text(w, text[i]) == -1) {
			words_free(w);
			return NULL;
		}
	if (w)
		join(w);
	return w;
}

void words_free(struct words *w)
{
	for (unsigned i = 0; w && i < w->n; i++)
		free(w->word[i].given);
	if (w)
		free(w->word);
	free(w);
}

int words_are_none(const struct words *w)
{
	return w->n == 0;
}

/* How a word is found in a text. */
enum found { MISSING, INSIDE, FOUND };

/* Returns 1 if a form has the words of means, the last one in the singular or plural. */
static int has_whole(const char *form, const char *means)
{
	const size_t n = strlen(means);

	for (const char *at = form; (at = strstr(at, means)); at++) {
		const char *end = at + n;

		if (at[-1] != ' ')
			continue;
		end += *end == 's' ? 1 : strncmp(end, "es", 2) == 0 ? 2 : 0;
		if (*end == ' ')
			return 1;
	}
	return 0;
}

static int has_synonym(const char *form, const char *word)
{
	for (const struct synonym *s = synonyms; s->word; s++)
		if (strcmp(word, s->word) == 0 && has_whole(form, s->means))
			return 1;
	return 0;
}

static enum found find(const char *form, const char *word)
{
	if (strstr(form, word) || has_synonym(form, word + 1))
		return FOUND;
	return strstr(form, word + 1) ? INSIDE : MISSING;
}

static enum found find_in_name(const struct word *w, const char *name, const char *form)
{
	if (w->is_pattern)
		return fnmatch(w->given, name, FNM_CASEFOLD) == 0 ? FOUND : MISSING;
	if (w->has_colon && !strchr(name, ':'))
		return MISSING;
	if (w->is_punctuation)
		return strstr(name, w->given) ? FOUND : MISSING;
	return find(form, w->form);
}

static int is_for_titles(const struct word *w)
{
	return !w->is_pattern && !w->is_punctuation && !w->has_colon;
}

static int is_exact(const struct words *w, const char *name_form)
{
	char copy[FORM_SIZE];

	strcpy(copy, name_form);
	stem(copy);
	return w->n > 0 && strcmp(copy, w->form) == 0;
}

enum words_fit words_find(const struct words *w, const char *name, const char *title,
			  int *inside)
{
	char name_form[FORM_SIZE], title_form[FORM_SIZE];
	enum words_fit fit = WORDS_NAME;

	form(name_form, name);
	form(title_form, title);
	*inside = 0;
	for (unsigned i = 0; i < w->n; i++) {
		const struct word *word = &w->word[i];
		enum found found = find_in_name(word, name, name_form);

		if (!found && is_for_titles(word)) {
			found = find(title_form, word->form);
			fit = WORDS_TITLE;
		}
		if (!found)
			return WORDS_NONE;
		*inside |= found == INSIDE;
	}
	return is_exact(w, name_form) ? WORDS_EXACT : fit;
}

/* Copy what is left of the first ':'. */
static void copy_group(char group[FORM_SIZE], const char *name)
{
	snprintf(group, FORM_SIZE, "%.*s", (int)strcspn(name, ":"), name);
}

int words_match_group(const struct words *w, const char *name)
{
	char group[FORM_SIZE], wanted[FORM_SIZE];

	copy_group(group, name);
	for (unsigned i = 0; i < w->n; i++) {
		if (!w->word[i].has_colon)
			continue;
		copy_group(wanted, w->word[i].given);
		if (fnmatch(wanted, group, FNM_CASEFOLD) == 0)
			return 1;
	}
	return 0;
}

/* Names of tracepoints' groups have small letters; "::" follows the name of a table. */
static int is_group(const char *given)
{
	const char *colon = strchr(given, ':');

	if (!colon || colon == given || colon[1] == ':')
		return 0;
	for (const char *c = given; c < colon; c++)
		if (isupper((unsigned char)*c))
			return 0;
	return 1;
}

int words_have_group(const struct words *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (is_group(w->word[i].given))
			return 1;
	return 0;
}

const char *words_name(const struct words *w)
{
	return w->n == 1 && !w->word[0].is_pattern ? w->word[0].given : NULL;
}
