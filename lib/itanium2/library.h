/*
 * Which PMU pfm_initialize() or pfm_force_pmu() chose: the one thing that calls of libpfm
 * 3 know without being told.
 */
#ifndef ITANIUM2_LIBRARY_H
#define ITANIUM2_LIBRARY_H

enum ita2_pmu {
	ITA2_NONE,
	ITA2_FOUND, /* as libpfm 3 has it where it found the processor */
	ITA2_FORCED /* where it was told */
};

enum ita2_pmu ita2_pmu(void);

#endif
