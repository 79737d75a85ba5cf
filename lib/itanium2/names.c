/* The calls of libpfm 3 that find events and describe them. */
#include <perfmon/pfmlib_itanium2.h>

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "itanium2/events.h"
#include "itanium2/library.h"

/* Checks the event and the result pointer of a call. Returns a PFMLIB_* code. */
static int check_event(unsigned idx, const void *result)
{
	if (ita2_pmu() == ITA2_NONE)
		return PFMLIB_ERR_NOINIT;
	return result && idx < ita2_tab->n ? PFMLIB_SUCCESS : PFMLIB_ERR_INVAL;
}

int pfm_find_event_bycode_next(int code, unsigned int idx, unsigned int *next)
{
	const int ret = check_event(idx, next);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	for (unsigned i = idx + 1; i < ita2_tab->n; i++)
		if ((int)ita2_tab->ev[i].num == code) {
			*next = i;
			return PFMLIB_SUCCESS;
		}
	return PFMLIB_ERR_NOTFOUND;
}

int pfm_find_event_bycode(int code, unsigned int *idx)
{
	const int ret = check_event(0, idx);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	if ((int)ita2_tab->ev[0].num != code)
		return pfm_find_event_bycode_next(code, 0, idx);
	*idx = 0;
	return PFMLIB_SUCCESS;
}

int pfm_find_event_byname(const char *name, unsigned int *idx)
{
	const int ret = check_event(0, name ? idx : NULL);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	const size_t len = strcspn(name, ":");

	for (unsigned i = 0; i < ita2_tab->n; i++)
		if (strncasecmp(ita2_tab->ev[i].name, name, len) == 0 &&
		    ita2_tab->ev[i].name[len] == '\0') {
			*idx = i;
			return PFMLIB_SUCCESS;
		}
	return PFMLIB_ERR_NOTFOUND;
}

int pfm_find_event(const char *str, unsigned int *idx)
{
	char *end;
	const int ret = check_event(0, str ? idx : NULL);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	if (!isdigit((unsigned char)*str))
		return pfm_find_event_byname(str, idx);
	/* A number that is too large becomes ULONG_MAX; errno must not change. */
	const int err = errno;
	const unsigned long code = strtoul(str, &end, 0);

	errno = err;
	if (*end || code > INT_MAX)
		return PFMLIB_ERR_INVAL;
	return pfm_find_event_bycode((int)code, idx);
}

/* Fills *e with the event of a name, all else 0. Returns a PFMLIB_* code. */
static int fill_event(const char *name, pfmlib_event_t *e)
{
	unsigned idx;
	const int ret = check_event(0, e);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	*e = (pfmlib_event_t){0};
	const int found = pfm_find_event_byname(name, &idx);

	if (found == PFMLIB_SUCCESS)
		e->event = idx;
	return found;
}

int pfm_find_full_event(const char *str, pfmlib_event_t *e)
{
	const int ret = fill_event(str, e);

	return ret == PFMLIB_SUCCESS && strchr(str, ':') ? PFMLIB_ERR_UMASK : ret;
}

int pfm_get_cycle_event(pfmlib_event_t *e)
{
	return fill_event("CPU_CYCLES", e);
}

int pfm_get_inst_retired_event(pfmlib_event_t *e)
{
	return fill_event("IA64_INST_RETIRED", e);
}

int pfm_get_max_event_name_len(size_t *len)
{
	const int ret = check_event(0, len);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	*len = 0;
	for (unsigned i = 0; i < ita2_tab->n; i++)
		if (*len < strlen(ita2_tab->ev[i].name))
			*len = strlen(ita2_tab->ev[i].name);
	return PFMLIB_SUCCESS;
}

int pfm_get_event_name(unsigned int idx, char *name, size_t maxlen)
{
	const int ret = check_event(idx, name);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	/* Names in the table are in upper case. */
	const size_t len = strlen(ita2_tab->ev[idx].name);

	if (maxlen <= len)
		return PFMLIB_ERR_INVAL;
	memcpy(name, ita2_tab->ev[idx].name, len + 1);
	return PFMLIB_SUCCESS;
}

int pfm_get_full_event_name(pfmlib_event_t *e, char *name, size_t maxlen)
{
	const int ret = check_event(e ? e->event : UINT_MAX, name);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	if (e->num_masks)
		return PFMLIB_ERR_UMASK;
	return pfm_get_event_name(e->event, name, maxlen) == PFMLIB_SUCCESS
		       ? PFMLIB_SUCCESS
		       : PFMLIB_ERR_FULL;
}

int pfm_get_event_code(unsigned int idx, int *code)
{
	const int ret = check_event(idx, code);

	if (ret == PFMLIB_SUCCESS)
		*code = (int)ita2_tab->ev[idx].num;
	return ret;
}

int pfm_get_event_code_counter(unsigned int idx, unsigned int cnt, int *code)
{
	const int ret = check_event(idx, code);

	if (ret == PFMLIB_SUCCESS && cnt != UINT_MAX &&
	    (cnt < PMU_ITA2_FIRST_COUNTER ||
	     cnt >= PMU_ITA2_FIRST_COUNTER + PMU_ITA2_NUM_COUNTERS))
		return PFMLIB_ERR_INVAL;
	return ret == PFMLIB_SUCCESS ? pfm_get_event_code(idx, code) : ret;
}

int pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t *counters)
{
	const int ret = check_event(idx, counters);

	if (ret == PFMLIB_SUCCESS)
		*counters = (pfmlib_regmask_t){{ita2_tab->ev[idx].pics}};
	return ret;
}

int pfm_get_event_description(unsigned int idx, char **desc)
{
	const int ret = check_event(idx, desc);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	*desc = strdup(ita2_tab->ev[idx].title ? ita2_tab->ev[idx].title : "");
	return *desc ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

int pfm_get_num_event_masks(unsigned int idx, unsigned int *count)
{
	const int ret = check_event(idx, count);

	if (ret == PFMLIB_SUCCESS)
		*count = 0;
	return ret;
}

int pfm_find_event_mask(unsigned int idx, const char *str, unsigned int *mask_idx)
{
	const int ret = check_event(idx, str ? mask_idx : NULL);

	return ret == PFMLIB_SUCCESS ? PFMLIB_ERR_UMASK : ret;
}

int pfm_get_event_mask_name(unsigned int idx, unsigned int mask_idx, char *name,
			    size_t maxlen)
{
	const int ret = check_event(idx, name);

	(void)mask_idx;
	(void)maxlen;
	return ret == PFMLIB_SUCCESS ? PFMLIB_ERR_NOTSUPP : ret;
}

int pfm_get_event_mask_code(unsigned int idx, unsigned int mask_idx, unsigned int *code)
{
	const int ret = check_event(idx, code);

	(void)mask_idx;
	return ret == PFMLIB_SUCCESS ? PFMLIB_ERR_NOTSUPP : ret;
}

int pfm_get_event_mask_description(unsigned int idx, unsigned int mask_idx, char **desc)
{
	const int ret = check_event(idx, desc);

	(void)mask_idx;
	return ret == PFMLIB_SUCCESS ? PFMLIB_ERR_NOTSUPP : ret;
}
