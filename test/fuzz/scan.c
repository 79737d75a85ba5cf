/*
 * Scans any bytes as JSON, and compares with jansson, another reader: both take the text
 * and find equal values, or both refuse it. Build with clang
 * -fsanitize=fuzzer,address,undefined and -ljansson.
 */
#include "suite/saved/scan.h"

#include <jansson.h>
#include <string.h>

#include "fuzz.h"

/*
 * jansson has no integers beyond 2^63-1. If a text has one, all its integers are read as
 * real numbers.
 */
static json_t *load(const char *text, size_t size, int *as_real)
{
	json_error_t error;
	json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);

	*as_real = !json && json_error_code(&error) == json_error_numeric_overflow;
	if (!*as_real)
		return json;
	return json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
			  NULL);
}

static void compare_number(const struct saved_node *v, const json_t *json, int as_real)
{
	check(json_is_number(json), "both are numbers");
	if (!as_real && json_is_real(json))
		check(v->kind == NODE_REAL, "a real number is one");
	if (v->kind == NODE_INTEGER && json_is_integer(json))
		check(v->integer == (uint64_t)json_integer_value(json),
		      "integers are exact");
	else
		check(saved_real(v) == json_number_value(json), "numbers are equal");
}

static void compare(const struct saved_node *v, const json_t *json, int as_real)
{
	const char *key;
	json_t *value;
	size_t i;

	switch (v->kind) {
	case NODE_NULL:
		check(json_is_null(json), "both are null");
		return;
	case NODE_FALSE:
	case NODE_TRUE:
		check(json_is_boolean(json), "both are boolean");
		check(json_is_true(json) == (v->kind == NODE_TRUE), "both are true");
		return;
	case NODE_INTEGER:
	case NODE_REAL:
		compare_number(v, json, as_real);
		return;
	case NODE_STRING:
		check(json_is_string(json), "both are strings");
		check(strcmp(json_string_value(json), v->string) == 0,
		      "strings are equal");
		return;
	case NODE_ARRAY:
		check(json_is_array(json), "both are arrays");
		check(json_array_size(json) == saved_size(v), "arrays have one size");
		for (i = 0; i < saved_size(v); i++)
			compare(saved_element(v, i), json_array_get(json, i), as_real);
		return;
	case NODE_OBJECT:
		check(json_is_object(json), "both are objects");
		check(json_object_size(json) == v->n, "objects have one size");
		json_object_foreach((json_t *)json, key, value)
		{
			const struct saved_node *member = saved_member(v, key);

			check(member != NULL, "both have the member");
			compare(member, value, as_real);
		}
	}
}

/* A copy has the same values, and its strings elsewhere. */
static void compare_copy(const struct scan *s, const json_t *json, int as_real)
{
	struct saved_node *copy = saved_copy(s->node);

	check(copy != NULL, "there is enough memory");
	compare(copy, json, as_real);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = string_of(data, size);
	struct scan s = {.node = NULL};
	int as_real = 0;
	/* jansson overlooks a NUL behind a word or a number. */
	const int has_nul = strlen(text) < size;
	json_t *json = has_nul ? NULL : load(text, size, &as_real);
	const int rc = scan_text(&s, text, size);

	check((rc == 0) == (json != NULL), "both take the text, or both refuse it");
	if (rc == 0) {
		compare(s.node, json, as_real);
		compare_copy(&s, json, as_real);
	} else {
		check(s.error && s.at >= 1 && s.at <= size + 1, "an error has a place");
	}
	json_decref(json);
	scan_free(&s);
	free(text);
	return 0;
}
