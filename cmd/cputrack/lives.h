/*
 * Rows of LWPs from the reports of their lives, without a tracer (cpc/lifetimes.h): the
 * processes and LWPs that live, and the rows when they begin and end.
 */
#ifndef CPUTRACK_LIVES_H
#define CPUTRACK_LIVES_H

#include "common/notes.h"
#include "common/recording.h"
#include "cpc/lifetimes.h"
#include "living.h"
#include "options.h"

/* Starts as zeros but for the members before the blank line, which the caller owns. */
struct lives {
	const struct options *o;
	cpc_t *cpc;
	unsigned nsets;
	cpc_set_t *const *set;		   /* [nsets] */
	const struct row_set *const *show; /* [nsets]: how rows show the sets */
	struct recording *recording;
	struct notes *notes;

	pid_t root; /* the process of the command */
	struct living living;
	cpc_buf_t **sum;    /* [nsets]: of the LWPs whose values are in rows */
	cpc_buf_t **total;  /* [nsets]: scratch */
	cpc_value_t *value; /* scratch values of a row */
	int begun;	    /* the command has executed its first program */
	const char *failed; /* what could not be done, or NULL */
	uint64_t unborn;    /* LWPs that have ended, whose births are not recorded */
	/* a process that executed another program, whose counts are in its rows, or 0 */
	pid_t executed;
	int provisional; /* the rows that are put are not the last of their LWPs */
	int detached;	 /* the LWPs that lived are not counted further */
	int left;	 /* the command executed another program, which is not followed */
};

/* The command has this pid, and waits before its exec. Returns -1 with ENOMEM. */
int lives_begin(struct lives *l, pid_t root);

/* Read the records as lifetimes_read() does, and print the rows of LWPs. */
void lives_read(struct lives *l, struct cpc_lifetimes *from, int all);

/* After lives_read(): print a row of each LWP that lives, as lifetimes_living() does. */
void lives_tick(struct lives *l, struct cpc_lifetimes *from);

/* Have all processes ended that are counted? */
int lives_are_over(const struct lives *l);

/*
 * The command has ended: does a process still exist that is counted? If there is none,
 * records of ends that have not come were lost.
 */
int lives_can_go_on(const struct lives *l);

/*
 * Print what the LWPs have counted that are in no row: a row "rest". final: notes about
 * the values are due. Returns whether there was such a row, or -1 with errno.
 */
int lives_put_rest(struct lives *l, struct cpc_lifetimes *from, int final);

/*
 * Print a row "detach" of each LWP that lives, or a row "rest" if the counts of LWPs that
 * live are not known. final: the LWPs are not counted further. Returns as
 * lives_put_rest() whether there was a row "rest".
 */
int lives_put_detached(struct lives *l, struct cpc_lifetimes *from, int final);

/* Put the rows of a command that a signal has ended before it executed its program. */
void lives_put_unbegun(struct lives *l);

void lives_end(struct lives *l);

#endif
