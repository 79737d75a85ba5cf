#include "itanium2/ranges.h"

#include "itanium2/cover.h"
#include "itanium2/registers.h"

enum {
	BUNDLE = 16,	/* bytes: the unit of code */
	PAGE_BITS = 12, /* a fine-mode range lies in one page of 2^12 bytes */
	MAX_RANGES = 4
};

/* The values that restrict nothing; the processor's manual requires the reserved bits. */
#define PMC13_NONE UINT64_C(0x2078fefefefe)
#define PMC14_NONE UINT64_C(0xdb6)

/* The ranges of code or of data, and the debug registers for them. */
struct ranges {
	const struct ita2_dispatch *d;
	const pfmlib_ita2_input_rr_t *in;
	pfmlib_ita2_output_rr_t *out;
	unsigned n;	/* ranges */
	unsigned pairs; /* bit n: pair n is used */
};

/*
 * Returns the number of ranges, or a PFMLIB_ERR_*: none if there is no range. All
 * addresses must be multiples of multiple.
 */
static int count_ranges(const pfmlib_ita2_input_rr_t *in, unsigned multiple, int none)
{
	int n;

	for (n = 0; n < MAX_RANGES; n++) {
		const pfmlib_ita2_input_rr_desc_t *limit = &in->rr_limits[n];

		if (!limit->rr_start && !limit->rr_end)
			break;
		if (limit->rr_start >= limit->rr_end)
			return PFMLIB_ERR_IRRINVAL;
		if ((limit->rr_start | limit->rr_end) % multiple)
			return PFMLIB_ERR_IRRALIGN;
	}
	return n ? n : none;
}

/* Sets a pair to an address and to the mask of a block of 2^log2 bytes. */
static void add_pair(struct ranges *r, unsigned pair, uint64_t addr, unsigned log2,
		     unsigned plm)
{
	const struct bits_field *f = ita2_debug_mask_layout.field;
	uint64_t mask = 0;

	mask = bits_field_put(&f[ITA2_DEBUG_MASK], mask, ~((UINT64_C(1) << log2) - 1));
	mask = bits_field_put(&f[ITA2_DEBUG_PLM], mask, ita2_dispatch_plm(r->d, plm));
	r->out->rr_br[r->out->rr_nbr_used++] = ita2_dispatch_reg(2 * pair, addr);
	r->out->rr_br[r->out->rr_nbr_used++] = ita2_dispatch_reg(2 * pair + 1, mask);
	r->pairs |= 1U << pair;
}

/* Stores how far a block extends beyond the ends of the range that it contains. */
static void store_offsets(const struct ita2_block *b,
			  const pfmlib_ita2_input_rr_desc_t *limit,
			  pfmlib_ita2_output_rr_desc_t *off)
{
	const uint64_t end = b->addr + (UINT64_C(1) << b->log2);

	if (b->addr <= limit->rr_start)
		off->rr_soff = limit->rr_start - b->addr;
	/* For a block at the end of the address space, end is 0. */
	if (end - 1 >= limit->rr_end - 1)
		off->rr_eoff = end - limit->rr_end;
}

/* Covers all ranges with pairs. Returns too_many if the four pairs are not enough. */
static int cover_all(struct ranges *r, int too_many)
{
	unsigned pair = 0;

	for (unsigned i = 0; i < r->n; i++) {
		const pfmlib_ita2_input_rr_desc_t *limit = &r->in->rr_limits[i];
		struct ita2_block block[ITA2_PAIRS];
		const unsigned n = ita2_cover(limit->rr_start, limit->rr_end,
					      ITA2_PAIRS - pair, block);

		if (n == 0)
			return too_many;
		for (unsigned k = 0; k < n; k++) {
			add_pair(r, pair++, block[k].addr, block[k].log2, limit->rr_plm);
			store_offsets(&block[k], limit, &r->out->rr_infos[i]);
		}
	}
	return PFMLIB_SUCCESS;
}

