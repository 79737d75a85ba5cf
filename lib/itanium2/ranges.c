#include "itanium2/ranges.h"

#include "itanium2/cover.h"
#include "itanium2/registers.h"

/* Code is in bundles; a page is what fine mode is good for. */
enum { BUNDLE = 16, PAGE_BITS = 12, MAX_RANGES = 4 };

/* Values without a restriction, as the processor's manual wants them. */
#define PMC13_NONE UINT64_C(0x2078fefefefe)
#define PMC14_NONE UINT64_C(0xdb6)

/* The ranges of one direction, and what is known to go into its debug registers. */
struct ranges {
	const struct ita2_dispatch *job;
	const pfmlib_ita2_input_rr_t *in;
	pfmlib_ita2_output_rr_t *out;
	unsigned n;
	unsigned pairs; /* bit n: pair n is used */
};

/* How many there are; or a PFMLIB_ERR_*, where none is of addresses of this multiple. */
static int count(const pfmlib_ita2_input_rr_t *in, unsigned multiple, int none)
{
	int n;

	for (n = 0; n < MAX_RANGES; n++) {
		const pfmlib_ita2_input_rr_desc_t *d = &in->rr_limits[n];

		if (!d->rr_start && !d->rr_end)
			break;
		if (d->rr_start >= d->rr_end)
			return PFMLIB_ERR_IRRINVAL;
		if ((d->rr_start | d->rr_end) % multiple)
			return PFMLIB_ERR_IRRALIGN;
	}
	return n ? n : none;
}

/* Pair n gets an address and the block of 2^log2 bytes around it. */
static void add_pair(struct ranges *r, unsigned pair, uint64_t addr, unsigned log2,
		     unsigned plm)
{
	const struct bits_field *f = ita2_debug_mask_layout.field;
	uint64_t mask = 0;

	mask = bits_field_put(&f[ITA2_DEBUG_MASK], mask, ~((UINT64_C(1) << log2) - 1));
	mask = bits_field_put(&f[ITA2_DEBUG_PLM], mask, ita2_dispatch_plm(r->job, plm));
	r->out->rr_br[r->out->rr_nbr_used++] = ita2_dispatch_reg(2 * pair, addr);
	r->out->rr_br[r->out->rr_nbr_used++] = ita2_dispatch_reg(2 * pair + 1, mask);
	r->pairs |= 1U << pair;
}

/* How much a block is off the ends of a range that are in it. */
static void offsets(const struct ita2_block *b, const pfmlib_ita2_input_rr_desc_t *d,
		    pfmlib_ita2_output_rr_desc_t *off)
{
	const uint64_t end = b->addr + (UINT64_C(1) << b->log2);

	if (b->addr <= d->rr_start)
		off->rr_soff = d->rr_start - b->addr;
	/* A block at the very end of the address space ends at 0. */
	if (end - 1 >= d->rr_end - 1)
		off->rr_eoff = end - d->rr_end;
}

/* Blocks for all, the first ranges first; too_many if there are not enough pairs. */
static int cover(struct ranges *r, int too_many)
{
	unsigned pair = 0;

	for (unsigned i = 0; i < r->n; i++) {
		const pfmlib_ita2_input_rr_desc_t *d = &r->in->rr_limits[i];
		struct ita2_block block[ITA2_PAIRS];
		const unsigned n =
			ita2_cover(d->rr_start, d->rr_end, ITA2_PAIRS - pair, block);

		if (n == 0)
			return too_many;
		for (unsigned k = 0; k < n; k++) {
			add_pair(r, pair++, block[k].addr, block[k].log2, d->rr_plm);
			offsets(&block[k], d, &r->out->rr_infos[i]);
		}
	}
	return PFMLIB_SUCCESS;
}

/*
 * Fine mode takes two pairs for a range, n and n + 2: its first bundle and its last. For
 * an erratum of the processor the first must be even and the last odd, as bundles count.
 */
