/* The table of threads as text, and as rows of totals. */
#ifndef SUITE_SCREEN_THREADS_TABLE_H
#define SUITE_SCREEN_THREADS_TABLE_H

#include "base/text.h"
#include "suite/screen/threads.h"

/* How a table looks. */
struct threads_look {
	int interval; /* the values are those of the interval, otherwise all */
	int64_t ns;   /* the end of the interval or of the run, since the run began */
	int heading;  /* the table begins with the titles of its columns */
	int screen; /* for people: a line above the table, and commas between thousands */
	unsigned lines; /* at most so many, of which the last counts the threads left out;
			   0: no limit */
	unsigned columns; /* cells that end behind so many are hidden; 0: no limit */
	unsigned *width;  /* of the column of each event, which only grows; or NULL */
};

/* Append the table, the thread with the largest share first. */
void threads_table(struct textbuf *b, struct threads *t, const struct threads_look *look);

/*
 * Call put with a row "thread" for each set that each thread has counted, in the order of
 * the table; ns is the time of the rows. Returns 0, -1 with ENOMEM, or at once what put
 * returns if that is not 0.
 */
int threads_rows(struct threads *t, int64_t ns,
		 int (*put)(void *arg, const struct row *row), void *arg);

#endif
