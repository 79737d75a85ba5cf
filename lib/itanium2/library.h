/*
 * The PMU that pfm_initialize() or pfm_force_pmu() chose: the only state that the calls
 * of libpfm 3 keep.
 */
#ifndef ITANIUM2_LIBRARY_H
#define ITANIUM2_LIBRARY_H

enum ita2_pmu {
	ITA2_NONE,  /* neither was called */
	ITA2_FOUND, /* by pfm_initialize(): as if libpfm 3 had found the processor */
	ITA2_FORCED /* by pfm_force_pmu() */
};

enum ita2_pmu ita2_pmu(void);

#endif
