/*
 * Compares pfm_dispatch_events() with vectors of libpfm 3's answers, in
 * test/data/itanium2 or in files that are named as arguments. A vector is a JSON object
 * in a line: gen, mod and mod_out are the arguments; out, out_mask64 and undercover the
 * answer. Functions here state where our answer differs on purpose.
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

struct call {
	pfmlib_input_param_t in;
	pfmlib_ita2_input_param_t mod;
	pfmlib_output_param_t out;
	pfmlib_ita2_output_param_t mod_out;
	int has_mod, has_mod_out, rc;
};

/* Returns a number, which is a string if it is too large for JSON. */
static uint64_t num(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_string(v) ? strtoull(json_string_value(v), NULL, 0)
				 : (uint64_t)json_integer_value(v);
}

static void get_events(const json_t *gen, pfmlib_input_param_t *in)
{
	const json_t *events = json_object_get(gen, "events");

	in->pfp_event_count = (unsigned)json_array_size(events);
	for (unsigned i = 0; i < in->pfp_event_count; i++) {
		const json_t *e = json_array_get(events, i);
		const char *name = json_string_value(json_object_get(e, "name"));

		in->pfp_events[i].event = (unsigned)num(e, "event");
		in->pfp_events[i].plm = (unsigned)num(e, "plm");
		in->pfp_events[i].num_masks = (unsigned)num(e, "num_masks");
		if (name)
			assert_int_equal(pfm_find_event(name, &in->pfp_events[i].event),
					 0);
	}
	if (json_object_get(gen, "count"))
		in->pfp_event_count = (unsigned)num(gen, "count");
	in->pfp_dfl_plm = (unsigned)num(gen, "dfl_plm");
	in->pfp_flags = (unsigned)num(gen, "flags");
	const json_t *un = json_object_get(gen, "unavail_pmcs");

	for (size_t i = 0; i < json_array_size(un); i++)
		pfm_regmask_set(&in->pfp_unavail_pmcs,
				(unsigned)json_integer_value(json_array_get(un, i)));
}

static void get_ear(const json_t *mod, const char *key, pfmlib_ita2_ear_t *ear)
{
	const json_t *e = json_object_get(mod, key);

	ear->ear_used = e != NULL;
	ear->ear_mode = (pfmlib_ita2_ear_mode_t)num(e, "mode");
	ear->ear_ism = (pfmlib_ita2_ism_t)num(e, "ism");
	ear->ear_plm = (unsigned)num(e, "plm");
	ear->ear_umask = num(e, "umask");
}

static void get_btb(const json_t *mod, pfmlib_ita2_btb_t *btb)
{
	const json_t *b = json_object_get(mod, "btb");

	btb->btb_used = b != NULL;
	btb->btb_ds = (unsigned char)num(b, "ds");
	btb->btb_tm = (unsigned char)num(b, "tm");
	btb->btb_ptm = (unsigned char)num(b, "ptm");
	btb->btb_ppm = (unsigned char)num(b, "ppm");
	btb->btb_brt = (unsigned char)num(b, "brt");
	btb->btb_plm = (unsigned)num(b, "plm");
}

static void get_range(const json_t *mod, const char *key, pfmlib_ita2_input_rr_t *rr)
{
	const json_t *r = json_object_get(mod, key);
	const json_t *limits = json_object_get(r, "limits");

	rr->rr_used = r != NULL;
	rr->rr_flags = (unsigned)num(r, "flags");
	assert_true(json_array_size(limits) <= 4);
	for (size_t i = 0; i < json_array_size(limits); i++) {
		const json_t *l = json_array_get(limits, i);

		rr->rr_limits[i] = (pfmlib_ita2_input_rr_desc_t){
			(unsigned)num(l, "plm"), num(l, "start"), num(l, "end")};
	}
}

static void get_mod(const json_t *mod, pfmlib_ita2_input_param_t *p)
{
	const json_t *counters = json_object_get(mod, "counters");

	for (size_t i = 0; i < json_array_size(counters) && i < 4; i++) {
		const json_t *c = json_array_get(counters, i);

		p->pfp_ita2_counters[i] = (pfmlib_ita2_counter_t){
			(unsigned)num(c, "flags"), (unsigned)num(c, "thres"),
			(pfmlib_ita2_ism_t)num(c, "ism")};
	}
	p->pfp_ita2_pmc8.opcm_used = json_object_get(mod, "pmc8") != NULL;
	p->pfp_ita2_pmc8.pmc_val = num(mod, "pmc8");
	p->pfp_ita2_pmc9.opcm_used = json_object_get(mod, "pmc9") != NULL;
	p->pfp_ita2_pmc9.pmc_val = num(mod, "pmc9");
	get_ear(mod, "iear", &p->pfp_ita2_iear);
	get_ear(mod, "dear", &p->pfp_ita2_dear);
	get_btb(mod, &p->pfp_ita2_btb);
	get_range(mod, "irange", &p->pfp_ita2_irange);
	get_range(mod, "drange", &p->pfp_ita2_drange);
}

