/*
 * Expands any text as the name of an output file, and reads it as a list of labels. The
 * first line is the text, the others are the environment. What an environment gives makes
 * no folder, leaves none and hides no file. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "base/outname.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "fuzz.h"
#include "suite/record/label.h"
#include "base/launcher.h"

enum { VARIABLES = 64 };

/* Cut the lines after the first one into env. */
static void split(char *text, const char *env[VARIABLES + 1])
{
	unsigned n = 0;

	while ((text = strchr(text, '\n')) && n < VARIABLES) {
		*text++ = '\0';
		env[n++] = text;
	}
	if (text)
		*text = '\0';
	env[n] = NULL;
}

static void check_launcher(const char *const *env)
{
	struct launcher l;

	launcher_read(&l, env);
	check(!l.family == (l.rank == -1), "a rank has a launcher");
	check(l.rank <= UINT32_MAX && l.local <= UINT32_MAX && l.step <= UINT32_MAX,
	      "numbers have 32 bits");
	check(l.size == -1 || l.size > l.rank, "a rank is less than the number of ranks");
	check(strlen(l.job) < sizeof l.job, "the name of a job has an end");
}

/* Does a part of a path begin with a dot? */
static int is_hidden(const char *path)
{
	return *path == '.' || strstr(path, "/.");
}

static void check_name(const char *text, const struct outname_values *v)
{
	char err[512] = "";
	char *const name = outname_expand(text, v, err, sizeof err);

	if (!name) {
		check(errno == EINVAL && *err, "a refusal has a message");
		return;
	}
	for (const char *c = name; *c; c++)
		check(isalnum((unsigned char)*c) || strchr("._-+@%", *c) ||
			      strchr(text, *c),
		      "a value has characters of names alone");
	check(strchr(text, '%') || !strcmp(name, text), "a plain name stays as it is");
	check(!is_hidden(name) || strchr(text, '.'), "no value hides a file");
	free(name);
	check(outname_ranks(text, v->env) >= 1, "one rank or more");
}

static void check_same(const struct labels *a, const struct labels *b)
{
	check(a->n == b->n, "the same labels");
	for (unsigned i = 0; i < a->n; i++)
		check(!strcmp(a->label[i].key, b->label[i].key) &&
			      !strcmp(a->label[i].value, b->label[i].value),
		      "the same label");
}

static void check_labels(const char *text)
{
	struct labels l = {0}, copy = {0};

	if (labels_add_list(&l, text) == -1)
		check(errno == EINVAL, "there is enough memory");
	check(labels_merge(&copy, &l) == 0, "there is enough memory");
	check_same(&l, &copy);
	for (unsigned i = 0; i < l.n; i++) {
		check(strcspn(l.label[i].key, "=,") == strlen(l.label[i].key) &&
			      *l.label[i].key && !strchr(l.label[i].value, ','),
		      "a label has a key, and its value no comma");
		for (unsigned k = 0; k < i; k++)
			check(strcmp(l.label[i].key, l.label[k].key), "keys differ");
	}
	labels_add(&l, text);
	labels_free(&l);
	labels_free(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *env[VARIABLES + 1];
	char *const text = string_of(data, size);
	const struct outname_values v = {.host = "host.example", .pid = 12, .env = env};

	split(text, env);
	check_launcher(env);
	check_name(text, &v);
	check_labels(text);
	free(text);
	return 0;
}
