/* The calls of libpfm 3 about the library and the PMU. */
#include <perfmon/pfmlib_itanium2.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "itanium2/events.h"
#include "itanium2/library.h"

/*
 * The PMU that was chosen. The API has no handle to store it in. It is a single atomic
 * word, so that threads always see a valid choice.
 */
static _Atomic enum ita2_pmu chosen;

enum ita2_pmu ita2_pmu(void)
{
	return atomic_load_explicit(&chosen, memory_order_relaxed);
}

int pfm_force_pmu(int type)
{
	if (type != PFMLIB_ITANIUM2_PMU)
		return PFMLIB_ERR_NOTSUPP;
	atomic_store(&chosen, ITA2_FORCED);
	return PFMLIB_SUCCESS;
}

int pfm_initialize(void)
{
	const char *forced = getenv("LIBPFM_FORCE_PMU");

	if (forced)
		return pfm_force_pmu(atoi(forced));
	atomic_store(&chosen, ITA2_FOUND);
	return PFMLIB_SUCCESS;
}

int pfm_set_options(pfmlib_options_t *opt)
{
	return opt ? PFMLIB_SUCCESS : PFMLIB_ERR_INVAL;
}

int pfm_get_version(unsigned int *version)
{
	if (!version)
		return PFMLIB_ERR_INVAL;
	*version = PFMLIB_VERSION;
	return PFMLIB_SUCCESS;
}

const char *pfm_strerror(int code)
{
	static const char *const text[] = {
		[-PFMLIB_SUCCESS] = "success",
		[-PFMLIB_ERR_NOTSUPP] = "not supported",
		[-PFMLIB_ERR_INVAL] = "invalid parameters",
		[-PFMLIB_ERR_NOINIT] = "pfmlib not initialized",
		[-PFMLIB_ERR_NOTFOUND] = "event not found",
		[-PFMLIB_ERR_NOASSIGN] = "cannot assign events to counters",
		[-PFMLIB_ERR_FULL] = "buffer is full or too small",
		[-PFMLIB_ERR_EVTMANY] = "event used more than once",
		[-PFMLIB_ERR_MAGIC] = "invalid model specific magic number",
		[-PFMLIB_ERR_FEATCOMB] = "invalid combination of model specific features",
		[-PFMLIB_ERR_EVTSET] = "incompatible event sets",
		[-PFMLIB_ERR_EVTINCOMP] = "incompatible events combination",
		[-PFMLIB_ERR_TOOMANY] = "too many events or unit masks",
		[-PFMLIB_ERR_IRRTOOBIG] = "code range too big",
		[-PFMLIB_ERR_IRREMPTY] = "empty code range",
		[-PFMLIB_ERR_IRRINVAL] = "invalid code range",
		[-PFMLIB_ERR_IRRTOOMANY] = "too many code ranges",
		[-PFMLIB_ERR_DRRINVAL] = "invalid data range",
		[-PFMLIB_ERR_DRRTOOMANY] = "too many data ranges",
		[-PFMLIB_ERR_BADHOST] = "not supported by host cpu",
		[-PFMLIB_ERR_IRRALIGN] = "code range is not bundle-aligned",
		[-PFMLIB_ERR_IRRFLAGS] = "code range requires some flags in rr_flags",
		[-PFMLIB_ERR_UMASK] = "invalid or missing unit mask",
		[-PFMLIB_ERR_NOMEM] = "out of memory",
	};

	if (code > 0 || code < PFMLIB_ERR_NOMEM)
		return "unknown error code";
	return text[-code];
}

int pfm_list_supported_pmus(int (*pf)(const char *fmt, ...))
{
	if (!pf)
		return PFMLIB_ERR_INVAL;
	pf("%s\n", ita2_tab->name);
	return PFMLIB_SUCCESS;
}

int pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen)
{
	if (type != PFMLIB_ITANIUM2_PMU || !name || maxlen == 0)
		return PFMLIB_ERR_INVAL;
	const size_t len = strnlen(ita2_tab->name, maxlen - 1);

	memcpy(name, ita2_tab->name, len);
	name[len] = '\0';
	return PFMLIB_SUCCESS;
}

int pfm_is_pmu_supported(int type)
{
	if (ita2_pmu() == ITA2_NONE)
		return PFMLIB_ERR_NOINIT;
	return type == PFMLIB_ITANIUM2_PMU ? PFMLIB_SUCCESS : PFMLIB_ERR_NOTSUPP;
}

int pfm_get_pmu_name(char *name, int maxlen)
{
	if (ita2_pmu() == ITA2_NONE)
		return PFMLIB_ERR_NOINIT;
	return pfm_get_pmu_name_bytype(PFMLIB_ITANIUM2_PMU, name,
				       maxlen < 1 ? 0 : (size_t)maxlen);
}

/* Stores a number in *to. Returns a PFMLIB_* code. */
static int store_number(unsigned n, unsigned *to)
{
	if (ita2_pmu() == ITA2_NONE)
		return PFMLIB_ERR_NOINIT;
	if (!to)
		return PFMLIB_ERR_INVAL;
	*to = n;
	return PFMLIB_SUCCESS;
}

int pfm_get_pmu_type(int *type)
{
	if (ita2_pmu() == ITA2_NONE)
		return PFMLIB_ERR_NOINIT;
	if (!type)
		return PFMLIB_ERR_INVAL;
	*type = PFMLIB_ITANIUM2_PMU;
	return PFMLIB_SUCCESS;
}

int pfm_get_num_events(unsigned int *count)
{
	return store_number(ita2_tab->n, count);
}

int pfm_get_num_counters(unsigned int *num)
{
	return store_number(PMU_ITA2_NUM_COUNTERS, num);
}

int pfm_get_num_pmcs(unsigned int *num)
{
	return store_number(PMU_ITA2_NUM_PMCS, num);
}

int pfm_get_num_pmds(unsigned int *num)
{
	return store_number(PMU_ITA2_NUM_PMDS, num);
}

int pfm_get_hw_counter_width(unsigned int *width)
{
	return store_number(PMU_ITA2_COUNTER_WIDTH, width);
}

/*
 * Stores the set of n registers that starts with register first. Returns a PFMLIB_* code.
 */
static int store_registers(unsigned first, unsigned n, pfmlib_regmask_t *mask)
{
	if (ita2_pmu() == ITA2_NONE)
		return PFMLIB_ERR_NOINIT;
	if (!mask)
		return PFMLIB_ERR_INVAL;
	*mask = (pfmlib_regmask_t){0};
	for (unsigned i = first; i < first + n; i++)
		pfm_regmask_set(mask, i);
	return PFMLIB_SUCCESS;
}

int pfm_get_impl_pmcs(pfmlib_regmask_t *mask)
{
	return store_registers(0, PMU_ITA2_NUM_PMCS, mask);
}

int pfm_get_impl_pmds(pfmlib_regmask_t *mask)
{
	return store_registers(0, PMU_ITA2_NUM_PMDS, mask);
}

int pfm_get_impl_counters(pfmlib_regmask_t *mask)
{
	return store_registers(PMU_ITA2_FIRST_COUNTER, PMU_ITA2_NUM_COUNTERS, mask);
}
