/*
 * hit(), a function that test programs call a known number of times, and the report of
 * how often each thread called it.
 */
#ifndef PROG_HIT_H
#define PROG_HIT_H

/*
 * The function whose executions are counted. hits() calls it, or, if $HIT_AT is the
 * address of a page, a function at the start of this page: events of CPUs count the calls
 * of every program that has code at the address, so a test of CPUs chooses an address of
 * its own.
 */
void hit(void);

/*
 * Prints the address of hit(), which is the same in every process if the program is
 * static and not position-independent.
 */
void hit_print_address(void);

/* Calls hit() n times. */
void hits(unsigned n);

/*
 * Appends "pid tid n" of the calling thread to the file that $ORACLE names; does nothing
 * if $ORACLE is not set.
 */
void hit_report(unsigned n);

/* Calls hits(), then hit_report(). */
void hit_and_report(unsigned n);

/* The same, with the word "early" after the number. */
void hit_and_report_early(unsigned n);

#endif
