/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The LWPs that take turns, and waiting until none of them is active in the kernel. */
#ifndef SIM_TOOL_LWPS_H
#define SIM_TOOL_LWPS_H

#include "sim/tool/call.h"

enum { MAX_LWPS = 16384 }; /* the core's limit is lower */

enum lwp_state {
	LWP_FREE,   /* the entry is not in use */
	LWP_OUT,    /* in a system call, or ending */
	LWP_QUEUED, /* waits for its turn */
	LWP_RUNNING
};

struct lwp {
	Int id;
	Int state;	   /* enum lwp_state */
	Int go;		   /* a futex: 1 if the LWP is to look whether it has the turn */
	int gave_turn;	   /* the end of its last turn gave the turn to another */
	Int is_asleep;	   /* OUT: it was asleep, and no call can have woken it since */
	int is_candidate;  /* OUT: a call that counts whom it wakes may have woken it */
	struct call call;  /* OUT: its system call */
	ULong seen_asleep; /* OUT: the decision for which it was seen asleep */
	ULong birth;	   /* its number in the order of creation */
};

extern struct turn {
	struct lwp lwp[MAX_LWPS];
	unsigned used;	    /* entries that are or were in use */
	unsigned alive;	    /* entries in use */
	Int guard;	    /* a spin lock for the members above and below */
	struct lwp *holder; /* has the turn */
	struct lwp *heir;   /* if nobody has the turn: decides who gets it, or NULL */
	ULong decision;	    /* number of the decision that is made, or was made last */
	struct lwp *last;   /* had the turn last; NULL: it has ended */
	ULong last_birth;
	ULong births;	  /* LWPs created so far */
	Int expected;	  /* LWPs that are created and have not yet come for a turn */
	int has_child;	  /* the holder has created an LWP by its current system call */
	Int arrivals;	  /* a futex: changes whenever an LWP comes for a turn */
	int leaves;	  /* the holder is about to enter a system call that can sleep */
	struct call call; /* the holder's system call */
	int has_called;	  /* the LWPs that the call can wake are not yet noted */
	int is_open;	  /* an LWP may be active in the kernel */
	/* Since the last decision: */
	Int woken; /* LWPs that the holder's calls have woken, as their results say */
	Int back;  /* candidates that have come back */
} turn;

/* Most members of turn are read and written with this lock. */
void lwps_lock(void);
void lwps_unlock(void);

/* Returns the entry of the LWP that calls, which may be a new one. With the lock. */
struct lwp *lwps_get(Int id);

/* Notes that the holder's last call may have woken sleeping LWPs. */
void lwps_note_wakes(void);

/*
 * Before and after a call that counts whom it wakes: of many LWPs that sleep on a futex,
 * it may wake one, and then only this one has to be awaited.
 */
void lwps_mark_candidates(void);
void lwps_note_count(Long woken);

/*
 * Returns when each LWP waits for its turn, or sleeps, or has ended; or when an LWP has
 * taken the turn meanwhile, so that the decision is another one. An LWP that is active in
 * the kernel for more than a second is then treated as if it slept.
 */
void lwps_settle(ULong decision);

/* Notes that nothing is active; the LWP that is given the turn changes that. */
void lwps_settled(void);

#endif
