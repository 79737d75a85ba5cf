/* What is missing among joined runs: last records, ranks, values. */
#ifndef SUITE_BY_CHECK_H
#define SUITE_BY_CHECK_H

#include "suite/by/by.h"

/*
 * Hand over a sentence about each fact by which the table says less than it seems to: a
 * line without its end. Returns how many facts of these make a result incomplete, or -1
 * with ENOMEM.
 */
int by_check(struct by *b, void (*say)(void *arg, const char *text), void *arg);

#endif
