#include "suite/explain/itanium2_request.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_engine.h"
#include "spec/names.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* These write the arguments as text, without members that are 0. */
static void show_ranges(const pfmlib_ita2_input_rr_t *rr, const char *name, FILE *f)
{
	if (rr->rr_used || rr->rr_flags)
		fprintf(f, " %s(%u)", name, rr->rr_flags);
	for (unsigned k = 0; k < 4; k++) {
		const pfmlib_ita2_input_rr_desc_t *d = &rr->rr_limits[k];

		assert_int_equal(d->rr_plm, 0);
		if (d->rr_start || d->rr_end)
			fprintf(f, " %#lx-%#lx", d->rr_start, d->rr_end);
	}
}

static void show_ear(const pfmlib_ita2_ear_t *e, const char *name, FILE *f)
{
	if (e->ear_used)
		fprintf(f, " %s mode=%d umask=%#lx ism=%d plm=%u", name, e->ear_mode,
			e->ear_umask, e->ear_ism, e->ear_plm);
}

static void show_mod(const pfmlib_ita2_input_param_t *m, FILE *f)
{
	const pfmlib_ita2_btb_t *b = &m->pfp_ita2_btb;

	if (m->pfp_ita2_pmc8.opcm_used)
		fprintf(f, " pmc8=%#lx", m->pfp_ita2_pmc8.pmc_val);
	if (m->pfp_ita2_pmc9.opcm_used)
		fprintf(f, " pmc9=%#lx", m->pfp_ita2_pmc9.pmc_val);
	show_ear(&m->pfp_ita2_iear, "iear", f);
	show_ear(&m->pfp_ita2_dear, "dear", f);
	if (b->btb_used)
		fprintf(f, " btb ds=%u tm=%u ptm=%u ppm=%u brt=%u plm=%u", b->btb_ds,
			b->btb_tm, b->btb_ptm, b->btb_ppm, b->btb_brt, b->btb_plm);
	show_ranges(&m->pfp_ita2_drange, "drange", f);
	show_ranges(&m->pfp_ita2_irange, "irange", f);
}

/* Writes events by their names. */
static void show(const pfmlib_input_param_t *in, const pfmlib_ita2_input_param_t *mod,
		 FILE *f)
{
	const struct evtab *t = evtab_find("itanium2");

	for (unsigned i = 0; i < in->pfp_event_count; i++) {
		const pfmlib_event_t *e = &in->pfp_events[i];
		const pfmlib_ita2_counter_t *c = &mod->pfp_ita2_counters[i % 4];

		fprintf(f, "%s%s", i ? " + " : "", t->ev[e->event].name);
		if (e->plm)
			fprintf(f, " plm=%u", e->plm);
		assert_int_equal(e->num_masks, 0);
		if (i < 4 && (c->thres || c->ism || c->flags))
			fprintf(f, " thres=%u ism=%d flags=%u", c->thres, c->ism,
				c->flags);
	}
	fprintf(f, "; dfl=%u", in->pfp_dfl_plm);
	if (in->pfp_flags)
		fprintf(f, " flags=%u", in->pfp_flags);
	if (in->pfp_unavail_pmcs.bits[0])
		fprintf(f, " without=%#lx", in->pfp_unavail_pmcs.bits[0]);
	show_mod(mod, f);
}