/*
 * Fine mode uses two pairs for a range: pair n holds its first bundle, pair n + 2 its
 * last. An erratum of the processor requires that the number of the first bundle is even
 * and the number of the last bundle is odd.
 */
static void cover_fine(struct ranges *r, unsigned first)
{
	const uint64_t unit = r->d->exact_fine ? BUNDLE : 2 * BUNDLE;

	for (unsigned i = 0; i < r->n; i++) {
		const pfmlib_ita2_input_rr_desc_t *limit = &r->in->rr_limits[i];
		const uint64_t low = limit->rr_start & ~(unit - 1);
		const uint64_t end = (limit->rr_end + unit - 1) & ~(unit - 1);

		add_pair(r, first + i, low, PAGE_BITS, limit->rr_plm);
		add_pair(r, first + i + 2, end - BUNDLE, PAGE_BITS, limit->rr_plm);
		r->out->rr_infos[i] = (pfmlib_ita2_output_rr_desc_t){
			limit->rr_start - low, end - limit->rr_end};
	}
}

/* Events other than retired instructions are restricted by one pair only. */
static int cover_one(struct ranges *r, unsigned pair)
{
	const pfmlib_ita2_input_rr_desc_t *limit = r->in->rr_limits;
	struct ita2_block block;

	if (ita2_enclose(limit->rr_start, limit->rr_end, &block) == -1)
		return PFMLIB_ERR_IRRTOOBIG;
	add_pair(r, pair, block.addr, block.log2, limit->rr_plm);
	store_offsets(&block, limit, r->out->rr_infos);
	return PFMLIB_SUCCESS;
}

/* Returns 1 if every range, with its end, lies in one page, as fine mode requires. */
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

static int retired_only(const struct ita2_dispatch *d)
{
	return ita2_dispatch_count(d, ITA2_HAS_RETIRED) == d->n;
}

/*
 * Assigns the pairs of debug registers. Pair 1 restricts instruction prefetches, pair 0
 * all other events that have one pair.
 */
static int assign_pairs(struct ranges *r, int fine)
{
	const unsigned prefetch = ita2_dispatch_count(r->d, ITA2_HAS_PREFETCH);
	const unsigned retired = ita2_dispatch_count(r->d, ITA2_HAS_RETIRED);
	const int all_retired = retired_only(r->d);

	if (r->n > (fine ? 2 : all_retired ? MAX_RANGES : 1))
		return PFMLIB_ERR_IRRTOOMANY;
	if (fine) {
		if (prefetch && r->n > 1)
			return PFMLIB_ERR_IRRTOOMANY;
		cover_fine(r, prefetch != 0);
		return PFMLIB_SUCCESS;
	}
	if (all_retired)
		return cover_all(r, PFMLIB_ERR_IRRTOOMANY);
	if (prefetch && prefetch + retired != r->d->n)
		return PFMLIB_ERR_FEATCOMB;
	return cover_one(r, prefetch != 0);
}

/*
 * Checks the rules that hold if only retired instructions are counted: pairs 0 and 2 work
 * with matcher PMC8, pairs 1 and 3 with PMC9; without fine mode each pair needs the event
 * whose unit mask is the number of the pair.
 */
static int check_retired(const struct ranges *r, int fine)
{
	const pfmlib_ita2_input_param_t *mod = r->d->mod;
	unsigned umasks = 0;

	if (!retired_only(r->d))
		return PFMLIB_SUCCESS;
	if ((mod->pfp_ita2_pmc9.opcm_used && r->pairs & 0x5) ||
	    (mod->pfp_ita2_pmc8.opcm_used && r->pairs & 0xa))
		return PFMLIB_ERR_FEATCOMB;
	for (unsigned i = 0; i < r->d->n; i++)
		umasks |= 1U << r->d->ev[i].umask;
	return !fine && r->pairs & ~umasks ? PFMLIB_ERR_IRRINVAL : PFMLIB_SUCCESS;
}

