/*
 * The calls of libpfm 3 about events and the PMU, compared with the answers of libpfm 3
 * in test/data/itanium2.
 */
#include <perfmon/pfmlib_itanium2.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

enum { NEVENTS = 497, BAD = NEVENTS };

static int get_counters(unsigned i, long *v)
{
	pfmlib_regmask_t mask;
	const int rc = pfm_get_event_counters(i, &mask);

	*v = (long)mask.bits[0];
	for (size_t k = 1; k < PFMLIB_REG_BV; k++)
		assert_int_equal(mask.bits[k], 0);
	return rc;
}

static int get_code(unsigned i, long *v)
{
	int code = -1;
	const int rc = pfm_get_event_code(i, &code);

	*v = code;
	return rc;
}

static int code_at(unsigned i, unsigned counter, long *v)
{
	int code = -1;

	*v = pfm_get_event_code_counter(i, counter, &code);
	if (*v == PFMLIB_SUCCESS) {
		long any = -1;

		assert_int_equal(get_code(i, &any), PFMLIB_SUCCESS);
		assert_int_equal(code, any);
	}
	return PFMLIB_SUCCESS;
}

static int get_code3(unsigned i, long *v)
{
	return code_at(i, 3, v);
}

static int get_code4(unsigned i, long *v)
{
	return code_at(i, 4, v);
}

static int get_code8(unsigned i, long *v)
{
	return code_at(i, 8, v);
}

#define GET_FLAG(name)                             \
	static int get_##name(unsigned i, long *v) \
	{                                          \
		*v = pfm_ita2_##name(i);           \
		return PFMLIB_SUCCESS;             \
	}
GET_FLAG(is_ear)
GET_FLAG(is_dear)
GET_FLAG(is_dear_tlb)
GET_FLAG(is_dear_cache)
GET_FLAG(is_dear_alat)
GET_FLAG(is_iear)
GET_FLAG(is_iear_tlb)
GET_FLAG(is_iear_cache)
GET_FLAG(is_btb)
GET_FLAG(support_opcm)
GET_FLAG(support_iarr)
GET_FLAG(support_darr)

static int get_maxincr(unsigned i, long *v)
{
	unsigned n = 0;
	const int rc = pfm_ita2_get_event_maxincr(i, &n);

	*v = n;
	return rc;
}

static int get_umask(unsigned i, long *v)
{
	unsigned long n = 0;
	const int rc = pfm_ita2_get_event_umask(i, &n);

	*v = (long)n;
	return rc;
}

static int get_group(unsigned i, long *v)
{
	int n = 0;
	const int rc = pfm_ita2_get_event_group(i, &n);

	*v = n;
	return rc;
}

static int get_set(unsigned i, long *v)
{
	int n = 0;
	const int rc = pfm_ita2_get_event_set(i, &n);

	*v = n;
	return rc;
}

static int get_ear_mode_rc(unsigned i, long *v)
{
	pfmlib_ita2_ear_mode_t mode;

	*v = pfm_ita2_get_ear_mode(i, &mode);
	return PFMLIB_SUCCESS;
}

static int get_ear_mode(unsigned i, long *v)
{
	pfmlib_ita2_ear_mode_t mode = PFMLIB_ITA2_EAR_CACHE_MODE;
	const int rc = pfm_ita2_get_ear_mode(i, &mode);

	*v = (long)mode;
	return rc;
}

static int found(int rc, const unsigned *idx, long *v)
{
	*v = *idx;
	return rc;
}

static int get_find(unsigned i, long *v)
{
	char name[64];
	unsigned idx = 0;

	assert_int_equal(pfm_get_event_name(i, name, sizeof(name)), PFMLIB_SUCCESS);
	return found(pfm_find_event(name, &idx), &idx, v);
}

