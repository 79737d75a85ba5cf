/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/virtual/features.h"

/*
 * The capabilities of each level. VEX shows the program a processor without SSE3 (v1),
 * one with SSE4.2 (v2), or one with AVX2 and what belongs to it (v3). RDRAND and RDSEED
 * are in none: their results differ from run to run.
 */
enum {
	V1 = 0,
	V2 = VEX_HWCAPS_AMD64_SSE3 | VEX_HWCAPS_AMD64_SSSE3 | VEX_HWCAPS_AMD64_CX16,
	V3 = V2 | VEX_HWCAPS_AMD64_LZCNT | VEX_HWCAPS_AMD64_AVX | VEX_HWCAPS_AMD64_BMI |
	     VEX_HWCAPS_AMD64_AVX2 | VEX_HWCAPS_AMD64_F16C
};

static const UInt needs[] = {[1] = V1, [2] = V2, [3] = V3};

/*
 * What VEX shows the program at a level, and the host need not have: the processors of v2
 * and v3 have RDTSCP, which sim/virtual/clock.h answers.
 */
static const UInt adds[] = {[2] = VEX_HWCAPS_AMD64_RDTSCP, [3] = VEX_HWCAPS_AMD64_RDTSCP};

static int level;

int features_set(const HChar *name)
{
	if (name[0] != 'v' || name[1] < '1' || name[1] > '3' || name[2])
		return -1;
	level = name[1] - '0';
	return 0;
}

int features_level(void)
{
	return level;
}

int features_limit(VexArchInfo *info)
{
	if (!level)
		return 0;
	if ((info->hwcaps & needs[level]) != needs[level])
		return -1;
	info->hwcaps = (info->hwcaps & needs[level]) | adds[level];
	return 0;
}
