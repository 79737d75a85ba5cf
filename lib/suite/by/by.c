#include "suite/by/by.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[][2] = {[BY_RANK] = {"rank", "ranks"},
				       [BY_HOST] = {"host", "hosts"},
				       [BY_CPU] = {"cpu", "CPUs"},
				       [BY_LWP] = {"lwp", "LWPs"},
				       [BY_LABEL] = {"label", "labels"}};

int by_parse(struct by *b, const char *text)
{
	static const char label[] = "label:";

	for (unsigned i = BY_RANK; i < BY_LABEL; i++)
		if (strcmp(text, words[i][0]) == 0) {
			b->kind = (enum by_kind)i;
			return 0;
		}
	if (strncmp(text, label, strlen(label)) != 0 || !text[strlen(label)])
		return -1;
	b->kind = BY_LABEL;
	b->label = text + strlen(label);
	return 0;
}

const char *by_word(const struct by *b, int many)
{
	return words[b->kind][many];
}

/* Returns what follows the host in a key: it has no slash. */
static const char *after_host(const char *key)
{
	const char *slash = strrchr(key, '/');

	return slash ? slash + 1 : key;
}

int by_one_host(const struct by *b)
{
	struct names_entry *const *key = b->values.keys.entry;

	if (b->kind != BY_CPU && b->kind != BY_LWP)
		return 0;
	for (unsigned i = 1; i < b->values.keys.n; i++) {
		const size_t len = (size_t)(after_host(key[0]->text) - key[0]->text);

		if (strncmp(key[i]->text, key[0]->text, len) != 0)
			return 0;
	}
	return 1;
}

const char *by_key(const struct by *b, unsigned key, int one_host)
{
	const char *text = b->values.keys.entry[key]->text;

	return one_host ? after_host(text) : text;
}

void by_find(struct by *b, enum by_problem problem, const char *path)
{
	struct by_found *f = &b->found[problem];

	if (f->n++ == 0)
		snprintf(f->path, sizeof f->path, "%s", path);
}

void by_free(struct by *b)
{
	values_free(&b->values);
	names_free(&b->runs);
	free(b->state);
	free(b->rank);
	*b = (struct by){.label = NULL};
}