static void dispatch(const json_t *v, struct call *c)
{
	const json_t *mod = json_object_get(v, "mod");

	memset(c, 0, sizeof(*c));
	/* The library must clear both. */
	memset(&c->out, 0xa5, sizeof(c->out));
	memset(&c->mod_out, 0xa5, sizeof(c->mod_out));
	get_events(json_object_get(v, "gen"), &c->in);
	c->has_mod = !json_is_null(mod);
	c->has_mod_out = json_is_true(json_object_get(v, "mod_out"));
	get_mod(mod, &c->mod);
	c->rc = pfm_dispatch_events(&c->in, c->has_mod ? &c->mod : NULL, &c->out,
				    c->has_mod_out ? &c->mod_out : NULL);
}

/* The following make JSON as in the vectors. */
static json_t *hex(uint64_t v)
{
	char text[20];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)v);
	return json_string(text);
}

static json_t *reg_list(const pfmlib_reg_t *reg, unsigned n, int values)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < n; i++) {
		json_t *num = json_integer(reg[i].reg_num);

		assert_int_equal(reg[i].reg_addr, reg[i].reg_num);
		assert_int_equal(reg[i].reg_alt_addr, reg[i].reg_num);
		if (!values)
			assert_int_equal(reg[i].reg_value, 0);
		json_array_append_new(
			list,
			values ? json_pack("[oo]", num, hex(reg[i].reg_value)) : num);
	}
	return list;
}

static unsigned ranges(const pfmlib_ita2_input_rr_t *in)
{
	unsigned n = 0;

	while (n < 4 && (in->rr_limits[n].rr_start || in->rr_limits[n].rr_end))
		n++;
	return n;
}

static json_t *range(const pfmlib_ita2_input_rr_t *in, const pfmlib_ita2_output_rr_t *out)
{
	json_t *infos = json_array();

	for (unsigned i = 0; i < ranges(in); i++)
		json_array_append_new(infos,
				      json_pack("[oo]", hex(out->rr_infos[i].rr_soff),
						hex(out->rr_infos[i].rr_eoff)));
	return json_pack("{soso}", "br", reg_list(out->rr_br, out->rr_nbr_used, 1),
			 "infos", infos);
}

static json_t *answer(struct call *c)
{
	json_t *o = json_pack("{si}", "rc", c->rc);

	if (c->rc)
		return o;
	json_object_set_new(o, "pmcs",
			    reg_list(c->out.pfp_pmcs, c->out.pfp_pmc_count, 1));
	json_object_set_new(o, "pmds",
			    reg_list(c->out.pfp_pmds, c->out.pfp_pmd_count, 0));
	if (!c->has_mod_out)
		return o;
	if (c->mod.pfp_ita2_drange.rr_used)
		json_object_set_new(
			o, "drange",
			range(&c->mod.pfp_ita2_drange, &c->mod_out.pfp_ita2_drange));
	if (c->mod.pfp_ita2_irange.rr_used)
		json_object_set_new(
			o, "irange",
			range(&c->mod.pfp_ita2_irange, &c->mod_out.pfp_ita2_irange));
	json_object_set_new(o, "irange_is_fine",
			    json_integer(pfm_ita2_irange_is_fine(&c->out, &c->mod_out)));
	return o;
}

/*
 * With two fine ranges, libpfm 3 stores the offsets of the second range in the element of
 * the first. Moves them to the second element and inserts those of the first, computed
 * from the registers.
 */
static void mend_infos(const struct call *c, json_t *expected)
{
	json_t *infos = json_object_get(json_object_get(expected, "irange"), "infos");
	const pfmlib_ita2_output_rr_t *out = &c->mod_out.pfp_ita2_irange;
	const pfmlib_ita2_input_rr_desc_t *d = c->mod.pfp_ita2_irange.rr_limits;

	if (!num(expected, "irange_is_fine") || json_array_size(infos) != 2)
		return;
	json_array_remove(infos, 1);
	json_array_insert_new(infos, 0,
			      json_pack("[oo]",
					hex(d->rr_start - out->rr_br[0].reg_value),
					hex(out->rr_br[2].reg_value + 16 - d->rr_end)));
}

/* Returns 1 if a pair covers an address. */
static int covered(const json_t *br, uint64_t addr)
{
	for (size_t i = 0; i + 1 < json_array_size(br); i += 2) {
		const char *at =
			json_string_value(json_array_get(json_array_get(br, i), 1));
		const char *mask =
			json_string_value(json_array_get(json_array_get(br, i + 1), 1));
		const uint64_t same = strtoull(mask, NULL, 0) | UINT64_C(0xff) << 56;

		if (((strtoull(at, NULL, 0) ^ addr) & same) == 0)
			return 1;
	}
	return 0;
}