static int get_find_lower(unsigned i, long *v)
{
	char name[64];
	unsigned idx = 0;

	assert_int_equal(pfm_get_event_name(i, name, sizeof(name)), PFMLIB_SUCCESS);
	for (char *c = name; *c; c++)
		*c |= *c >= 'A' && *c <= 'Z' ? 0x20 : 0;
	return found(pfm_find_event(name, &idx), &idx, v);
}

static int get_bycode(unsigned i, long *v)
{
	long code = 0;
	unsigned idx = 0;

	get_code(i, &code);
	return found(pfm_find_event_bycode((int)code, &idx), &idx, v);
}

static int get_next(unsigned i, long *v)
{
	long code = 0;
	unsigned idx = 0;

	get_code(i, &code);
	return found(pfm_find_event_bycode_next((int)code, i, &idx), &idx, v);
}

static int get_next_rc(unsigned i, long *v)
{
	long idx;

	*v = get_next(i, &idx);
	return PFMLIB_SUCCESS;
}

/* The columns of the data and the calls that answer them; "-" means an error. */
static const struct {
	const char *column;
	int (*get)(unsigned i, long *v);
} columns[] = {
	{"code", get_code},
	{"counters", get_counters},
	{"code_ctr3_rc", get_code3},
	{"code_ctr4_rc", get_code4},
	{"code_ctr8_rc", get_code8},
	{"is_ear", get_is_ear},
	{"is_dear", get_is_dear},
	{"is_dear_tlb", get_is_dear_tlb},
	{"is_dear_cache", get_is_dear_cache},
	{"is_dear_alat", get_is_dear_alat},
	{"is_iear", get_is_iear},
	{"is_iear_tlb", get_is_iear_tlb},
	{"is_iear_cache", get_is_iear_cache},
	{"is_btb", get_is_btb},
	{"support_opcm", get_support_opcm},
	{"support_iarr", get_support_iarr},
	{"support_darr", get_support_darr},
	{"maxincr", get_maxincr},
	{"umask", get_umask},
	{"group", get_group},
	{"set", get_set},
	{"ear_mode_rc", get_ear_mode_rc},
	{"ear_mode", get_ear_mode},
	{"find_idx", get_find},
	{"find_lower_idx", get_find_lower},
	{"bycode_idx", get_bycode},
	{"bycode_next_rc", get_next_rc},
	{"bycode_next_idx", get_next},
};
enum { NCOLUMNS = sizeof(columns) / sizeof(*columns) };

/* Splits a line at its tabs. */
static unsigned split(char *line, char *word[], unsigned max)
{
	unsigned n = 0;

	line[strcspn(line, "\n")] = '\0';
	for (char *w; n < max && (w = strsep(&line, "\t"));)
		word[n++] = w;
	return n;
}

static void check_row(char *const head[], char *const word[], unsigned n)
{
	const unsigned idx = (unsigned)strtoul(word[0], NULL, 0);
	char name[64];

	assert_int_equal(pfm_get_event_name(idx, name, sizeof(name)), PFMLIB_SUCCESS);
	assert_string_equal(name, word[1]);
	for (unsigned c = 2; c < n; c++) {
		unsigned k = 0;
		long v;

		while (k < NCOLUMNS && strcmp(columns[k].column, head[c]) != 0)
			k++;
		assert_true(k < NCOLUMNS);
		const int rc = columns[k].get(idx, &v);

		if ((strcmp(word[c], "-") == 0) != (rc != PFMLIB_SUCCESS) ||
		    (rc == PFMLIB_SUCCESS && v != strtol(word[c], NULL, 0)))
			fail_msg("%s, %s: expected %s, got %ld (%d)", name, head[c],
				 word[c], v, rc);
	}
}

