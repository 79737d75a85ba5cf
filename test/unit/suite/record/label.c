/* Labels: their syntax, and which of two with the same key counts. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suite/record/label.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

/* Write the labels as "key=value;". */
static void show(const struct labels *l, char *text, size_t size)
{
	*text = '\0';
	for (unsigned i = 0; i < l->n; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s=%s;",
			 l->label[i].key, l->label[i].value);
}

/*
 * The calls in turn on one object: what is added, and the labels after it; NULL: EINVAL.
 */
static const struct {
	int line;
	int list;
	const char *text, *want;
} cases[] = {
	{__LINE__, 0, "commit=abc", "commit=abc;"},
	{__LINE__, 0, "a=1,2", "commit=abc;a=1,2;"},
	{__LINE__, 0, "commit=d", "commit=d;a=1,2;"},
	{__LINE__, 0, "comm=", "commit=d;a=1,2;comm=;"},
	{__LINE__, 0, "_Z9=a=b", "commit=d;a=1,2;comm=;_Z9=a=b;"},
	{__LINE__, 0, "", NULL},
	{__LINE__, 0, "a", NULL},
	{__LINE__, 0, "=1", NULL},
	{__LINE__, 0, "9a=1", NULL},
	{__LINE__, 0, "a.b=1", NULL},
	{__LINE__, 0, "\xc3\xa9=1", NULL},
	{__LINE__, 1, "", "commit=d;a=1,2;comm=;_Z9=a=b;"},
	{__LINE__, 1, ",,a=3,", "commit=d;a=3;comm=;_Z9=a=b;"},
	{__LINE__, 1, "a=4,comm=x=y", "commit=d;a=4;comm=x=y;_Z9=a=b;"},
	{__LINE__, 1, "a,b=1", NULL},
	{__LINE__, 1, "b=1, c=1", NULL},
};

static void test_syntax(void **state)
{
	struct labels l = {0};
	char text[256];

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		errno = 0;
		const int rc = cases[i].list ? labels_add_list(&l, cases[i].text)
					     : labels_add(&l, cases[i].text);

		if (rc != (cases[i].want ? 0 : -1) ||
		    errno != (cases[i].want ? 0 : EINVAL))
			fail_msg("line %d: %d", cases[i].line, rc);
		show(&l, text, sizeof text);
		if (cases[i].want && strcmp(text, cases[i].want) != 0)
			fail_msg("line %d: %s", cases[i].line, text);
	}
	labels_free(&l);
	assert_int_equal(l.n, 0);
}

static void test_merge(void **state)
{
	struct labels a = {0}, b = {0};
	char text[64];

	(void)state;
	labels_add_list(&a, "x=1,y=2");
	labels_add_list(&b, "y=3,z=4");
	assert_int_equal(labels_merge(&a, &b), 0);
	labels_free(&b);
	show(&a, text, sizeof text);
	assert_string_equal(text, "x=1;y=3;z=4;");
	labels_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_syntax),
		cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