int ita2_irange(struct ita2_dispatch *d)
{
	const pfmlib_ita2_input_rr_t *in = &d->mod->pfp_ita2_irange;

	if (!in->rr_used)
		return PFMLIB_SUCCESS;
	if (!d->mod_out)
		return PFMLIB_ERR_INVAL;
	const int n = count_ranges(in, BUNDLE, PFMLIB_ERR_IRRINVAL);

	if (n < 0)
		return n;
	struct ranges r = {d, in, &d->mod_out->pfp_ita2_irange, (unsigned)n, 0};
	const int fine = is_fine(&r);
	const struct bits_field *f = ita2_pmc14_layout.field;
	uint64_t reg = PMC14_NONE;
	int ret = assign_pairs(&r, fine);

	if (ret == PFMLIB_SUCCESS)
		ret = check_retired(&r, fine);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	for (unsigned pair = 0; pair < ITA2_PAIRS; pair++)
		if (r.pairs >> pair & 1)
			reg = bits_field_put(&f[ITA2_IBRP0 + pair], reg, 0);
	return ita2_dispatch_pmc(d, 14,
				 bits_field_put(&f[ITA2_FINE], reg, (uint64_t)fine));
}

int ita2_drange(struct ita2_dispatch *d)
{
	const pfmlib_ita2_input_rr_t *in = &d->mod->pfp_ita2_drange;

	if (!in->rr_used)
		return PFMLIB_SUCCESS;
	if (!d->mod_out)
		return PFMLIB_ERR_INVAL;
	const int n = count_ranges(in, 1, PFMLIB_ERR_DRRINVAL);

	if (n < 0)
		return n;
	struct ranges r = {d, in, &d->mod_out->pfp_ita2_drange, (unsigned)n, 0};

	return cover_all(&r, PFMLIB_ERR_DRRTOOMANY);
}

/* The restrictions of the events of a pair, as bits. */
enum { BY_DATA = 1, BY_OPCODE = 2, BY_CODE = 4 };

/*
 * For each pair in pairs (bit n: pair n) that out uses: adds to by[] the bit what, and
 * BY_OPCODE if the opcode matcher of the pair is used.
 */
static void restrict_pairs(const struct ita2_dispatch *d,
			   const pfmlib_ita2_output_rr_t *out, unsigned what,
			   unsigned pairs, unsigned by[ITA2_PAIRS])
{
	const pfmlib_ita2_input_param_t *mod = d->mod;

	for (unsigned i = 0; i < out->rr_nbr_used; i += 2) {
		const unsigned pair = out->rr_br[i].reg_num / 2;
		const int opcode = pair % 2 ? mod->pfp_ita2_pmc9.opcm_used
					    : mod->pfp_ita2_pmc8.opcm_used;

		if (pairs >> pair & 1)
			by[pair] |= what | (opcode ? BY_OPCODE : 0U);
	}
}

int ita2_ranges(struct ita2_dispatch *d)
{
	/*
	 * cfg_dbrp by the bits BY_*; an opcode matcher without a range restricts nothing.
	 */
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

	if (!d->mod->pfp_ita2_irange.rr_used && !d->mod->pfp_ita2_drange.rr_used)
		return PFMLIB_SUCCESS;
	/*
	 * In fine mode pairs 2 and 3 only hold the ends of the ranges of pairs 0 and 1.
	 */
	const unsigned code_pairs =
		pfm_ita2_irange_is_fine(d->out, d->mod_out) ? 0x3 : 0xf;

	restrict_pairs(d, &d->mod_out->pfp_ita2_drange, BY_DATA, 0xf, by);
	restrict_pairs(d, &d->mod_out->pfp_ita2_irange, BY_CODE, code_pairs, by);
	for (unsigned pair = 0; pair < ITA2_PAIRS; pair++) {
		reg = bits_field_put(&f[ITA2_CFG_DBRP0 + pair], reg, cfg[by[pair]]);
		reg = bits_field_put(&f[ITA2_ENA_DBRP0 + pair], reg, by[pair] != 0);
	}
	return ita2_dispatch_pmc(d, 13, reg);
}
