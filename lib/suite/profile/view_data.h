/* Views of data cache misses: source, variable, address, cache line, page. */
#ifndef SUITE_PROFILE_VIEW_DATA_H
#define SUITE_PROFILE_VIEW_DATA_H

#include "suite/profile/view.h"

extern const struct view view_source, view_data, view_address, view_cacheline,
	view_sharing, view_page;

#endif