static void cover_fine(struct ranges *r, unsigned first)
{
	const uint64_t pair_of_bundles = r->job->exact_fine ? BUNDLE : 2 * BUNDLE;

	for (unsigned i = 0; i < r->n; i++) {
		const pfmlib_ita2_input_rr_desc_t *d = &r->in->rr_limits[i];
		const uint64_t low = d->rr_start & ~(pair_of_bundles - 1);
		const uint64_t end =
			(d->rr_end + pair_of_bundles - 1) & ~(pair_of_bundles - 1);

		add_pair(r, first + i, low, PAGE_BITS, d->rr_plm);
		add_pair(r, first + i + 2, end - BUNDLE, PAGE_BITS, d->rr_plm);
		r->out->rr_infos[i] = (pfmlib_ita2_output_rr_desc_t){d->rr_start - low,
								     end - d->rr_end};
	}
}

/* The one pair that works for events other than retired instructions. */
static int cover_one(struct ranges *r, unsigned pair)
{
	const pfmlib_ita2_input_rr_desc_t *d = r->in->rr_limits;
	struct ita2_block block;

	if (ita2_enclose(d->rr_start, d->rr_end, &block) == -1)
		return PFMLIB_ERR_IRRTOOBIG;
	add_pair(r, pair, block.addr, block.log2, d->rr_plm);
	offsets(&block, d, r->out->rr_infos);
	return PFMLIB_SUCCESS;
}

/* Does every range fit fine mode: is it in one page, with its end? */
static int is_fine(const struct ranges *r)
{
	if (r->in->rr_flags & PFMLIB_ITA2_RR_NO_FINE_MODE)
		return 0;
	for (unsigned i = 0; i < r->n; i++)
		if ((r->in->rr_limits[i].rr_start ^ r->in->rr_limits[i].rr_end) >>
		    PAGE_BITS)
			return 0;
	return 1;
}

static int retired_only(const struct ita2_dispatch *job)
{
	return ita2_dispatch_count(job, ITA2_HAS_RETIRED) == job->n;
}

/* Instruction prefetches are restricted by pair 1, everything else by pair 0. */
static int place(struct ranges *r, int fine)
{
	const unsigned prefetch = ita2_dispatch_count(r->job, ITA2_HAS_PREFETCH);
	const unsigned retired = ita2_dispatch_count(r->job, ITA2_HAS_RETIRED);
	const int only = retired_only(r->job);

	if (r->n > (fine ? 2 : only ? MAX_RANGES : 1))
		return PFMLIB_ERR_IRRTOOMANY;
	if (fine) {
		if (prefetch && r->n > 1)
			return PFMLIB_ERR_IRRTOOMANY;
		cover_fine(r, prefetch != 0);
		return PFMLIB_SUCCESS;
	}
	if (only)
		return cover(r, PFMLIB_ERR_IRRTOOMANY);
	if (prefetch && prefetch + retired != r->job->n)
		return PFMLIB_ERR_FEATCOMB;
	return cover_one(r, prefetch != 0);
}

/*
 * Where retired instructions are all that is counted: pairs 0 and 2 work with the matcher
 * PMC8, 1 and 3 with PMC9, and each pair that is not fine has an event of its own, which
 * has its number as unit mask.
 */
static int check_retired(const struct ranges *r, int fine)
{
	const pfmlib_ita2_input_param_t *mod = r->job->mod;
	unsigned umasks = 0;

	if (!retired_only(r->job))
		return PFMLIB_SUCCESS;
	if ((mod->pfp_ita2_pmc9.opcm_used && r->pairs & 0x5) ||
	    (mod->pfp_ita2_pmc8.opcm_used && r->pairs & 0xa))
		return PFMLIB_ERR_FEATCOMB;
	for (unsigned i = 0; i < r->job->n; i++)
		umasks |= 1U << r->job->ev[i].umask;
	return !fine && r->pairs & ~umasks ? PFMLIB_ERR_IRRINVAL : PFMLIB_SUCCESS;
}