static const struct {
	int line;
	const char *spec;
	int want;
	const char *text;
} cases[] = {
	{__LINE__, "pic4=CPU_CYCLES", 0, "CPU_CYCLES; dfl=8 without=0xe0"},
	{__LINE__, "pic5=CPU_CYCLES,sys", 0, "CPU_CYCLES; dfl=9 without=0xd0"},
	{__LINE__, "pic4=0x12,sys,nouser", 0, "CPU_CYCLES; dfl=1 without=0xe0"},
	{__LINE__, "", 0, "; dfl=8"},
	{__LINE__, "pic4=CPU_CYCLES,pic5=NOPS_RETIRED,sys4", 0,
	 "CPU_CYCLES + NOPS_RETIRED plm=8; dfl=9 without=0xc0"},
	{__LINE__, "pic4=CPU_CYCLES,pic5=NOPS_RETIRED,plm=6,sys", 0,
	 "CPU_CYCLES + NOPS_RETIRED; dfl=6 without=0xc0"},
	{__LINE__, "pic4=CPU_CYCLES,nouser,plm=0", -1,
	 "CPU_CYCLES: neither user nor system mode is to be counted"},
	/* attributes of an event */
	{__LINE__, "pic4=NOPS_RETIRED,thres=5,ism=2,pic6=CPU_CYCLES,noqual6", -1,
	 "CPU_CYCLES: thres must be below 1, the most it counts in a cycle"},
	{__LINE__, "pic4=NOPS_RETIRED,thres4=5,ism=2,pic6=CPU_CYCLES,noqual6", 1,
	 "NOPS_RETIRED thres=5 ism=2 flags=0 + CPU_CYCLES thres=0 ism=2 flags=1; dfl=8 "
	 "without=0xa0"},
	{__LINE__, "pic4=NOPS_RETIRED,thres=6", -1,
	 "NOPS_RETIRED: thres must be below 6, the most it counts in a cycle"},
	{__LINE__, "pic4=NOPS_RETIRED,thres=0,ism=0,noqual=0", 0,
	 "NOPS_RETIRED; dfl=8 without=0xe0"},
	{__LINE__, "pic4=NOPS_RETIRED,thres=8", -1,
	 "NOPS_RETIRED: thres must be at most 7"},
	{__LINE__, "pic4=NOPS_RETIRED,ism=3", -1, "NOPS_RETIRED: ism must be at most 2"},
	{__LINE__, "pic4=NOPS_RETIRED,thres=-1", -1,
	 "NOPS_RETIRED: thres must be at most 7"},
	/* matchers and ranges */
	{__LINE__, "pic4=IA64_INST_RETIRED,opcm8=0xffffffff3fffffff,opcm9=m:1:2", 1,
	 "IA64_INST_RETIRED; dfl=8 without=0xe0 pmc8=0xffffffff3fffffff "
	 "pmc9=0x8000000200000010"},
	{__LINE__,
	 "irange=0x1000-0x2000,pic4=IA64_INST_RETIRED,pic5=IA64_INST_RETIRED,"
	 "irange=16-32,drange=0x6000000000000000-0xffffffffffffffff,inv,fine=0",
	 1,
	 "IA64_INST_RETIRED + IA64_INST_RETIRED; dfl=8 without=0xc0 drange(0) "
	 "0x6000000000000000-0xffffffffffffffff irange(3) 0x1000-0x2000 0x10-0x20"},
	{__LINE__, "pic4=CPU_CYCLES,irange=0-16,irange=16-32,irange=32-48,irange=48-64",
	 1,
	 "CPU_CYCLES; dfl=8 without=0xe0 irange(0) 0-0x10 0x10-0x20 0x20-0x30 0x30-0x40"},
	{__LINE__, "pic4=CPU_CYCLES,irange=0-16,inv=0,fine", 1,
	 "CPU_CYCLES; dfl=8 without=0xe0 irange(0) 0-0x10"},
	{__LINE__, "pic4=CPU_CYCLES,inv", -1,
	 "inv applies to a range of code, but no irange is given"},
	{__LINE__, "pic4=CPU_CYCLES,fine,drange=1-2", -1,
	 "fine applies to a range of code, but no irange is given"},
	/* branch trace buffer */
	{__LINE__, "pic4=BRANCH_EVENT", 0, "BRANCH_EVENT; dfl=8 without=0xe0"},
	{__LINE__, "pic4=BRANCH_EVENT,btb_tm=2", 1,
	 "BRANCH_EVENT; dfl=8 without=0xe0 btb ds=0 tm=2 ptm=3 ppm=3 brt=0 plm=0"},
	{__LINE__,
	 "pic4=CPU_CYCLES,btb_tm=0,btb_ptm=1,btb_ppm=2,btb_brt=3,btb_ds,btb_plm=9", 1,
	 "CPU_CYCLES; dfl=8 without=0xe0 btb ds=1 tm=0 ptm=1 ppm=2 brt=3 plm=9"},
	{__LINE__, "pic4=CPU_CYCLES,pic5=BRANCH_EVENT,sys5", 1,
	 "CPU_CYCLES + BRANCH_EVENT plm=9; dfl=8 without=0xc0 btb ds=0 tm=3 ptm=3 ppm=3 "
	 "brt=0 plm=9"},
	{__LINE__, "pic4=BRANCH_EVENT,pic5=BRANCH_EVENT", -1,
	 "BRANCH_EVENT and BRANCH_EVENT both use the branch trace buffer, of which the "
	 "processor has only one"},
	/* event address registers */
	{__LINE__, "pic4=DATA_EAR_CACHE_LAT4", 0,
	 "DATA_EAR_CACHE_LAT4; dfl=8 without=0xe0"},
	{__LINE__, "pic4=DATA_EAR_TLB_ALL,ism=2", 1,
	 "DATA_EAR_TLB_ALL thres=0 ism=2 flags=0; dfl=8 without=0xe0 dear mode=1 "
	 "umask=0xe ism=2 plm=0"},
	{__LINE__, "pic4=CPU_CYCLES,pic5=L1I_EAR_CACHE_LAT8,sys5", 1,
	 "CPU_CYCLES + L1I_EAR_CACHE_LAT8 plm=9; dfl=8 without=0xc0 iear mode=0 "
	 "umask=0xfe ism=0 plm=9"},
	{__LINE__, "pic4=DATA_EAR_ALAT,dear_plm=1", 1,
	 "DATA_EAR_ALAT; dfl=8 without=0xe0 dear mode=2 umask=0 ism=0 plm=1"},
	{__LINE__, "pic4=DATA_EAR_ALAT,dear_mode=0,dear_umask=3,dear_ism=1", 1,
	 "DATA_EAR_ALAT; dfl=8 without=0xe0 dear mode=0 umask=0x3 ism=1 plm=0"},
	{__LINE__, "pic4=CPU_CYCLES,iear_mode,iear_umask=7,iear_ism=2,iear_plm=8", 1,
	 "CPU_CYCLES; dfl=8 without=0xe0 iear mode=1 umask=0x7 ism=2 plm=8"},
	{__LINE__, "pic4=CPU_CYCLES,iear_mode=2", -1,
	 "CPU_CYCLES: iear_mode must be at most 1"},
	{__LINE__, "pic4=DATA_EAR_ALAT,pic5=DATA_EAR_TLB_ALL", -1,
	 "DATA_EAR_ALAT and DATA_EAR_TLB_ALL both use the data EAR, of which the "
	 "processor has only one"},
	{__LINE__, "pic4=L1I_EAR_TLB_ALL,pic5=CPU_CYCLES,pic6=L1I_EAR_CACHE_RAB", -1,
	 "L1I_EAR_TLB_ALL and L1I_EAR_CACHE_RAB both use the instruction EAR, of which "
	 "the processor has only one"},
	{__LINE__, "pic4=L1I_EAR_TLB_ALL,pic5=DATA_EAR_TLB_ALL,pic6=DATA_EAR_EVENTS", 0,
	 "L1I_EAR_TLB_ALL + DATA_EAR_TLB_ALL + DATA_EAR_EVENTS; dfl=8 without=0x80"},
};