/* Coverage can change only where a block begins or ends: checks these addresses. */
static int all_covered(const json_t *br, const pfmlib_ita2_input_rr_t *in)
{
	for (unsigned i = 0; i < ranges(in); i++) {
		const pfmlib_ita2_input_rr_desc_t *d = &in->rr_limits[i];

		if (!covered(br, d->rr_start) || !covered(br, d->rr_end - 1))
			return 0;
		for (size_t k = 0; k + 1 < json_array_size(br); k += 2) {
			const char *at = json_string_value(
				json_array_get(json_array_get(br, k), 1));
			const char *mask = json_string_value(
				json_array_get(json_array_get(br, k + 1), 1));
			const uint64_t size =
				~strtoull(mask, NULL, 0) & (UINT64_MAX >> 8);
			const uint64_t last = strtoull(at, NULL, 0) | size;

			if (last >= d->rr_start && last < d->rr_end - 1 &&
			    !covered(br, last + 1))
				return 0;
		}
	}
	return 1;
}

/*
 * Where the registers of libpfm 3 leave a part of a range out, ours must not, with as
 * many registers; then both are removed, so that the rest is compared. Returns 1 for such
 * a range, 0 for none, -1 if our registers are wrong.
 */
static int covers_more(const struct call *c, json_t *expected, json_t *got)
{
	static const char *const dir[] = {"irange", "drange"};
	int more = 0;

	for (unsigned k = 0; k < 2; k++) {
		const pfmlib_ita2_input_rr_t *in =
			k ? &c->mod.pfp_ita2_drange : &c->mod.pfp_ita2_irange;
		const json_t *ours = json_object_get(json_object_get(got, dir[k]), "br");
		const json_t *theirs =
			json_object_get(json_object_get(expected, dir[k]), "br");

		if (!ours || !theirs || (!k && num(got, "irange_is_fine")))
			continue;
		if (!all_covered(ours, in))
			return -1;
		if (all_covered(theirs, in))
			continue;
		if (json_array_size(ours) != json_array_size(theirs))
			return -1;
		more = 1;
		json_object_del(expected, dir[k]);
		json_object_del(got, dir[k]);
	}
	return more;
}

/* Returns 1 if our answer is the expected one. */
static int check(const json_t *v, struct call *c)
{
	const json_t *mask64 = json_object_get(v, "out_mask64");

	dispatch(v, c);
	json_t *expected = json_deep_copy(mask64 ? mask64 : json_object_get(v, "out"));
	json_t *got = answer(c);

	mend_infos(c, expected);
	const int more = covers_more(c, expected, got);
	const int flagged = json_is_true(json_object_get(v, "undercover"));
	const int ok = more >= flagged && json_equal(expected, got);

	if (!ok) {
		char *want = json_dumps(expected, JSON_SORT_KEYS);
		char *have = json_dumps(got, JSON_SORT_KEYS);

		print_error("%s%s\nwant %s\nhave %s\n",
			    json_string_value(json_object_get(v, "id")),
			    more == -1 ? ": not covered" : "", want, have);
		free(want);
		free(have);
	}
	json_decref(expected);
	json_decref(got);
	return ok;
}

static void check_file(const char *path, unsigned least)
{
	struct call *c = malloc(sizeof(*c));
	FILE *f = fopen(path, "re");
	unsigned n = 0, bad = 0;
	json_error_t err;
	json_t *v;

	assert_non_null(f);
	assert_non_null(c);
	while ((v = json_loadf(f, JSON_DISABLE_EOF_CHECK, &err))) {
		bad += !check(v, c);
		json_decref(v);
		n++;
	}
	assert_int_equal(json_error_code(&err), json_error_premature_end_of_input);
	fclose(f);
	free(c);
	print_message("%s: %u of %u differ\n", path, bad, n);
	assert_int_equal(bad, 0);
	assert_true(n >= least);
}

static void test_found(void **state)
{
	(void)state;
	assert_int_equal(pfm_initialize(), PFMLIB_SUCCESS);
	check_file("test/data/itanium2/vectors_dispatch_public.jsonl", 1000);
}

static void test_forced(void **state)
{
	(void)state;
	assert_int_equal(pfm_force_pmu(PFMLIB_ITANIUM2_PMU), PFMLIB_SUCCESS);
	check_file("test/data/itanium2/vectors_dispatch_forced.jsonl", 151);
}

static void test_named(void **state)
{
	assert_int_equal(strstr(*state, "forced") ? pfm_force_pmu(PFMLIB_ITANIUM2_PMU)
						  : pfm_initialize(),
			 PFMLIB_SUCCESS);
	check_file(*state, 1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_forced),
	};
	int failed = 0;

	if (argc < 2)
		return cmocka_run_group_tests(tests, NULL, NULL);
	for (int i = 1; i < argc; i++) {
		const struct CMUnitTest named[] = {
			cmocka_unit_test_prestate(test_named, argv[i])};

		failed |= cmocka_run_group_tests(named, NULL, NULL);
	}
	return failed;
}
