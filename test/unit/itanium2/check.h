/*
 * Checks an answer of pfm_dispatch_events() to any arguments: rules of the processor and
 * promises of the library, worked out without the library's code.
 */
#ifndef ITANIUM2_CHECK_H
#define ITANIUM2_CHECK_H

#include <perfmon/pfmlib_itanium2.h>

#include <stdint.h>
#include <string.h>

struct ita2_call {
	pfmlib_input_param_t in;
	pfmlib_ita2_input_param_t mod;
	pfmlib_output_param_t out;
	pfmlib_ita2_output_param_t mod_out;
	int has_mod, has_mod_out, rc;
};

static void ita2_call(struct ita2_call *c, int fill)
{
	memset(&c->out, fill, sizeof(c->out));
	memset(&c->mod_out, fill, sizeof(c->mod_out));
	c->rc = pfm_dispatch_events(&c->in, c->has_mod ? &c->mod : NULL, &c->out,
				    c->has_mod_out ? &c->mod_out : NULL);
}

static const pfmlib_reg_t *check_pmc(const struct ita2_call *c, unsigned n)
{
	for (unsigned i = 0; i < c->out.pfp_pmc_count; i++)
		if (c->out.pfp_pmcs[i].reg_num == n)
			return &c->out.pfp_pmcs[i];
	return NULL;
}

/* Each register occurs once, in the order of the header, and none that is excluded. */
static const char *check_order(const struct ita2_call *c)
{
	static const unsigned order[] = {10, 11, 14, 13, 8, 9, 15, 12};
	const unsigned n = c->in.pfp_event_count;
	unsigned at = 0;

	if (c->out.pfp_pmc_count > PMU_ITA2_NUM_PMCS || c->out.pfp_pmc_count < n)
		return "number of PMCs";
	for (unsigned i = 0; i < c->out.pfp_pmc_count; i++) {
		const pfmlib_reg_t *r = &c->out.pfp_pmcs[i];

		if (r->reg_addr != r->reg_num || r->reg_alt_addr != r->reg_num)
			return "address of a PMC";
		if (pfm_regmask_isset(&c->in.pfp_unavail_pmcs, r->reg_num))
			return "excluded PMC";
		if (i < n) {
			if (r->reg_num < 4 || r->reg_num > 7 ||
			    check_pmc(c, r->reg_num) != r)
				return "counters";
			continue;
		}
		while (at < 8 && order[at] != r->reg_num)
			at++;
		if (at++ == 8)
			return "order of PMCs";
	}
	return NULL;
}

static const char *check_pmds(const struct ita2_call *c)
{
	static const struct {
		unsigned pmc, n, pmd[9];
	} of[] = {
		{10, 2, {0, 1}},
		{11, 3, {2, 3, 17}},
		{12, 9, {8, 9, 10, 11, 12, 13, 14, 15, 16}},
	};
	unsigned want[PMU_ITA2_NUM_PMDS], n = 0;
	int btb = c->has_mod && c->mod.pfp_ita2_btb.btb_used;

	for (; n < c->in.pfp_event_count; n++) {
		want[n] = c->out.pfp_pmcs[n].reg_num;
		btb |= pfm_ita2_is_btb(c->in.pfp_events[n].event);
	}
	for (unsigned k = 0; k < 3; k++) {
		const pfmlib_reg_t *r = check_pmc(c, of[k].pmc);

		/* PMC12 can be present to turn the trace buffer off. */
		if (!r || (of[k].pmc == 12 && !btb))
			continue;
		memcpy(&want[n], of[k].pmd, of[k].n * sizeof(*want));
		n += of[k].n;
	}
	if (c->out.pfp_pmd_count != n)
		return "number of PMDs";
	for (unsigned i = 0; i < n; i++)
		if (c->out.pfp_pmds[i].reg_num != want[i] || c->out.pfp_pmds[i].reg_value)
			return "PMDs";
	return NULL;
}

/* Bits in no field have the manual's values: 0 in PMC4-7 and PMC10-12. */
static const char *check_reserved(const struct ita2_call *c)
{
	static const struct {
		uint64_t fields, others;
	} pmc[PMU_ITA2_NUM_PMCS] = {
		[4] = {0x37fff6f, 0},
		[5] = {0x37fff6f, 0},
		[6] = {0x37fff6f, 0},
		[7] = {0x37fff6f, 0},
		[8] = {~UINT64_C(4), 4},
		[9] = {~UINT64_C(4), 4},
		[10] = {0xffff, 0},
		[11] = {0x30f01cf, 0},
		[12] = {0xffcf, 0},
		[13] = {0x1e00018181818, 0x2078fefefefe & ~UINT64_C(0x1e00018181818)},
		[14] = {0x2492, 0xdb6 & ~UINT64_C(0x2492)},
		[15] = {0xf, 0xfffffff0},
	};

	for (unsigned i = 0; i < c->out.pfp_pmc_count; i++) {
		const pfmlib_reg_t *r = &c->out.pfp_pmcs[i];

		if ((r->reg_value & ~pmc[r->reg_num].fields) != pmc[r->reg_num].others)
			return "reserved bits";
	}
	return NULL;
}

