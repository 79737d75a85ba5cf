/* Views by code: function, module, source file, source line, address. */
#ifndef SUITE_PROFILE_VIEW_CODE_H
#define SUITE_PROFILE_VIEW_CODE_H

#include "suite/profile/view.h"

extern const struct view view_symbol, view_function, view_module, view_file, view_line,
	view_ip;

#endif