static void test_rows(void **state)
{
	FILE *f = fopen("test/data/itanium2/vectors_events.tsv", "re");
	char first[1024], line[1024];
	char *head[NCOLUMNS + 3], *word[NCOLUMNS + 3];
	unsigned rows = 0;

	(void)state;
	assert_non_null(f);
	assert_non_null(fgets(first, sizeof(first), f));
	assert_int_equal(split(first, head, NCOLUMNS + 3), NCOLUMNS + 2);
	for (; fgets(line, sizeof(line), f); rows++) {
		assert_int_equal(split(line, word, NCOLUMNS + 3), NCOLUMNS + 2);
		check_row(head, word, NCOLUMNS + 2);
	}
	assert_int_equal(rows, NEVENTS);
	fclose(f);
}

static json_t *global;

static json_int_t integer(const char *object, const char *key)
{
	const json_t *o = object ? json_object_get(global, object) : global;
	const json_t *v = json_object_get(o, key);

	assert_true(json_is_integer(v));
	return json_integer_value(v);
}

/* Runs first, before pfm_initialize(). */
static void test_before(void **state)
{
	const char *b = "before_init";
	unsigned n;
	int code;

	(void)state;
	assert_int_equal(pfm_find_event("CPU_CYCLES", &n), integer(b, "find_event"));
	assert_int_equal(pfm_get_num_events(&n), integer(b, "get_num_events"));
	assert_int_equal(pfm_get_event_code(0, &code), integer(b, "get_event_code"));
	assert_int_equal(pfm_ita2_get_event_maxincr(0, &n),
			 integer(b, "ita2_get_event_maxincr"));
	assert_int_equal(pfm_get_version(&n), integer(b, "get_version"));
	assert_int_equal(n, strtoul(json_string_value(json_object_get(
					    json_object_get(global, b), "version")),
				    NULL, 0));
	assert_int_equal(pfm_dispatch_events(NULL, NULL, NULL, NULL), PFMLIB_ERR_NOINIT);
	assert_int_equal(pfm_is_pmu_supported(3), PFMLIB_ERR_NOINIT);

	pfmlib_regmask_t mask;
	pfmlib_event_t event;
	size_t length;
	int type;

	assert_int_equal(pfm_get_pmu_name(NULL, 0), PFMLIB_ERR_NOINIT);
	assert_int_equal(pfm_get_pmu_type(&type), PFMLIB_ERR_NOINIT);
	assert_int_equal(pfm_get_impl_pmds(&mask), PFMLIB_ERR_NOINIT);
	assert_int_equal(pfm_find_event_bycode(0x12, &n), PFMLIB_ERR_NOINIT);
	assert_int_equal(pfm_get_cycle_event(&event), PFMLIB_ERR_NOINIT);
	assert_int_equal(pfm_get_max_event_name_len(&length), PFMLIB_ERR_NOINIT);
	/* These work without pfm_initialize(). */
	assert_string_equal(pfm_strerror(0), "success");
	assert_int_equal(pfm_ita2_is_ear(189), 1);
	assert_int_equal(pfm_set_options(&(pfmlib_options_t){0}), PFMLIB_SUCCESS);
	char name[16];

	assert_int_equal(pfm_get_pmu_name_bytype(3, name, sizeof(name)), PFMLIB_SUCCESS);
	assert_string_equal(name, "itanium2");
	assert_int_equal(pfm_force_pmu(4), PFMLIB_ERR_NOTSUPP);
	assert_int_equal(pfm_get_num_events(&n), PFMLIB_ERR_NOINIT);
	assert_int_equal(setenv("LIBPFM_FORCE_PMU", "2", 1), 0);
	assert_int_equal(pfm_initialize(), PFMLIB_ERR_NOTSUPP);
	assert_int_equal(unsetenv("LIBPFM_FORCE_PMU"), 0);
	assert_int_equal(pfm_get_num_events(&n), PFMLIB_ERR_NOINIT);
}

static void mask_is(const pfmlib_regmask_t *mask, const char *key)
{
	assert_int_equal(
		mask->bits[0],
		strtoul(json_string_value(json_object_get(global, key)), NULL, 0));
	for (size_t i = 1; i < PFMLIB_REG_BV; i++)
		assert_int_equal(mask->bits[i], 0);
}