/* Returns 1 if the events can be on these counters by the rules of the groups. */
static int check_fits(const struct ita2_call *c, const unsigned *pic)
{
	int group[4], set[4], leader[3] = {-1, -1, -1}, some[3] = {0};
	unsigned long umask[4];

	for (unsigned i = 0; i < c->in.pfp_event_count; i++) {
		const unsigned e = c->in.pfp_events[i].event;
		pfmlib_regmask_t can;

		pfm_get_event_counters(e, &can);
		if (!pfm_regmask_isset(&can, pic[i]) ||
		    pfm_regmask_isset(&c->in.pfp_unavail_pmcs, pic[i]))
			return 0;
		pfm_ita2_get_event_group(e, &group[i]);
		pfm_ita2_get_event_set(e, &set[i]);
		pfm_ita2_get_event_umask(e, &umask[i]);
		some[group[i]] = 1;
		if (pic[i] == (group[i] == 1 ? 5U : 4U))
			leader[group[i]] = (int)i;
	}
	if ((some[1] && leader[1] == -1) || (some[2] && leader[2] == -1))
		return 0;
	for (unsigned i = 0; some[2] && i < c->in.pfp_event_count; i++)
		if (group[i] == 2 && set[leader[2]] != 1 && set[leader[2]] != 2 &&
		    umask[i] && umask[i] != umask[leader[2]])
			return 0;
	return 1;
}

/* Finds the first valid assignment in lexicographic order. */
static int check_search(const struct ita2_call *c, unsigned i, unsigned *pic)
{
	if (i == c->in.pfp_event_count)
		return check_fits(c, pic);
	for (pic[i] = 4; pic[i] < 8; pic[i]++) {
		unsigned k = 0;

		while (pic[k] != pic[i])
			k++;
		if (k == i && check_search(c, i + 1, pic))
			return 1;
	}
	return 0;
}

static const char *check_counters(const struct ita2_call *c)
{
	unsigned pic[5] = {0};

	if (!check_search(c, 0, pic))
		return "there is no assignment";
	for (unsigned i = 0; i < c->in.pfp_event_count; i++) {
		if (c->out.pfp_pmcs[i].reg_num != pic[i])
			return "another assignment is first";
		for (unsigned k = 0; k < i; k++) {
			int gi, gk, si, sk;

			pfm_ita2_get_event_group(c->in.pfp_events[i].event, &gi);
			pfm_ita2_get_event_group(c->in.pfp_events[k].event, &gk);
			pfm_ita2_get_event_set(c->in.pfp_events[i].event, &si);
			pfm_ita2_get_event_set(c->in.pfp_events[k].event, &sk);
			if (gi && gi == gk && si != sk)
				return "two sets of a group";
		}
	}
	return NULL;
}

/* Returns 1 if a pair matches an address. Masks do not cover bits 56-63. */
static int check_hit(const pfmlib_reg_t *pair, uint64_t addr)
{
	return ((pair[0].reg_value ^ addr) &
		(pair[1].reg_value | UINT64_C(0xff) << 56)) == 0;
}

static int check_any(const pfmlib_ita2_output_rr_t *out, uint64_t addr)
{
	for (unsigned i = 0; i < out->rr_nbr_used; i += 2)
		if (check_hit(&out->rr_br[i], addr))
			return 1;
	return 0;
}

/* Checks the addresses after each block, and some others. */
static int check_covered(const pfmlib_ita2_output_rr_t *out, uint64_t start, uint64_t end)
{
	for (unsigned i = 0; i < out->rr_nbr_used; i += 2) {
		const uint64_t size = ~out->rr_br[i + 1].reg_value & (UINT64_MAX >> 8);
		const uint64_t last = out->rr_br[i].reg_value | size;

		if (last >= start && last < end - 1 && !check_any(out, last + 1))
			return 0;
	}
	for (unsigned k = 0; k < 64; k++)
		if (!check_any(out, start + (end - 1 - start) / 63 * k))
			return 0;
	return check_any(out, start) && check_any(out, end - 1);
}

static const char *check_pairs(const pfmlib_ita2_output_rr_t *out)
{
	unsigned seen = 0;

	if (out->rr_nbr_used > 8 || out->rr_nbr_used % 2 || !out->rr_nbr_used)
		return "number of debug registers";
	for (unsigned i = 0; i < out->rr_nbr_used; i += 2) {
		const pfmlib_reg_t *r = &out->rr_br[i];
		const uint64_t size = ~r[1].reg_value & (UINT64_MAX >> 8);

		if (r->reg_num > 6 || r->reg_num % 2 || r[1].reg_num != r->reg_num + 1)
			return "pair of debug registers";
		if (seen >> r->reg_num & 1)
			return "pair is used twice";
		if (r[1].reg_value >> 60 || size & (size + 1))
			return "mask";
		seen |= 1U << r->reg_num;
	}
	return NULL;
}

