/*
 * Call pfm_dispatch_events() with arguments made of any bytes; its answer must satisfy
 * test/unit/itanium2/check.h. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "itanium2/check.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Copies n bytes from the front, and zeros after the last byte. */
static void take(const uint8_t **data, size_t *size, void *to, size_t n)
{
	const size_t have = n < *size ? n : *size;

	memset(to, 0, n);
	memcpy(to, *data, have);
	*data += have;
	*size -= have;
}

/* Takes a number of n bytes, at most 8. */
static uint64_t number(const uint8_t **data, size_t *size, size_t n)
{
	uint64_t v = 0;

	take(data, size, &v, n);
	return v;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ita2_call c, again;
	const uint64_t what = number(&data, &size, 2);

	memset(&c, 0, sizeof(c));
	/* Makes mostly realistic arguments: few events, which exist. */
	c.in.pfp_event_count = what & 8 ? (unsigned)number(&data, &size, 4) : what & 7;
	c.in.pfp_dfl_plm = (unsigned)number(&data, &size, 1);
	c.in.pfp_flags = what >> 4 & 1;
	c.in.pfp_unavail_pmcs.bits[0] = what & 32 ? number(&data, &size, 8) : 0;
	for (unsigned i = 0; i < 4; i++) {
		c.in.pfp_events[i].event = (unsigned)number(&data, &size, 2);
		if (!(what & 64))
			c.in.pfp_events[i].event %= 497;
		c.in.pfp_events[i].plm = (unsigned)number(&data, &size, 1);
		c.in.pfp_events[i].num_masks = what & 128 && i == 3;
	}
	c.has_mod = what >> 8 & 1;
	c.has_mod_out = what >> 9 & 1;
	if (c.has_mod)
		take(&data, &size, &c.mod, sizeof(c.mod));
	if (what & 1024)
		pfm_force_pmu(PFMLIB_ITANIUM2_PMU);
	else
		pfm_initialize();
	const char *bad = ita2_check(&c, &again);

	if (bad) {
		fprintf(stderr, "invariant: %s\n", bad);
		abort();
	}
	return 0;
}
