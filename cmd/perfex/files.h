/* The reports of threads (-mp), and the files in which they are. */
#ifndef PERFEX_FILES_H
#define PERFEX_FILES_H

#include "run.h"

/* Starts as zeros but for the run. */
struct files {
	struct run *run;
	void *written; /* a tree of tsearch(3) of the ids of threads that have a file */
	int unwritten; /* the file of a thread could not be written */
};

/*
 * Write a report of the values in run->s->row, of a thread that has ended at a time in ns
 * of clock_ns(). The report goes to FILE.ID for -o FILE. A file that is no regular file,
 * such as /dev/null, gets the reports of all threads, and so does standard error.
 */
void files_put(struct files *f, int64_t ns, pid_t pid, pid_t tid);

void files_free(struct files *f);

#endif
