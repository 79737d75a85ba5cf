/* The calls of libpfm_itanium2(3) that describe an event. */
#include <perfmon/pfmlib_itanium2.h>

#include "itanium2/events.h"
#include "itanium2/registers.h"

/*
 * Returns 1 if the event has one of the bits what (ITA2_HAS_*) and the EAR mode (-1:
 * any).
 */
static int has(unsigned idx, unsigned what, int mode)
{
	struct ita2_event e;

	return ita2_event_at(idx, &e) == 0 && (e.has & what) &&
	       (mode == -1 || e.ear_mode == mode);
}

int pfm_ita2_is_ear(unsigned int i)
{
	return has(i, ITA2_HAS_IEAR | ITA2_HAS_DEAR, -1);
}

int pfm_ita2_is_dear(unsigned int i)
{
	return has(i, ITA2_HAS_DEAR, -1);
}

int pfm_ita2_is_dear_tlb(unsigned int i)
{
	return has(i, ITA2_HAS_DEAR, PFMLIB_ITA2_EAR_TLB_MODE);
}

int pfm_ita2_is_dear_cache(unsigned int i)
{
	return has(i, ITA2_HAS_DEAR, PFMLIB_ITA2_EAR_CACHE_MODE);
}

int pfm_ita2_is_dear_alat(unsigned int i)
{
	return has(i, ITA2_HAS_DEAR, PFMLIB_ITA2_EAR_ALAT_MODE);
}

int pfm_ita2_is_iear(unsigned int i)
{
	return has(i, ITA2_HAS_IEAR, -1);
}

int pfm_ita2_is_iear_tlb(unsigned int i)
{
	return has(i, ITA2_HAS_IEAR, PFMLIB_ITA2_EAR_TLB_MODE);
}

int pfm_ita2_is_iear_cache(unsigned int i)
{
	return has(i, ITA2_HAS_IEAR, PFMLIB_ITA2_EAR_CACHE_MODE);
}

int pfm_ita2_is_btb(unsigned int i)
{
	return has(i, ITA2_HAS_BTB, -1);
}

int pfm_ita2_support_opcm(unsigned int i)
{
	return has(i, ITA2_HAS_OPCM, -1);
}

int pfm_ita2_support_iarr(unsigned int i)
{
	return has(i, ITA2_HAS_IARR, -1);
}

int pfm_ita2_support_darr(unsigned int i)
{
	return has(i, ITA2_HAS_DARR, -1);
}

int pfm_ita2_get_event_maxincr(unsigned int i, unsigned int *maxincr)
{
	struct ita2_event e;

	if (!maxincr || ita2_event_at(i, &e) == -1)
		return PFMLIB_ERR_INVAL;
	*maxincr = e.maxincr;
	return PFMLIB_SUCCESS;
}

int pfm_ita2_get_event_umask(unsigned int i, unsigned long *umask)
{
	struct ita2_event e;

	if (!umask || ita2_event_at(i, &e) == -1)
		return PFMLIB_ERR_INVAL;
	*umask = e.umask;
	return PFMLIB_SUCCESS;
}

int pfm_ita2_get_event_group(unsigned int i, int *grp)
{
	struct ita2_event e;

	if (!grp || ita2_event_at(i, &e) == -1)
		return PFMLIB_ERR_INVAL;
	*grp = e.group;
	return PFMLIB_SUCCESS;
}

int pfm_ita2_get_event_set(unsigned int i, int *set)
{
	struct ita2_event e;

	if (!set || ita2_event_at(i, &e) == -1)
		return PFMLIB_ERR_INVAL;
	*set = e.set;
	return PFMLIB_SUCCESS;
}

int pfm_ita2_get_ear_mode(unsigned int i, pfmlib_ita2_ear_mode_t *mode)
{
	struct ita2_event e;

	if (!mode || ita2_event_at(i, &e) == -1 ||
	    !(e.has & (ITA2_HAS_IEAR | ITA2_HAS_DEAR)))
		return PFMLIB_ERR_INVAL;
	*mode = (pfmlib_ita2_ear_mode_t)e.ear_mode;
	return PFMLIB_SUCCESS;
}

int pfm_ita2_irange_is_fine(pfmlib_output_param_t *outp,
			    pfmlib_ita2_output_param_t *mod_out)
{
	if (!outp || !mod_out || outp->pfp_pmc_count >= PFMLIB_MAX_PMCS ||
	    mod_out->pfp_ita2_irange.rr_nbr_used == 0)
		return 0;
	for (unsigned i = 0; i < outp->pfp_pmc_count; i++)
		if (outp->pfp_pmcs[i].reg_num == 14)
			return (int)bits_field_get(&ita2_pmc14_layout.field[ITA2_FINE],
						   outp->pfp_pmcs[i].reg_value);
	return 0;
}
