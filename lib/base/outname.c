#include "base/outname.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/launcher.h"

enum { NUMBER_SIZE = 24, VARIABLE_SIZE = 256 };

/* A name while it is made. */
struct name {
	const struct outname_values *values;
	struct launcher launcher;
	struct textbuf text;
	char *err;
	size_t size;
};

static int is_kept(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c && strchr("._-+@", c));
}

/*
 * Does the name have only dots since the last slash? Then a dot would hide it, or leave a
 * folder.
 */
static int at_start(const struct textbuf *b)
{
	size_t i = b->len;

	while (i > 0 && b->s[i - 1] == '.')
		i--;
	return i == 0 || b->s[i - 1] == '/';
}

static void put_value(struct name *n, const char *value, size_t len)
{
	for (size_t i = 0; i < len && !n->text.failed; i++) {
		const int kept =
			is_kept(value[i]) && !(value[i] == '.' && at_start(&n->text));
		textbuf_char(&n->text, kept ? value[i] : '_');
	}
}

static void put_number(struct name *n, int64_t v)
{
	char number[NUMBER_SIZE];

	snprintf(number, sizeof number, "%lld", (long long)v);
	put_value(n, number, strlen(number));
}

/*
 * The placeholders for numbers in struct launcher, with what is said if one is not known.
 */
static const struct number {
	char letter;
	size_t offset;
	const char *reason;
} numbers[] = {
	{'r', offsetof(struct launcher, rank),
	 "no launcher of ranks is known; looked for: " LAUNCHER_FAMILIES},
	{'n', offsetof(struct launcher, size),
	 "no launcher gives the number of ranks; looked for: " LAUNCHER_FAMILIES},
	{'l', offsetof(struct launcher, local),
	 "no launcher gives the rank on this host; looked for: " LAUNCHER_FAMILIES},
	{'s', offsetof(struct launcher, step), "SLURM_STEP_ID is not a number"},
};

static const struct number *find_number(char letter)
{
	for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (numbers[i].letter == letter)
			return &numbers[i];
	return NULL;
}

static int put_known(struct name *n, const struct number *number)
{
	const int64_t *v = (const void *)((const char *)&n->launcher + number->offset);

	if (*v < 0) {
		snprintf(n->err, n->size, "%%%c: %s", number->letter, number->reason);
		return -1;
	}
	put_number(n, *v);
	return 0;
}

static int put_job(struct name *n)
{
	if (!*n->launcher.job) {
		snprintf(n->err, n->size,
			 "%%j: no batch job is known; looked for: " LAUNCHER_JOBS);
		return -1;
	}
	put_value(n, n->launcher.job, strlen(n->launcher.job));
	return 0;
}

/* *at is behind "%q"; it is moved behind "{VARIABLE}". */
static int put_variable(struct name *n, const char **at)
{
	const char *begin = *at + 1, *end = **at == '{' ? strchr(begin, '}') : NULL;
	const size_t len = end ? (size_t)(end - begin) : 0;
	char variable[VARIABLE_SIZE];

	if (len == 0 || len >= sizeof variable) {
		snprintf(n->err, n->size, "%%q: write %%q{VARIABLE}");
		return -1;
	}
	memcpy(variable, begin, len);
	variable[len] = '\0';
	const char *value = launcher_variable(n->values->env, variable);
	if (!value) {
		snprintf(n->err, n->size, "%%q{%s}: the variable is not set", variable);
		return -1;
	}
	put_value(n, value, strlen(value));
	*at = end + 1;
	return 0;
}

static int unknown(struct name *n, char letter)
{
	if (letter)
		snprintf(n->err, n->size,
			 "%%%c is no placeholder; a percent sign is %%%%", letter);
	else
		snprintf(n->err, n->size, "a percent sign at the end is %%%%");
	return -1;
}

/* *at is behind the '%'; it is moved behind the placeholder. */
static int put_placeholder(struct name *n, const char **at)
{
	const char letter = **at;
	const struct number *number = letter ? find_number(letter) : NULL;

	if (letter)
		(*at)++;
	if (number)
		return put_known(n, number);
	switch (letter) {
	case 'h':
		put_value(n, n->values->host, strcspn(n->values->host, "."));
		return 0;
	case 'p':
		put_number(n, n->values->pid);
		return 0;
	case 'j':
		return put_job(n);
	case 'q':
		return put_variable(n, at);
	case '%':
		textbuf_char(&n->text, '%');
		return 0;
	default:
		return unknown(n, letter);
	}
}

char *outname_expand(const char *text, const struct outname_values *v, char *err,
		     size_t size)
{
	struct name n = {.values = v, .err = err, .size = size};

	*err = '\0';
	launcher_read(&n.launcher, v->env);
	while (*text) {
		const size_t plain = strcspn(text, "%");

		textbuf_put(&n.text, text, plain);
		text += plain;
		if (*text++ == '\0')
			break;
		if (put_placeholder(&n, &text) == -1) {
			free(n.text.s);
			errno = EINVAL;
			return NULL;
		}
	}
	return textbuf_end(&n.text);
}

/* Digits that stand together are a number, also with zeros before it. */
static int has_number(const char *text, int64_t number)
{
	char *end;

	while (*(text += strcspn(text, "0123456789"))) {
		if (strtoull(text, &end, 10) == (unsigned long long)number)
			return 1;
		text = end;
	}
	return 0;
}

/* A folder can have a number by chance, as temporary folders do. */
int64_t outname_ranks(const char *text, const char *const *env)
{
	const char *slash = strrchr(text, '/');
	struct launcher l;

	for (const char *p = text; (p = strchr(p, '%')) && p[1]; p += 2)
		if (strchr("rplq", p[1]))
			return 1;
	launcher_read(&l, env);
	return l.size > 1 && !has_number(slash ? slash : text, l.rank) ? l.size : 1;
}
