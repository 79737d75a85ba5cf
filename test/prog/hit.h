/*
 * hit: a function that is called a known number of times, and the record of how often by
 * whom.
 */
#ifndef PROG_HIT_H
#define PROG_HIT_H

/* The function whose executions are counted. */
void hit(void);

/*
 * Print its address. In a program that is static and not position-independent it is the
 * same in every process.
 */
void hit_print_address(void);

/* Call it n times. */
void hits(unsigned n);

/*
 * Append "pid tid hits" of the calling thread to the file that $ORACLE names; without
 * one, nothing.
 */
void hit_report(unsigned n);

/* hits() and hit_report(). */
void hit_and_report(unsigned n);

/* The same, with the word "early" after the number. */
void hit_and_report_early(unsigned n);

#endif