static void test_pmu(void **state)
{
	const json_t *name = json_object_get(global, "pmu_name");
	char text[64];
	pfmlib_regmask_t mask;
	pfmlib_event_t e;
	unsigned n;
	size_t len;
	int type;

	(void)state;
	assert_int_equal(pfm_initialize(), PFMLIB_SUCCESS);
	assert_int_equal(pfm_get_pmu_name(text, sizeof(text)), PFMLIB_SUCCESS);
	assert_string_equal(text, json_string_value(json_array_get(name, 1)));
	assert_int_equal(pfm_get_pmu_name(text, 4), PFMLIB_SUCCESS);
	assert_string_equal(text, "ita");
	assert_int_equal(pfm_get_pmu_name(text, 0), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_pmu_type(&type), PFMLIB_SUCCESS);
	assert_int_equal(type, integer(NULL, "pmu_type"));
	assert_int_equal(pfm_get_num_events(&n), PFMLIB_SUCCESS);
	assert_int_equal(n, integer(NULL, "num_events"));
	assert_int_equal(pfm_get_num_counters(&n), PFMLIB_SUCCESS);
	assert_int_equal(n, integer(NULL, "num_counters"));
	assert_int_equal(pfm_get_num_pmcs(&n), PFMLIB_SUCCESS);
	assert_int_equal(n, integer(NULL, "num_pmcs"));
	assert_int_equal(pfm_get_num_pmds(&n), PFMLIB_SUCCESS);
	assert_int_equal(n, integer(NULL, "num_pmds"));
	assert_int_equal(pfm_get_hw_counter_width(&n), PFMLIB_SUCCESS);
	assert_int_equal(n, integer(NULL, "hw_counter_width"));
	assert_int_equal(pfm_get_max_event_name_len(&len), PFMLIB_SUCCESS);
	assert_int_equal(len, integer(NULL, "max_event_name_len"));
	assert_int_equal(pfm_get_impl_pmcs(&mask), PFMLIB_SUCCESS);
	mask_is(&mask, "impl_pmcs");
	assert_int_equal(pfm_get_impl_pmds(&mask), PFMLIB_SUCCESS);
	mask_is(&mask, "impl_pmds");
	assert_int_equal(pfm_get_impl_counters(&mask), PFMLIB_SUCCESS);
	mask_is(&mask, "impl_counters");
	assert_int_equal(pfm_get_cycle_event(&e), PFMLIB_SUCCESS);
	assert_int_equal(e.event, integer(NULL, "cycle_event"));
	assert_int_equal(pfm_get_inst_retired_event(&e), PFMLIB_SUCCESS);
	assert_int_equal(e.event, integer(NULL, "inst_retired_event"));
	assert_int_equal(pfm_is_pmu_supported(3), PFMLIB_SUCCESS);
	assert_int_equal(pfm_is_pmu_supported(2), PFMLIB_ERR_NOTSUPP);
}

static void test_bad_index(void **state)
{
	const char *bad = "bad_index_497";
	pfmlib_regmask_t mask;
	pfmlib_ita2_ear_mode_t mode;
	char name[64], *text;
	unsigned n;
	int code;

	(void)state;
	assert_int_equal(pfm_get_event_name(BAD, name, sizeof(name)),
			 integer(bad, "get_event_name"));
	assert_int_equal(pfm_get_event_code(BAD, &code), integer(bad, "get_event_code"));
	assert_int_equal(pfm_get_event_counters(BAD, &mask),
			 integer(bad, "get_event_counters"));
	for (unsigned c = 0; c < NCOLUMNS; c++) {
		char key[64];
		long v = 0;
		const int q = strncmp(columns[c].column, "is_", 3) == 0 ||
			      strncmp(columns[c].column, "support_", 8) == 0;

		snprintf(key, sizeof(key), "%s%s", q ? "" : "get_event_",
			 columns[c].column);
		if (!json_object_get(json_object_get(global, bad), key) ||
		    strcmp(columns[c].column, "code") == 0 ||
		    strcmp(columns[c].column, "counters") == 0)
			continue;
		const int rc = columns[c].get(BAD, &v);

		assert_int_equal(q ? v : rc, integer(bad, key));
	}
	assert_int_equal(pfm_ita2_get_ear_mode(BAD, &mode), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_event_description(BAD, &text), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_num_event_masks(BAD, &n), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_event_bycode_next(0, BAD, &n), PFMLIB_ERR_INVAL);
}

