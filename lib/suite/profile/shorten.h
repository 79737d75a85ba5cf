/* Names of C++ functions that are too wide for a table. */
#ifndef SUITE_PROFILE_SHORTEN_H
#define SUITE_PROFILE_SHORTEN_H

#include <stddef.h>

/*
 * Make a clean text (text_clean()) at most max characters wide, in place; max is at least
 * 8. What stands in brackets becomes "...", the innermost brackets first, and only as
 * far as it must; if that is not enough, the middle of the name becomes "...".
 */
void shorten(char *s, size_t max);

#endif
