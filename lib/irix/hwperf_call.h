/*
 * Calls of hwperf.h and libperfex.h do not interrupt each other in an LWP. The lock of
 * the library (base/lock.h) is recursive, so it does not keep a signal handler that has
 * interrupted a call from state that the call is changing.
 */
#ifndef IRIX_HWPERF_CALL_H
#define IRIX_HWPERF_CALL_H

/*
 * To be called at the beginning of a call, and at the end of it. hwperf_call_begin()
 * returns 0; or -1 with EDEADLK in a signal handler that has interrupted a call of the
 * same LWP, and then hwperf_call_end() must not be called.
 */
int hwperf_call_begin(void);
void hwperf_call_end(void);

#endif
