#include "base/launcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12 };

/* Variables are separated by '|'. */
static const struct {
	int line;
	const char *env, *family;
	long long rank, size, local, step;
	const char *job;
} cases[] = {
	{__LINE__, "", NULL, -1, -1, -1, -1, ""},
	{__LINE__, "HOME=/", NULL, -1, -1, -1, -1, ""},
	/* each family; the size of PMIx is not told */
	{__LINE__,
	 "OMPI_COMM_WORLD_RANK=3|OMPI_COMM_WORLD_SIZE=4|OMPI_COMM_WORLD_LOCAL_RANK=1",
	 "Open MPI", 3, 4, 1, -1, ""},
	{__LINE__,
	 "MV2_COMM_WORLD_LOCAL_RANK=0|MV2_COMM_WORLD_SIZE=2|MV2_COMM_WORLD_RANK=1",
	 "MVAPICH2", 1, 2, 0, -1, ""},
	{__LINE__, "PMI_RANK=0|PMI_SIZE=8|MPI_LOCALRANKID=5", "PMI", 0, 8, 5, -1, ""},
	{__LINE__, "PMIX_RANK=2", "PMIx", 2, -1, -1, -1, ""},
	{__LINE__,
	 "FLUX_TASK_RANK=1|FLUX_JOB_SIZE=2|FLUX_TASK_LOCAL_ID=1|FLUX_JOB_ID=f2Tz", "Flux",
	 1, 2, 1, -1, "f2Tz"},
	{__LINE__,
	 "SLURM_PROCID=6|SLURM_STEP_NUM_TASKS=7|SLURM_LOCALID=2|SLURM_JOB_ID=77|"
	 "SLURM_STEP_ID=0",
	 "Slurm", 6, 7, 2, 0, "77"},
	/* mpirun in a batch script of Slurm: Slurm's rank is the script's */
	{__LINE__,
	 "SLURM_PROCID=0|SLURM_LOCALID=0|SLURM_NTASKS=1|SLURM_JOB_ID=9|"
	 "OMPI_COMM_WORLD_RANK=2|OMPI_COMM_WORLD_SIZE=3",
	 "Open MPI", 2, 3, -1, -1, "9"},
	{__LINE__,
	 "SLURM_PROCID=0|SLURM_LOCALID=0|SLURM_STEP_NUM_TASKS=9|SLURM_JOB_ID=9|"
	 "SLURM_STEP_ID=1|PMI_RANK=2|PMI_SIZE=3",
	 "PMI", 2, 3, -1, 1, "9"},
	{__LINE__,
	 "SLURM_JOB_ID=9|SLURM_LOCALID=0|SLURM_STEP_NUM_TASKS=4|PMIX_RANK=1|"
	 "PMIX_NAMESPACE=prterun-host-4711@1",
	 "PMIx", 1, -1, -1, -1, "9"},
	/* srun --mpi=pmi2 and --mpi=pmix: Slurm's variables are of this rank */
	{__LINE__,
	 "SLURM_LOCALID=1|SLURM_JOB_ID=9|SLURM_STEP_ID=12|PMI_JOBID=9.12|"
	 "PMI_RANK=3|PMI_SIZE=4",
	 "PMI", 3, 4, 1, 12, "9"},
	{__LINE__,
	 "SLURM_LOCALID=1|SLURM_JOB_ID=9|SLURM_STEP_ID=12|PMI_JOBID=9.1|"
	 "PMI_RANK=3|PMI_SIZE=4",
	 "PMI", 3, 4, -1, 12, "9"},
	{__LINE__,
	 "SLURM_LOCALID=1|SLURM_JOB_ID=9|SLURM_STEP_ID=1|PMI_JOBID=91|"
	 "PMI_RANK=3|PMI_SIZE=4",
	 "PMI", 3, 4, -1, 1, "9"},
	{__LINE__,
	 "PMIX_RANK=1|PMIX_NAMESPACE=slurm.pmix.9.0|SLURM_STEP_NUM_TASKS=2|"
	 "SLURM_LOCALID=1|SLURM_PROCID=1",
	 "PMIx", 1, 2, 1, -1, ""},
	/* a rank that is not a number: the next family */
	{__LINE__, "PMI_RANK=|PMIX_RANK=1", "PMIx", 1, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK=-1|PMIX_RANK=1", "PMIx", 1, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK= 1|PMIX_RANK=4", "PMIx", 4, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK=1\n|PMIX_RANK=4", "PMIx", 4, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK=0x1|PMI_RANKS=1", NULL, -1, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK", NULL, -1, -1, -1, -1, ""},
	/* the limits of a number */
	{__LINE__, "PMI_RANK=4294967295", "PMI", 4294967295, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK=4294967296", NULL, -1, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK=00000000000000000001", "PMI", 1, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK=99999999999999999999999999999999", NULL, -1, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK=1|PMI_SIZE=many", "PMI", 1, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK=1|PMI_SIZE=2", "PMI", 1, 2, -1, -1, ""},
	{__LINE__, "PMI_RANK=1|PMI_SIZE=1", "PMI", 1, -1, -1, -1, ""},
	{__LINE__, "PMI_RANK=0|PMI_SIZE=0", "PMI", 0, -1, -1, -1, ""},
	/* jobs: an array before a job, Slurm before the others */
	{__LINE__, "SLURM_ARRAY_JOB_ID=4|SLURM_ARRAY_TASK_ID=5|SLURM_JOB_ID=6", NULL, -1,
	 -1, -1, -1, "4_5"},
	{__LINE__, "SLURM_ARRAY_JOB_ID=4|SLURM_ARRAY_TASK_ID=x|SLURM_JOB_ID=6", NULL, -1,
	 -1, -1, -1, "6"},
	{__LINE__, "JOB_ID=1|PBS_JOBID=2.srv", NULL, -1, -1, -1, -1, "2.srv"},
	{__LINE__, "JOB_ID=1|LSB_JOBID=3", NULL, -1, -1, -1, -1, "3"},
	{__LINE__, "JOB_ID=1|PBS_JOBID=", NULL, -1, -1, -1, -1, "1"},
	{__LINE__, "JOB_ID=a\x1b/\xff", NULL, -1, -1, -1, -1, "a\x1b/\xff"},
};

/* Make the environment of a case; text holds its variables. */
static void make_env(const char *variables, char *text, size_t size, const char **env)
{
	unsigned n = 0;

	snprintf(text, size, "%s", variables);
	for (char *v = strtok(text, "|"); v; v = strtok(NULL, "|")) {
		assert_true(n < MOST);
		env[n++] = v;
	}
	env[n] = NULL;
}

static void check(int line, const struct launcher *l, unsigned i)
{
	const char *family = cases[i].family;

	if ((family ? !l->family || strcmp(family, l->family) != 0 : l->family != NULL) ||
	    l->rank != cases[i].rank || l->size != cases[i].size ||
	    l->local != cases[i].local || l->step != cases[i].step ||
	    strcmp(l->job, cases[i].job) != 0)
		fail_msg("line %d: %s, rank %lld of %lld, local %lld, step %lld, job %s",
			 line, l->family ? l->family : "none", (long long)l->rank,
			 (long long)l->size, (long long)l->local, (long long)l->step,
			 l->job);
}

static void environments(void **state)
{
	const char *env[MOST + 1];
	struct launcher l;
	char text[512];

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		make_env(cases[i].env, text, sizeof text, env);
		launcher_read(&l, env);
		check(cases[i].line, &l, i);
	}
}

/* The longest id of a job is kept, a longer id is not set, and not cut. */
static void long_jobs(void **state)
{
	enum { HUGE_ID = 100000 };
	static char text[sizeof "PBS_JOBID=" + HUGE_ID] = "PBS_JOBID=";
	const char *env[] = {text, "JOB_ID=7", NULL};
	const size_t name = strlen(text), most = sizeof((struct launcher *)0)->job - 1;
	struct launcher l;

	(void)state;
	memset(text + name, '9', most);
	launcher_read(&l, env);
	assert_string_equal(l.job, text + name);
	memset(text + name, '9', most + 1);
	launcher_read(&l, env);
	assert_string_equal(l.job, "7");
	memset(text + name, '9', HUGE_ID);
	launcher_read(&l, env);
	assert_string_equal(l.job, "7");
}

/* Every family is in the list that messages print. */
static void family_names(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (cases[i].family)
			assert_non_null(strstr(LAUNCHER_FAMILIES, cases[i].family));
}

static void variables(void **state)
{
	const char *const env[] = {"AB=1", "A=2", "EMPTY=", "A=3", "no", NULL};

	(void)state;
	assert_string_equal(launcher_variable(env, "A"), "2");
	assert_string_equal(launcher_variable(env, "AB"), "1");
	assert_string_equal(launcher_variable(env, "EMPTY"), "");
	assert_null(launcher_variable(env, "no"));
	assert_null(launcher_variable(env, "B"));
}

static void processes(void **state)
{
	static const char *const yes[] = {"mpirun",	   "mpirun.openmpi",
					  "mpiexec.hydra", "hydra_pmi_proxy",
					  "orted\n",	   "slurmstepd-wlm\n"};
	static const char *const no[] = {"", "bash\n", "mpirunner", "slurmd", "mpi"};

	(void)state;
	for (unsigned i = 0; i < sizeof yes / sizeof yes[0]; i++)
		assert_true(launcher_is_process(yes[i]));
	for (unsigned i = 0; i < sizeof no / sizeof no[0]; i++)
		assert_false(launcher_is_process(no[i]));
}

static void starters(void **state)
{
	(void)state;
	assert_int_equal(launcher_starter("mpirun"), LAUNCHER_COMMAND);
	assert_int_equal(launcher_starter("/usr/bin/mpiexec.hydra"), LAUNCHER_COMMAND);
	assert_int_equal(launcher_starter("./orterun"), LAUNCHER_COMMAND);
	assert_int_equal(launcher_starter("srun"), LAUNCHER_DAEMON);
	assert_int_equal(launcher_starter("/opt/slurm/bin/sbatch"), LAUNCHER_DAEMON);
	assert_int_equal(launcher_starter("mpirun/a"), LAUNCHER_NONE);
	assert_int_equal(launcher_starter("srunner"), LAUNCHER_NONE);
	assert_int_equal(launcher_starter("slurmstepd"), LAUNCHER_NONE);
	assert_int_equal(launcher_starter(""), LAUNCHER_NONE);
}

static void signals_alone(void **state)
{
#define PARAMETER "OMPI_MCA_odls_base_signal_direct_children_only="
	static const char *const yes[] = {"1", "t", "true", "enabled", "yes"};
	static const char *const no[] = {"", "0", "false", "disabled", "no"};
	const char *env[] = {NULL, NULL};
	char text[80];

	(void)state;
	assert_false(launcher_signals_alone(env));
	env[0] = text;
	for (unsigned i = 0; i < sizeof yes / sizeof yes[0]; i++) {
		snprintf(text, sizeof text, PARAMETER "%s", yes[i]);
		assert_true(launcher_signals_alone(env));
		snprintf(text, sizeof text, PARAMETER "%s", no[i]);
		assert_false(launcher_signals_alone(env));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(environments), cmocka_unit_test(long_jobs),
		cmocka_unit_test(family_names), cmocka_unit_test(variables),
		cmocka_unit_test(processes),	cmocka_unit_test(signals_alone),
		cmocka_unit_test(starters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
