/*
 * The launcher that started this process as one of several ranks, and the batch job that
 * the process is in, as the environment names them.
 */
#ifndef BASE_LAUNCHER_H
#define BASE_LAUNCHER_H

#include <stdint.h>

/* The launchers that are known, and the variables that name a batch job, for messages. */
#define LAUNCHER_FAMILIES "Open MPI, MVAPICH2, PMI, PMIx, Flux, Slurm"
#define LAUNCHER_JOBS	  "SLURM_JOB_ID, PBS_JOBID, LSB_JOBID, FLUX_JOB_ID, JOB_ID"

struct launcher {
	const char *family; /* one of LAUNCHER_FAMILIES, or NULL if none is found */
	int64_t rank;	    /* -1 if family is NULL */
	int64_t size;	    /* number of ranks, or -1 if not known */
	int64_t local;	    /* rank among the ranks of this host, or -1 if not known */
	int64_t step;	    /* of a Slurm job, or -1 if not known */
	char job[128];	    /* id of the batch job, "ARRAY_TASK" of an array; or "" */
};

/*
 * Find the launcher in the variables of env, which has the form of environ(7). Rank, size
 * and local rank are of one family, the first one whose rank is a number. Numbers are
 * from 0 to UINT32_MAX. job is a copy of a value of the environment, and can have any
 * bytes; a longer value counts as not set.
 */
void launcher_read(struct launcher *l, const char *const *env);

/* Which processes start the ranks of a command. */
enum launcher_starter {
	LAUNCHER_NONE,	  /* the command starts no ranks, as far as its name tells */
	LAUNCHER_COMMAND, /* the command itself those of this host, as mpirun does */
	LAUNCHER_DAEMON,  /* daemons, which the command asks to, as srun does */
};

/* Returns which processes start the ranks if program, the path of a command, is run. */
enum launcher_starter launcher_starter(const char *program);

/*
 * Returns whether processes that have this name, as /proc/PID/comm shows it, start ranks
 * and send every signal to all processes of a rank: mpirun, slurmstepd and others.
 */
int launcher_is_process(const char *name);

/*
 * Returns whether the launcher sends signals to the process of a rank alone, and not to
 * the processes that a rank has started, as a variable of env tells Open MPI.
 */
int launcher_signals_alone(const char *const *env);

/* Return the value of a variable of env, or NULL if it is not set. */
const char *launcher_variable(const char *const *env, const char *name);

#endif