static pfmlib_input_param_t in;
static pfmlib_ita2_input_param_t mod;

/* Writes the arguments for these requests, or the error, into got. */
static int request_text(const struct spec_req *req, unsigned n, unsigned flags, char *got,
			size_t size)
{
	char err[256] = "";

	memset(&in, '#', sizeof in);
	memset(&mod, '#', sizeof mod);
	errno = 0;
	const int rc = itanium2_request(req, n, flags, &in, &mod, err, sizeof err);
	FILE *f = fmemopen(got, size, "w");

	assert_non_null(f);
	assert_int_equal(errno, rc == -1 ? EINVAL : 0);
	if (rc == -1)
		fputs(err, f);
	else
		show(&in, &mod, f);
	fclose(f);
	return rc;
}

static void test_specifications(void **state)
{
	cpc_t *cpc = fake_session("itanium2");
	const struct spec_names names = spec_names_of(cpc);

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct spec_error e;
		struct spec *s = spec_parse(cases[i].spec, &names, &e);
		char got[1024];

		if (!s)
			fail_msg("line %d: %u: %s", cases[i].line, e.column, e.text);
		const int rc = request_text(s->req, s->n, 0, got, sizeof got);
		if (rc != cases[i].want || strcmp(got, cases[i].text) != 0)
			fail_msg("line %d: %d, %s", cases[i].line, rc, got);
		spec_free(s);
	}
	cpc_close(cpc);
}

