/*
 * The use of the counters in user mode by threads that call libperfex(3): each thread
 * uses them from start_counters() to read_counters() or to its end. The callers hold the
 * lock of the library (base/lock.h).
 */
#ifndef IRIX_LIBPERFEX_USE_H
#define IRIX_LIBPERFEX_USE_H

/*
 * Let the calling thread use the counters, if it does not use them already. Returns the
 * generation number of the counters of this process, from 1; or -1 with errno of
 * hwperf_share_user(), ENOMEM or EAGAIN.
 */
int libperfex_use_begin(void);

/*
 * End the use, if the calling thread uses the counters. Returns the generation number,
 * which has risen if system mode has taken the counters since the last begin.
 */
int libperfex_use_end(void);

/*
 * End the use of a thread that has lost the counters, even if system mode has not taken
 * them. Returns the generation number, which has risen since the last begin.
 */
int libperfex_use_lose(void);

/* Returns 1 if the calling thread has lost the counters since its last begin. */
int libperfex_use_is_lost(void);

#endif