static const char *check_fine(const pfmlib_ita2_output_rr_t *out, unsigned i,
			      const pfmlib_ita2_input_rr_desc_t *d)
{
	const uint64_t low = out->rr_br[4 * i].reg_value;
	const uint64_t high = out->rr_br[4 * i + 2].reg_value;

	if (out->rr_br[4 * i + 2].reg_num != out->rr_br[4 * i].reg_num + 4)
		return "fine pairs";
	if (low > d->rr_start || high + 16 < d->rr_end || low >> 12 != high >> 12)
		return "fine range is not covered";
	if (out->rr_infos[i].rr_soff != d->rr_start - low ||
	    out->rr_infos[i].rr_eoff != high + 16 - d->rr_end)
		return "offsets of a fine range";
	if ((out->rr_br[4 * i + 1].reg_value & (UINT64_MAX >> 8)) != 0x00fffffffffff000)
		return "mask of a fine range";
	return NULL;
}

static const char *check_range(const pfmlib_ita2_input_rr_t *in,
			       const pfmlib_ita2_output_rr_t *out, int fine)
{
	const char *bad = check_pairs(out);

	for (unsigned i = 0; i < 4 && !bad; i++) {
		const pfmlib_ita2_input_rr_desc_t *d = &in->rr_limits[i];

		if (!d->rr_start && !d->rr_end)
			return NULL;
		if (fine)
			bad = check_fine(out, i, d);
		else if (!check_covered(out, d->rr_start, d->rr_end))
			bad = "range is not covered";
	}
	return bad;
}

static const char *check_ranges(const struct ita2_call *c)
{
	const pfmlib_ita2_input_rr_t *code = &c->mod.pfp_ita2_irange;
	const pfmlib_ita2_input_rr_t *data = &c->mod.pfp_ita2_drange;
	const pfmlib_ita2_output_rr_t *out = &c->mod_out.pfp_ita2_irange;
	const int fine =
		pfm_ita2_irange_is_fine((pfmlib_output_param_t *)&c->out,
					(pfmlib_ita2_output_param_t *)&c->mod_out);
	const pfmlib_reg_t *pmc14 = check_pmc(c, 14);
	const char *bad = NULL;
	unsigned free_pairs = 0xf;

	if (!c->has_mod)
		return NULL;
	if (!pmc14 != !code->rr_used ||
	    !check_pmc(c, 13) != !(code->rr_used || data->rr_used))
		return "PMC13 and PMC14";
	if (code->rr_used)
		bad = check_range(code, out, fine);
	if (!bad && data->rr_used)
		bad = check_range(data, &c->mod_out.pfp_ita2_drange, 0);
	if (bad || !code->rr_used)
		return bad;
	for (unsigned i = 0; i < out->rr_nbr_used; i += 2)
		free_pairs &= ~(1U << out->rr_br[i].reg_num / 2);
	for (unsigned k = 0; k < 4; k++)
		if ((pmc14->reg_value >> (1 + 3 * k) & 1) != (free_pairs >> k & 1))
			return "pairs of PMC14";
	return fine == (int)(pmc14->reg_value >> 13 & 1) ? NULL : "fine mode";
}

/* Returns NULL, or what is wrong. *again is room for a second call. */
static const char *ita2_check(struct ita2_call *c, struct ita2_call *again)
{
	static const char *(*const rules[])(const struct ita2_call *c) = {
		check_order, check_pmds, check_reserved, check_counters, check_ranges};

	memcpy(again, c, sizeof(*c));
	ita2_call(c, 0xa5);
	ita2_call(again, 0x5a);
	if (memcmp(&c->in, &again->in, sizeof(c->in)) != 0 ||
	    memcmp(&c->mod, &again->mod, sizeof(c->mod)) != 0)
		return "input is changed";
	if (c->rc != again->rc || c->rc > 0 || c->rc < PFMLIB_ERR_NOMEM)
		return "result";
	if (c->rc != PFMLIB_SUCCESS)
		return NULL;
	if (memcmp(&c->out, &again->out, sizeof(c->out)) != 0)
		return "output depends on old contents";
	if (c->has_mod_out &&
	    memcmp(&c->mod_out, &again->mod_out, sizeof(c->mod_out)) != 0)
		return "ranges depend on old contents";
	for (unsigned i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		const char *bad = rules[i](c);

		if (bad)
			return bad;
	}
	return NULL;
}

#endif
