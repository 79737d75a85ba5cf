#include "suite/record/label.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/*
 * Source: Prometheus, "Data model": the characters of label names, which labels can
 * become
 */
static size_t key_length(const char *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char all[] = "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return strspn(s, letters) ? strspn(s, all) : 0;
}

/* Return the label with the key of len bytes, or a new one; NULL with ENOMEM. */
static struct label *place(struct labels *l, const char *key, size_t len)
{
	for (unsigned i = 0; i < l->n; i++)
		if (strlen(l->label[i].key) == len &&
		    memcmp(l->label[i].key, key, len) == 0)
			return &l->label[i];
	if (array_grow(&l->label, l->n, sizeof *l->label) == -1)
		return NULL;
	char *copy = strndup(key, len);
	if (!copy)
		return NULL;
	l->label[l->n] = (struct label){.key = copy};
	return &l->label[l->n++];
}

static int set(struct labels *l, const char *key, size_t key_len, const char *value,
	       size_t len)
{
	char *copy = strndup(value, len);
	struct label *label = copy ? place(l, key, key_len) : NULL;

	if (!label) {
		free(copy);
		return -1;
	}
	free(label->value);
	label->value = copy;
	return 0;
}

static int add(struct labels *l, const char *text, size_t len)
{
	const size_t key = key_length(text);

	if (key == 0 || key >= len || text[key] != '=') {
		errno = EINVAL;
		return -1;
	}
	return set(l, text, key, text + key + 1, len - key - 1);
}

int labels_add(struct labels *l, const char *text)
{
	return add(l, text, strlen(text));
}

int labels_add_list(struct labels *l, const char *list)
{
	while (*list) {
		const size_t len = strcspn(list, ",");

		if (len > 0 && add(l, list, len) == -1)
			return -1;
		list += len + (list[len] == ',');
	}
	return 0;
}

int labels_merge(struct labels *l, const struct labels *from)
{
	for (unsigned i = 0; i < from->n; i++) {
		const struct label *f = &from->label[i];

		if (set(l, f->key, strlen(f->key), f->value, strlen(f->value)) == -1)
			return -1;
	}
	return 0;
}

void labels_free(struct labels *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		free(l->label[i].key);
		free(l->label[i].value);
	}
	free(l->label);
	*l = (struct labels){0};
}