int ita2_irange(struct ita2_dispatch *job)
{
	const pfmlib_ita2_input_rr_t *in = &job->mod->pfp_ita2_irange;

	if (!in->rr_used)
		return PFMLIB_SUCCESS;
	if (!job->mod_out)
		return PFMLIB_ERR_INVAL;
	const int n = count(in, BUNDLE, PFMLIB_ERR_IRRINVAL);

	if (n < 0)
		return n;
	struct ranges r = {job, in, &job->mod_out->pfp_ita2_irange, (unsigned)n, 0};
	const int fine = is_fine(&r);
	const struct bits_field *f = ita2_pmc14_layout.field;
	uint64_t reg = PMC14_NONE;
	int ret = place(&r, fine);

	if (ret == PFMLIB_SUCCESS)
		ret = check_retired(&r, fine);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	for (unsigned pair = 0; pair < ITA2_PAIRS; pair++)
		if (r.pairs >> pair & 1)
			reg = bits_field_put(&f[ITA2_IBRP0 + pair], reg, 0);
	return ita2_dispatch_pmc(job, 14,
				 bits_field_put(&f[ITA2_FINE], reg, (uint64_t)fine));
}

int ita2_drange(struct ita2_dispatch *job)
{
	const pfmlib_ita2_input_rr_t *in = &job->mod->pfp_ita2_drange;

	if (!in->rr_used)
		return PFMLIB_SUCCESS;
	if (!job->mod_out)
		return PFMLIB_ERR_INVAL;
	const int n = count(in, 1, PFMLIB_ERR_DRRINVAL);

	if (n < 0)
		return n;
	struct ranges r = {job, in, &job->mod_out->pfp_ita2_drange, (unsigned)n, 0};

	return cover(&r, PFMLIB_ERR_DRRTOOMANY);
}

/* What restricts each pair's part of PMC13. */
enum { BY_DATA = 1, BY_OPCODE = 2, BY_CODE = 4 };

/* For each pair of these that a direction uses: this, and the matcher that is with it. */
static void restrict_pairs(const struct ita2_dispatch *job,
			   const pfmlib_ita2_output_rr_t *out, unsigned what,
			   unsigned pairs, unsigned by[ITA2_PAIRS])
{
	const pfmlib_ita2_input_param_t *mod = job->mod;

	for (unsigned i = 0; i < out->rr_nbr_used; i += 2) {
		const unsigned pair = out->rr_br[i].reg_num / 2;
		const int opcode = pair % 2 ? mod->pfp_ita2_pmc9.opcm_used
					    : mod->pfp_ita2_pmc8.opcm_used;

		if (pairs >> pair & 1)
			by[pair] |= what | (opcode ? BY_OPCODE : 0U);
	}
}

int ita2_ranges(struct ita2_dispatch *job)
{
	/* cfg_dbrp of what restricts a pair; the opcode matchers alone never do. */
	static const unsigned char cfg[] = {
		[0] = 3,
		[BY_DATA] = 2,
		[BY_OPCODE] = 3,
		[BY_DATA | BY_OPCODE] = 0,
		[BY_CODE] = 1,
		[BY_CODE | BY_DATA] = 0,
		[BY_CODE | BY_OPCODE] = 1,
		[BY_CODE | BY_DATA | BY_OPCODE] = 0,
	};
	const struct bits_field *f = ita2_pmc13_layout.field;
	unsigned by[ITA2_PAIRS] = {0};
	uint64_t reg = PMC13_NONE;

	if (!job->mod->pfp_ita2_irange.rr_used && !job->mod->pfp_ita2_drange.rr_used)
		return PFMLIB_SUCCESS;
	/* In fine mode pairs 2 and 3 hold the ends of ranges that 0 and 1 stand for. */
	const unsigned code = pfm_ita2_irange_is_fine(job->out, job->mod_out) ? 0x3 : 0xf;

	restrict_pairs(job, &job->mod_out->pfp_ita2_drange, BY_DATA, 0xf, by);
	restrict_pairs(job, &job->mod_out->pfp_ita2_irange, BY_CODE, code, by);
	for (unsigned pair = 0; pair < ITA2_PAIRS; pair++) {
		reg = bits_field_put(&f[ITA2_CFG_DBRP0 + pair], reg, cfg[by[pair]]);
		reg = bits_field_put(&f[ITA2_ENA_DBRP0 + pair], reg, by[pair] != 0);
	}
	return ita2_dispatch_pmc(job, 13, reg);
}