static void test_null(void **state)
{
	const char *null = "null_out";
	unsigned n;

	(void)state;
	assert_int_equal(pfm_ita2_get_event_maxincr(0, NULL), integer(null, "maxincr"));
	assert_int_equal(pfm_ita2_get_event_umask(0, NULL), integer(null, "umask"));
	assert_int_equal(pfm_ita2_get_event_group(0, NULL), integer(null, "group"));
	assert_int_equal(pfm_ita2_get_event_set(0, NULL), integer(null, "set"));
	assert_int_equal(pfm_ita2_get_ear_mode(189, NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_event("CPU_CYCLES", NULL), integer(null, "find_event"));
	assert_int_equal(pfm_find_event(NULL, &n), integer(null, "find_event_nullname"));
	assert_int_equal(pfm_ita2_irange_is_fine(NULL, NULL),
			 integer(null, "irange_is_fine(NULL,NULL)"));
	assert_int_equal(pfm_find_full_event(NULL, &(pfmlib_event_t){0}),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_event_name(0, NULL, 64), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_event_code(0, NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_event_description(0, NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_version(NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_impl_pmcs(NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_pmu_type(NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_num_events(NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_full_event_name(NULL, NULL, 0), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_list_supported_pmus(NULL), PFMLIB_ERR_INVAL);
}

static void test_find(void **state)
{
	const char *str;
	json_t *v;

	(void)state;
	json_object_foreach(json_object_get(global, "find_event"), str, v)
	{
		unsigned idx = 0;
		const int rc = pfm_find_event(str, &idx);

		if (rc != json_integer_value(json_array_get(v, 0)) ||
		    (rc == 0 && idx != json_integer_value(json_array_get(v, 1))))
			fail_msg("'%s': %d, %u", str, rc, idx);
	}
	json_object_foreach(json_object_get(global, "find_full_event"), str, v)
	{
		pfmlib_event_t e;
		const int rc = pfm_find_full_event(str, &e);

		if (rc != json_integer_value(json_array_get(v, 0)) ||
		    (rc == 0 &&
		     (e.event != json_integer_value(json_array_get(v, 1)) ||
		      e.num_masks != json_integer_value(json_array_get(v, 2)))))
			fail_msg("'%s': %d, %u", str, rc, e.event);
	}
}

static void test_strerror(void **state)
{
	const char *code;
	json_t *v;

	(void)state;
	json_object_foreach(json_object_get(global, "strerror"), code, v)
		assert_string_equal(pfm_strerror(atoi(code)), json_string_value(v));
}

/* Keys of the data end in "maxlen=N)". */
static void test_buffer(void **state)
{
	pfmlib_event_t e;
	char name[64];
	const char *key;
	json_t *v;

	(void)state;
	assert_int_equal(pfm_get_cycle_event(&e), PFMLIB_SUCCESS);
	json_object_foreach(json_object_get(global, "name_buffer"), key, v)
		assert_int_equal(pfm_get_event_name(e.event, name,
						    (size_t)atoi(strchr(key, '=') + 1)),
				 json_integer_value(v));
	json_object_foreach(json_object_get(global, "full_name_buffer"), key, v)
		assert_int_equal(pfm_get_full_event_name(
					 &e, name, (size_t)atoi(strchr(key, '=') + 1)),
				 json_integer_value(v));
	assert_string_equal(name, "CPU_CYCLES");
	assert_int_equal(pfm_get_event_name(e.event, name, 0), PFMLIB_ERR_INVAL);
	e.num_masks = 1;
	assert_int_equal(pfm_get_full_event_name(&e, name, 64), PFMLIB_ERR_UMASK);
}

static void test_masks(void **state)
{
	const char *api = "event_mask_api";
	char name[64], *text;
	unsigned n = 1;

	(void)state;
	assert_int_equal(pfm_get_num_event_masks(0, &n), PFMLIB_SUCCESS);
	assert_int_equal(n, 0);
	assert_int_equal(pfm_find_event_mask(0, "FOO", &n),
			 integer(api, "find_event_mask"));
	assert_int_equal(pfm_get_event_mask_name(0, 0, name, sizeof(name)),
			 integer(api, "get_event_mask_name"));
	assert_int_equal(pfm_get_event_mask_code(0, 0, &n), PFMLIB_ERR_NOTSUPP);
	assert_int_equal(pfm_get_event_mask_description(0, 0, &text), PFMLIB_ERR_NOTSUPP);
}

static void test_description(void **state)
{
	unsigned idx;
	char *text;

	(void)state;
	assert_int_equal(pfm_find_event("CPU_CYCLES", &idx), PFMLIB_SUCCESS);
	assert_int_equal(pfm_get_event_description(idx, &text), PFMLIB_SUCCESS);
	assert_string_equal(text, "Cycles");
	free(text);
}

static int lines;

static int count_lines(const char *fmt, ...)
{
	assert_non_null(fmt);
	lines++;
	return 0;
}

static void test_list(void **state)
{
	(void)state;
	assert_int_equal(pfm_list_supported_pmus(count_lines), PFMLIB_SUCCESS);
	assert_int_equal(lines, 1);
}

/* LIBPFM_FORCE_PMU replaces the argument of pfm_force_pmu(). */
static void test_environment(void **state)
{
	unsigned n;

	(void)state;
	assert_int_equal(setenv("LIBPFM_FORCE_PMU", "3", 1), 0);
	assert_int_equal(pfm_initialize(), PFMLIB_SUCCESS);
	assert_int_equal(setenv("LIBPFM_FORCE_PMU", "1", 1), 0);
	assert_int_equal(pfm_initialize(), PFMLIB_ERR_NOTSUPP);
	assert_int_equal(pfm_get_num_events(&n), PFMLIB_SUCCESS);
	assert_int_equal(unsetenv("LIBPFM_FORCE_PMU"), 0);
}

static void test_regmask(void **state)
{
	pfmlib_regmask_t a = {{0}}, b = {{0}}, c;
	unsigned n;

	(void)state;
	assert_int_equal(pfm_regmask_set(&a, 0), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_set(&a, 70), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_set(&b, 70), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_set(&b, 511), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_set(&b, 512), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_regmask_clr(&b, 512), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_regmask_set(NULL, 0), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_regmask_isset(&a, 70), 1);
	assert_int_equal(pfm_regmask_isset(&a, 6), 0);
	assert_int_equal(pfm_regmask_isset(&a, 512), 0);
	assert_int_equal(pfm_regmask_isset(NULL, 0), 0);
	assert_int_equal(pfm_regmask_and(&c, &a, &b), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_weight(&c, &n), PFMLIB_SUCCESS);
	assert_int_equal(n, 1);
	assert_int_equal(pfm_regmask_or(&c, &a, &b), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_weight(&c, &n), PFMLIB_SUCCESS);
	assert_int_equal(n, 3);
	assert_int_equal(pfm_regmask_andnot(&c, &a, &b), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_isset(&c, 0), 1);
	assert_int_equal(pfm_regmask_isset(&c, 70), 0);
	assert_int_equal(pfm_regmask_clr(&a, 70), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_eq(&a, &c), 1);
	assert_int_equal(pfm_regmask_eq(&a, &b), 0);
	assert_int_equal(pfm_regmask_eq(&a, NULL), 0);
	assert_int_equal(pfm_regmask_copy(&c, &b), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_not(&c), PFMLIB_SUCCESS);
	assert_int_equal(pfm_regmask_weight(&c, &n), PFMLIB_SUCCESS);
	assert_int_equal(n, 510);
}

/* Sizes and offsets as in libpfm 3 on 64-bit machines: clients may save structures. */
#define SIZE(type, bytes)	_Static_assert(sizeof(type) == (bytes), #type)
#define OFFSET(type, field, at) _Static_assert(offsetof(type, field) == (at), #field)
#if __SIZEOF_LONG__ == 8
SIZE(pfmlib_regmask_t, 64);
SIZE(pfmlib_event_t, 232);
OFFSET(pfmlib_event_t, unit_masks, 16);
OFFSET(pfmlib_event_t, num_masks, 208);
SIZE(pfmlib_reg_t, 32);
OFFSET(pfmlib_reg_t, reg_num, 16);
OFFSET(pfmlib_reg_t, reg_alt_addr, 24);
SIZE(pfmlib_input_param_t, 118912);
OFFSET(pfmlib_input_param_t, pfp_events, 16);
OFFSET(pfmlib_input_param_t, pfp_unavail_pmcs, 118800);
SIZE(pfmlib_output_param_t, 32832);
OFFSET(pfmlib_output_param_t, pfp_pmcs, 8);
OFFSET(pfmlib_output_param_t, pfp_pmds, 16392);
SIZE(pfmlib_options_t, 4);
SIZE(pfmlib_ita2_counter_t, 12);
SIZE(pfmlib_ita2_opcm_t, 16);
SIZE(pfmlib_ita2_ear_t, 24);
SIZE(pfmlib_ita2_btb_t, 12);
SIZE(pfmlib_ita2_input_rr_desc_t, 24);
SIZE(pfmlib_ita2_input_rr_t, 112);
OFFSET(pfmlib_ita2_input_rr_t, rr_used, 104);
SIZE(pfmlib_ita2_output_rr_t, 328);
OFFSET(pfmlib_ita2_output_rr_t, rr_infos, 8);
OFFSET(pfmlib_ita2_output_rr_t, rr_br, 72);
SIZE(pfmlib_ita2_input_param_t, 384);
OFFSET(pfmlib_ita2_input_param_t, pfp_ita2_flags, 48);
OFFSET(pfmlib_ita2_input_param_t, pfp_ita2_pmc8, 56);
OFFSET(pfmlib_ita2_input_param_t, pfp_ita2_pmc9, 72);
OFFSET(pfmlib_ita2_input_param_t, pfp_ita2_iear, 88);
OFFSET(pfmlib_ita2_input_param_t, pfp_ita2_dear, 112);
OFFSET(pfmlib_ita2_input_param_t, pfp_ita2_btb, 136);
OFFSET(pfmlib_ita2_input_param_t, pfp_ita2_drange, 152);
OFFSET(pfmlib_ita2_input_param_t, pfp_ita2_irange, 264);
SIZE(pfmlib_ita2_output_param_t, 704);
OFFSET(pfmlib_ita2_output_param_t, pfp_ita2_irange, 328);
#endif

static int load(void **state)
{
	(void)state;
	global = json_load_file("test/data/itanium2/vectors_global.json", 0, NULL);
	return global ? 0 : -1;
}

static int unload(void **state)
{
	(void)state;
	json_decref(global);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_before),	 cmocka_unit_test(test_pmu),
		cmocka_unit_test(test_rows),	 cmocka_unit_test(test_bad_index),
		cmocka_unit_test(test_null),	 cmocka_unit_test(test_find),
		cmocka_unit_test(test_strerror), cmocka_unit_test(test_buffer),
		cmocka_unit_test(test_masks),	 cmocka_unit_test(test_description),
		cmocka_unit_test(test_list),	 cmocka_unit_test(test_environment),
		cmocka_unit_test(test_regmask),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
