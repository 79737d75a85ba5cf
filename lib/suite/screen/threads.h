/*
 * The threads of a run: what each has counted in an interval and in all, collected from
 * the rows of LWPs.
 */
#ifndef SUITE_SCREEN_THREADS_H
#define SUITE_SCREEN_THREADS_H

#include <sys/types.h>

#include <libcpc.h>
#include "suite/row/row.h"

enum { THREADS_NAME = 16 }; /* bytes of a name with its NUL */

/* What a thread has counted; each is an array of an element for each event. */
enum threads_part {
	THREADS_TICKS,	  /* by its ticks, since it began or executed a program */
	THREADS_DONE,	  /* by the time that it last ended or executed a program */
	THREADS_INTERVAL, /* since threads_next_interval() */
	THREADS_PARTS	  /* the number of parts */
};

/* An LWP. The LWP that executes another program remains the same thread. */
struct thread {
	pid_t pid, tid;		 /* tid 0: not known */
	id_t lwp;		 /* 0: the counts of a row "rest", which is of no LWP */
	int named;		 /* the name is known */
	char name[THREADS_NAME]; /* the last one that was known */
	int closed;		 /* a later row with its numbers is of another thread */
	int counted;		 /* it has counted in the interval */
	unsigned number;	 /* of threads that began before */
	uint64_t key;		 /* by which threads are sorted */
	struct thread *chain;	 /* next in the same hash bucket */
	/* An event that was not counted is CPC_UNAVAILABLE. */
	cpc_value_t value[]; /* [THREADS_PARTS][events] */
};

struct threads {
	unsigned nsets;
	const struct row_set *const *set;
	unsigned *first; /* the number of the first event of each set */
	unsigned events; /* of all sets */
	unsigned key;	 /* the number of the event by which threads are sorted */
	unsigned n, size;
	struct thread **thread; /* n, in the order of their first rows */
	struct thread **bucket; /* size, a hash table by pid and LWP */
	int several;		/* the threads are of several processes */
	int provisional;
};

/*
 * Return threads without a thread; set, of nsets elements, must outlive them. The event
 * by which threads are sorted is the time on a processor, else its cycles, else the first
 * event. Returns NULL with ENOMEM. threads_free(NULL) is allowed.
 */
struct threads *threads_new(unsigned nsets, const struct row_set *const *set);
void threads_free(struct threads *t);

/* Return the name and the unit of an event; a unit of counts is NULL. */
const char *threads_event(const struct threads *t, unsigned event, const char **unit);

/* Return the mode of an event, as in struct row_set, or NULL. */
const char *threads_mode(const struct threads *t, unsigned event);

/*
 * Take a row. "tick" adds what was counted; "fini_lwp" and "detach", one row for each
 * set, are the totals of an LWP, and "rest" is that of no LWP; other rows say which LWPs
 * end. Returns -1 with ENOMEM.
 */
int threads_row(struct threads *t, const struct row *row);

/* Until threads_provisional_end() the rows "detach" and "rest" are not the last ones. */
void threads_provisional(struct threads *t);
void threads_provisional_end(struct threads *t);

/* What is counted from now on is of the next interval. */
void threads_next_interval(struct threads *t);

/* Return what a thread has counted of an event, in the interval or in all. */
cpc_value_t threads_value(const struct threads *t, const struct thread *thread,
			  int interval, unsigned event);

/*
 * Return the threads, or those that have counted in the interval, sorted by the key, the
 * largest first; *n is their number, and *sum the sum of the keys. The caller frees the
 * array. Returns NULL with ENOMEM.
 */
struct thread **threads_sorted(struct threads *t, int interval, unsigned *n, double *sum);

#endif
