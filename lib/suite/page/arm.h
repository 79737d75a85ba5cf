/* How a page calls the commands that are compared: letters, and classes of its style. */
#ifndef SUITE_PAGE_ARM_H
#define SUITE_PAGE_ARM_H

/*
 * Returns the letter of command k of n: the last, the candidate, is B; a single reference
 * is A, and more are A1, A2, ...
 */
const char *arm_letter(unsigned k, unsigned n);

/* Returns the class of the marks of command k. */
const char *arm_class(unsigned k);

#endif