/* pfm_dispatch_events() assigns the counters that the parser has assigned. */
static void test_counters(void **state)
{
	static const char *const specs[] = {
		"CPU_CYCLES",
		"L1D_READ_MISSES_ALL,L2_REFERENCES",
		"LOADS_RETIRED,CPU_CYCLES",
		"pic7=CPU_CYCLES,pic4=NOPS_RETIRED",
		"pic6=L1D_READ_MISSES_ALL,L1D_READ_MISSES_RSE_FILL,L3_MISSES",
		"CPU_CYCLES,L2_IFET_CANCELS_BYPASS,NOPS_RETIRED,L2_OZQ_ACQUIRE",
		("NOPS_RETIRED,thres=3,LOADS_RETIRED,irange=0x1000-0x1020,opcm8=m:1:2,"
		 "drange=8-16,noqual"),
		"DATA_EAR_CACHE_LAT4,BRANCH_EVENT,btb_tm=2,sys",
		"CPU_CYCLES,NOPS_RETIRED,BUS_HITM,L2_FORCE_RECIRC_ANY",
	};
	static pfmlib_output_param_t out;
	static pfmlib_ita2_output_param_t mod_out;
	cpc_t *cpc = fake_session("itanium2");
	const struct spec_names names = spec_names_of(cpc);

	(void)state;
	assert_int_equal(pfm_initialize(), PFMLIB_SUCCESS);
	for (size_t i = 0; i < COUNT(specs); i++) {
		struct spec_error e;
		struct spec *s = spec_parse(specs[i], &names, &e);
		char got[1024];

		assert_non_null(s);
		const int rc = request_text(s->req, s->n, 0, got, sizeof got);
		const int err = pfm_dispatch_events(&in, rc ? &mod : NULL, &out,
						    rc ? &mod_out : NULL);
		if (rc < 0 || err)
			fail_msg("%s: %d, %s, %s", specs[i], rc, got, pfm_strerror(err));
		for (unsigned k = 0; k < s->n; k++)
			if (out.pfp_pmcs[k].reg_num != s->req[k].pic)
				fail_msg("%s: %s on %u, not %u", specs[i],
					 s->req[k].event, out.pfp_pmcs[k].reg_num,
					 s->req[k].pic);
		spec_free(s);
	}
	cpc_close(cpc);
}

/* Requests that no specification results in. */
static void test_requests(void **state)
{
	char event[] = "NOPS_RETIRED", other[] = "CPU_CYCLES", none[] = "NONE";
	char irange[] = "irange", tm[] = "btb_tm", nope[] = "emask", ism[] = "ism";
	cpc_attr_t one[] = {{irange, 16}, {irange, 32}, {tm, 1}};
	cpc_attr_t two[] = {{ism, 1}, {tm, 1}, {irange, 16}, {irange, 32}};
	struct spec_req r[2] = {
		{event, 6, 0xf0, CPC_COUNT_USER, 1, 3, one},
		{other, 4, 0xf0, CPC_COUNT_USER, 1, 4, two},
	};
	char got[1024];

	(void)state;
	/* requests without counters exclude none */
	assert_int_equal(request_text(r, 2, PFMLIB_PFP_SYSTEMWIDE, got, sizeof got), 1);
	assert_string_equal(
		got, "NOPS_RETIRED + CPU_CYCLES thres=0 ism=1 flags=0; dfl=8 flags=1 "
		     "btb ds=0 tm=1 ptm=3 ppm=3 brt=0 plm=0 irange(0) 0x10-0x20");
	two[1].ca_val = 2;
	assert_int_equal(request_text(r, 2, 0, got, sizeof got), -1);
	assert_string_equal(got, "btb_tm applies to the whole set: NOPS_RETIRED and "
				 "CPU_CYCLES must have the same value");
	two[1].ca_val = 1;
	two[3].ca_val = 33;
	assert_int_equal(request_text(r, 2, 0, got, sizeof got), -1);
	assert_string_equal(got, "irange applies to the whole set: NOPS_RETIRED and "
				 "CPU_CYCLES must have the same value");
	r[1].nattrs = 3;
	r[0].nattrs = 0;
	assert_int_equal(request_text(r, 2, 0, got, sizeof got), -1);
	assert_string_equal(got, "CPU_CYCLES: wrong number of values for irange");
	two[2].ca_name = ism;
	assert_int_equal(request_text(r, 2, 0, got, sizeof got), -1);
	assert_string_equal(got, "CPU_CYCLES: wrong number of values for ism");
	two[0].ca_val = 3;
	assert_int_equal(request_text(r, 2, 0, got, sizeof got), -1);
	assert_string_equal(got, "CPU_CYCLES: ism must be at most 2");
	two[0].ca_name = nope;
	assert_int_equal(request_text(r, 2, 0, got, sizeof got), -1);
	assert_string_equal(got, "CPU_CYCLES: the Itanium 2 has no attribute 'emask'");
	r[1].event = none;
	r[1].nattrs = 0;
	assert_int_equal(request_text(r, 2, 0, got, sizeof got), -1);
	assert_string_equal(got, "the Itanium 2 has no event 'NONE'");
}

static void test_many_events(void **state)
{
	char event[] = "CPU_CYCLES", got[30000];
	struct spec_req r[PFMLIB_MAX_PMCS];

	(void)state;
	for (unsigned i = 0; i < COUNT(r); i++)
		r[i] = (struct spec_req){event, 4, 0xf0, CPC_COUNT_USER, 1, 0, NULL};
	assert_int_equal(request_text(r, COUNT(r) - 1, 0, got, sizeof got), 0);
	assert_int_equal(in.pfp_event_count, 511);
	assert_int_equal(request_text(r, COUNT(r), 0, got, sizeof got), -1);
	assert_string_equal(got, "512 events are too many");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_specifications),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_many_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
