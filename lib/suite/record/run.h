/* The first and the last record of a run, as opencpc-records(5) describes them. */
#ifndef SUITE_RECORD_RUN_H
#define SUITE_RECORD_RUN_H

#include <stdint.h>
#include <sys/types.h>

#include <libcpc.h>
#include "base/text.h"
#include "suite/record/host.h"
#include "suite/record/label.h"
#include "base/launcher.h"
#include "suite/row/row.h"

/*
 * The facts about a run. Strings, and what pointers point to, belong to the caller. Facts
 * that are not known are NULL, and null in the record.
 */
struct record_run {
	struct row_run row; /* of which record_run_id() fills id */
	const char *tool, *version;
	char *const *argv;	    /* the words of the command line of the tool */
	const char *command;	    /* that is measured */
	const struct labels *label; /* or NULL */
	const struct record_host *host;
	const struct launcher *launcher;
	const char *engine, *model, *reproducible;
	const char *tracker; /* how LWPs are learnt of; NULL: they are not told apart */
	int64_t interval_ns; /* between two samples of a set's turn; 0: no samples */
	unsigned nsets;
	const struct row_set *const *set; /* nsets */
	/* The paths of the cgroups that are counted at the beginning; NULL: CPUs are. */
	const char *const *cgroup;
	unsigned ncgroups;
	/*
	 * NULL, or the record as it was read from a file: record_begin() writes this text
	 * and looks at no fact.
	 */
	const char *text;
};

/*
 * The processor time and the memory of a command and of the processes that the command
 * has waited for. The simulator's time and memory stand for a simulated command.
 */
struct record_use {
	int64_t user_ns, system_ns; /* processor time */
	int64_t peak_bytes;	    /* the largest resident set of a process */
};

/* The end of a run. */
struct record_end {
	int64_t ns;	  /* since the run began */
	int status;	  /* the exit status of the tool */
	int signal;	  /* that ended the command or the measurement, or 0 */
	int provisional;  /* the run goes on: status and signal are not known yet */
	uint64_t skipped; /* samples that were late and left out */
	int has_ended;	  /* the command has ended, or the process of -p */
	/* then: the signal that ended it, or 0 and its exit status */
	int command_signal, command_status;
	const struct record_use *use; /* NULL: not known */
};

/* Set engine, model and reproducible to those of a session; they live as long as cpc. */
void record_run_engine(struct record_run *run, cpc_t *cpc);

/* Write the id of a run into id, which has size bytes. host NULL: not known. */
void record_run_id(char *id, size_t size, const char *host, pid_t pid, int64_t unix_ns);

/* Append the first record of a run, or its last, which is the record with this number. */
void record_begin(struct textbuf *b, const struct record_run *run);
void record_end(struct textbuf *b, const struct row_run *run, const struct record_end *e,
		uint64_t number);

#endif
