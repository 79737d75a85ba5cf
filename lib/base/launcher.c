#include "base/launcher.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The variables of a family; NULL: the family has none. */
struct family {
	const char *name, *rank, *size, *local;
};

/*
 * Launchers that start ranks inside a batch job come before the batch system: in a batch
 * script of Slurm, SLURM_PROCID is 0 for each rank of mpirun.
 */
static const struct family families[] = {
	{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
	 "OMPI_COMM_WORLD_LOCAL_RANK"},
	{"MVAPICH2", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE",
	 "MV2_COMM_WORLD_LOCAL_RANK"},
	{"PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
	{"PMIx", "PMIX_RANK", NULL, NULL},
	{"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID"},
	{"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"},
};

static const char *const jobs[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",
				   "FLUX_JOB_ID", "JOB_ID"};

/* The processes of Open MPI, MPICH and Slurm that start ranks and signal them. */
static const char *const processes[] = {"mpirun", "mpiexec",	     "orterun",
					"orted",  "hydra_pmi_proxy", "slurmstepd"};

static const struct {
	const char *name;
	enum launcher_starter starter;
} commands[] = {
	{"mpirun", LAUNCHER_COMMAND},  {"mpiexec", LAUNCHER_COMMAND},
	{"orterun", LAUNCHER_COMMAND}, {"srun", LAUNCHER_DAEMON},
	{"sbatch", LAUNCHER_DAEMON},
};

/* The first letters differ for nearly all variables: few are compared as a whole. */
const char *launcher_variable(const char *const *env, const char *name)
{
	const size_t n = strlen(name);

	for (; *env; env++)
		if (**env == *name && strncmp(*env, name, n) == 0 && (*env)[n] == '=')
			return *env + n + 1;
	return NULL;
}

/* Return the number that a variable holds, or -1; name may be NULL. */
static int64_t number(const char *const *env, const char *name)
{
	const char *c = name ? launcher_variable(env, name) : NULL;
	int64_t v = 0;

	if (!c || !*c)
		return -1;
	for (; *c >= '0' && *c <= '9' && v <= UINT32_MAX; c++)
		v = v * 10 + (*c - '0');
	return *c || v > UINT32_MAX ? -1 : v;
}

/*
 * Did srun itself start this rank, through PMI or PMIx? Only then Slurm's variables
 * describe the rank: below mpirun in a batch script they are inherited from the script.
 */
static int is_of_srun(const char *const *env)
{
	const char *space = launcher_variable(env, "PMIX_NAMESPACE");
	const char *pmi = launcher_variable(env, "PMI_JOBID");
	const char *job = launcher_variable(env, "SLURM_JOB_ID");
	const char *step = launcher_variable(env, "SLURM_STEP_ID");

	if (space)
		return strncmp(space, "slurm.pmix.", strlen("slurm.pmix.")) == 0;
	if (!pmi || !job || !step)
		return 0;
	const size_t n = strlen(job);
	return strncmp(pmi, job, n) == 0 && pmi[n] == '.' &&
	       strcmp(pmi + n + 1, step) == 0;
}

static int64_t first_known(int64_t a, int64_t b)
{
	return a != -1 ? a : b;
}

/* A size that the rank does not fit in is another job's. */
static void read_family(struct launcher *l, const char *const *env,
			const struct family *f)
{
	const int slurm = is_of_srun(env);

	l->family = f->name;
	l->size = first_known(number(env, f->size),
			      slurm ? number(env, "SLURM_STEP_NUM_TASKS") : -1);
	l->local = first_known(number(env, f->local),
			       slurm ? number(env, "SLURM_LOCALID") : -1);
	if (l->size <= l->rank)
		l->size = -1;
}

static void read_job(struct launcher *l, const char *const *env)
{
	const int64_t array = number(env, "SLURM_ARRAY_JOB_ID");
	const int64_t task = number(env, "SLURM_ARRAY_TASK_ID");

	if (array != -1 && task != -1) {
		snprintf(l->job, sizeof l->job, "%lld_%lld", (long long)array,
			 (long long)task);
		return;
	}
	for (unsigned i = 0; i < sizeof jobs / sizeof jobs[0] && !*l->job; i++) {
		const char *v = launcher_variable(env, jobs[i]);
		if (v && strlen(v) < sizeof l->job)
			strcpy(l->job, v);
	}
}

void launcher_read(struct launcher *l, const char *const *env)
{
	*l = (struct launcher){.rank = -1, .size = -1, .local = -1};
	l->step = number(env, "SLURM_STEP_ID");
	read_job(l, env);
	for (unsigned i = 0; i < sizeof families / sizeof families[0]; i++) {
		l->rank = number(env, families[i].rank);
		if (l->rank != -1) {
			read_family(l, env, &families[i]);
			return;
		}
	}
}

/* Debian's names are longer: mpirun.openmpi, slurmstepd-wlm. */
static int is_named(const char *name, const char *known)
{
	const size_t n = strlen(known);

	return strncmp(name, known, n) == 0 && !isalnum((unsigned char)name[n]);
}

int launcher_is_process(const char *name)
{
	for (unsigned i = 0; i < sizeof processes / sizeof processes[0]; i++)
		if (is_named(name, processes[i]))
			return 1;
	return 0;
}

enum launcher_starter launcher_starter(const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;

	for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (is_named(name, commands[i].name))
			return commands[i].starter;
	return LAUNCHER_NONE;
}

/* ompi_info(1) lists the words for true and false of a parameter. */
int launcher_signals_alone(const char *const *env)
{
	const char *v =
		launcher_variable(env, "OMPI_MCA_odls_base_signal_direct_children_only");

	return v && *v && strchr("1teyTEY", *v);
}
