/*
 * libperfex: count two events of a part of a program, after libperfex(3C) of IRIX.
 *
 * Events are the numbers of perfex(1), of the R10000 unless load_costs() has loaded a
 * table of another processor. One counter of that processor counts events 0 to 15, the
 * other events 16 to 31. The variables T5_EVENT0 and T5_EVENT1 of the environment, if
 * they are set, replace the first and the second event in every call; their values are
 * numbers, or the name of any event ("page-faults").
 *
 * Calls that fail return -1 with errno set, and print the reason on stderr. In a signal
 * handler that has interrupted another call of the same thread they fail with EDEADLK and
 * print nothing. Source: libperfex(3C) and libperfex(3F) of IRIX 6.5; "ours" marks what
 * they do not say.
 */
#ifndef LIBPERFEX_H
#define LIBPERFEX_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Sets the counts of the calling thread to 0 and begins to count two events in user mode.
 * Returns the generation number of the counters, which is greater than 0. EINVAL: no such
 * events, or one counter would have to count both; EBUSY: the counters are used in
 * system mode, or CPC_STRICT=1 and a CPU is bound; ENOENT and others, as of
 * cpc_bind_curlwp(3): this machine cannot count the events.
 */
int start_counters(int e0, int e1);

/*
 * Stops counting and stores the counts of two events, in either order, since
 * start_counters() in the calling thread. Returns the generation number: another number
 * than that of start_counters() says that the counters were lost meanwhile. Ours: a value
 * that could not be counted is -1, and another read after the first gives the same
 * values. EINVAL: the calling thread has not started these events. If the call fails,
 * nothing is stored.
 */
int read_counters(int e0, long long *c0, int e1, long long *c1);

/*
 * Print counts on stderr as perfex(1) does; print_costs() as perfex -y, with the times of
 * the events and the statistics that can be computed. Return 0. Ours: a negative count is
 * printed as "-"; after the first report of an event whose value is not exact, a line
 * says how it was counted. EINVAL: no such event; or as of write(2).
 */
int print_counters(int e0, long long c0, int e1, long long c1);
int print_costs(int e0, long long c0, int e1, long long c1);

/*
 * Replaces the table of costs by a file as perfex(1) describes it or, ours, by one of the
 * tables r10000_196, r10000_250 and r12000_300. The numbers of events are then those of
 * the table's processor. Returns 0. EINVAL: the file is not a table; or as of open(2).
 */
int load_costs(const char *name);

/*
 * The same calls from Fortran: INTEGER*4 functions start_counters(e0, e1), and so on,
 * with INTEGER*4 events, INTEGER*8 counts and a CHARACTER*(*) name, in which blanks at
 * the end do not count.
 */
int start_counters_(const int *e0, const int *e1);
int read_counters_(const int *e0, long long *c0, const int *e1, long long *c1);
int print_counters_(const int *e0, const long long *c0, const int *e1,
		    const long long *c1);
int print_costs_(const int *e0, const long long *c0, const int *e1, const long long *c1);
int load_costs_(const char *name, int length);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
