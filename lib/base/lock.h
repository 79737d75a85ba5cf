/*
 * The one lock of the library. fork(2) waits for it, so that a child never finds it held
 * by an LWP that the child does not have. The lock is recursive.
 */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

/*
 * Registers the lock's handlers of fork(2), once. To be called before the lock is first
 * used. Returns 0 or an errno.
 */
int lock_prepare(void);

void lock_hold(void);
void lock_release(void);

#endif
