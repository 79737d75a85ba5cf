/* Views by what only records have: thread, core, branches, values, markers. */
#ifndef SUITE_PROFILE_VIEW_RECORD_H
#define SUITE_PROFILE_VIEW_RECORD_H

#include "suite/profile/view.h"

extern const struct view view_thread, view_core, view_branch, view_value, view_marker;

#endif
