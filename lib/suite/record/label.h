/* Labels of a run: KEY=VALUE pairs that the user attaches to its record (--label). */
#ifndef SUITE_RECORD_LABEL_H
#define SUITE_RECORD_LABEL_H

#include <stddef.h>

struct label {
	char *key, *value;
};

/* Starts as zeros. */
struct labels {
	unsigned n;
	struct label *label;
};

/*
 * Add the label "KEY=VALUE" of text. A key is a letter or "_", then letters, digits and
 * "_"; a value can be empty. A label with the same key is replaced. Returns -1 with
 * ENOMEM, or EINVAL if text is malformed.
 */
int labels_add(struct labels *l, const char *text);

/*
 * Add the labels of a list "KEY=VALUE,...", whose values have no comma. Empty elements
 * are left out. Returns -1 as labels_add(), after which some of the labels may have been
 * added.
 */
int labels_add_list(struct labels *l, const char *list);

/* Add copies of all labels of from. Returns -1 with ENOMEM. */
int labels_merge(struct labels *l, const struct labels *from);

/* Free the labels; *l has none then. */
void labels_free(struct labels *l);

#endif
