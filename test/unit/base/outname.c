#include "base/outname.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const env[] = {"PMI_RANK=3",
				  "PMI_SIZE=4",
				  "MPI_LOCALRANKID=1",
				  "PBS_JOBID=77[2].srv/x",
				  "SLURM_STEP_ID=5",
				  "EMPTY=",
				  "UP=..",
				  "DOT=.",
				  "PATHS=../../etc/passwd",
				  "HIDDEN=.bashrc",
				  "BAD=\x1b[31m\xc3\xa9 \n%r",
				  "GOOD=aZ09._-+@",
				  NULL};
static const char *const none[] = {NULL};

static const struct {
	int line;
	const char *text;
	const char *name;   /* NULL: an error */
	const char *reason; /* a part of it */
} cases[] = {
	{__LINE__, "", "", NULL},
	{__LINE__, "out", "out", NULL},
	{__LINE__, "/a.b/../c-d", "/a.b/../c-d", NULL},
	{__LINE__, "%h", "node7", NULL},
	{__LINE__, "a%p.b", "a4711.b", NULL},
	{__LINE__, "%r%n%l", "341", NULL},
	{__LINE__, "%r.%n.%l", "3.4.1", NULL},
	{__LINE__, "out.%j.%s", "out.77_2_.srv_x.5", NULL},
	{__LINE__, "%%", "%", NULL},
	{__LINE__, "%%r%%%r", "%r%3", NULL},
	{__LINE__, "%q{GOOD}", "aZ09._-+@", NULL},
	{__LINE__, "a%q{EMPTY}b", "ab", NULL},
	{__LINE__, "%q{BAD}", "__31m_____r", NULL},
	/* no folder is made, left or hidden in */
	{__LINE__, "%q{PATHS}", "_._.._etc_passwd", NULL},
	{__LINE__, "%q{UP}/x", "_./x", NULL},
	{__LINE__, "d/%q{UP}/x", "d/_./x", NULL},
	{__LINE__, "d/%q{DOT}%q{DOT}/x", "d/_./x", NULL},
	{__LINE__, "d/.%q{DOT}/x", "d/._/x", NULL},
	{__LINE__, "d/%q{HIDDEN}", "d/_bashrc", NULL},
	{__LINE__, "x%q{HIDDEN}", "x.bashrc", NULL},
	{__LINE__, "x%q{UP}/y", "x../y", NULL},
	{__LINE__, "%q{EMPTY}%q{DOT}a", "_a", NULL},
	/* errors */
	{__LINE__, "50%", NULL, "at the end is %%"},
	{__LINE__, "%x", NULL, "%x is no placeholder; a percent sign is %%"},
	{__LINE__, "%R", NULL, "%R is no"},
	{__LINE__, "%%%", NULL, "at the end"},
	{__LINE__, "% r", NULL, "%  is no"},
	{__LINE__, "%q", NULL, "write %q{VARIABLE}"},
	{__LINE__, "%q{", NULL, "write %q{VARIABLE}"},
	{__LINE__, "%q{}", NULL, "write %q{VARIABLE}"},
	{__LINE__, "%qGOOD", NULL, "write %q{VARIABLE}"},
	{__LINE__, "%q{GOOD", NULL, "write %q{VARIABLE}"},
	{__LINE__, "%q{GOO}", NULL, "%q{GOO}: the variable is not set"},
	{__LINE__, "%q{GOOD=}", NULL, "is not set"},
	{__LINE__, "%q{PMI_RANK=3}", NULL, "is not set"},
};

static const struct {
	int line;
	const char *text, *reason;
} unknown[] = {
	{__LINE__, "a.%r", "%r: no launcher of ranks is known; looked for: Open MPI,"},
	{__LINE__, "a.%n", "%n: no launcher gives the number of ranks; looked for: Open"},
	{__LINE__, "a.%l", "%l: no launcher gives the rank on this host; looked for: O"},
	{__LINE__, "a.%j", "%j: no batch job is known; looked for: SLURM_JOB_ID,"},
	{__LINE__, "a.%s", "%s: SLURM_STEP_ID is not a number"},
};

static void has_reason(int line, const char *name, const char *err, const char *reason)
{
	if (name || errno != EINVAL || !strstr(err, reason))
		fail_msg("line %d: '%s', '%s'", line, name ? name : "no name", err);
}

static void names(void **state)
{
	const struct outname_values v = {"node7.example.org", 4711, env};
	char err[256];

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		errno = 0;
		char *name = outname_expand(cases[i].text, &v, err, sizeof err);
		if (!cases[i].name)
			has_reason(cases[i].line, name, err, cases[i].reason);
		else if (!name || strcmp(name, cases[i].name) != 0)
			fail_msg("line %d: '%s', '%s'", cases[i].line,
				 name ? name : "no name", err);
		free(name);
	}
}

static void unknown_values(void **state)
{
	const struct outname_values v = {"", 1, none};
	char err[256];

	(void)state;
	for (unsigned i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
		errno = 0;
		char *name = outname_expand(unknown[i].text, &v, err, sizeof err);
		has_reason(unknown[i].line, name, err, unknown[i].reason);
	}
}

/* Names of variables and values of any length; a reason that is cut. */
static void huge(void **state)
{
	enum { HUGE_SIZE = 200000 };
	static char variable[HUGE_SIZE + 8] = "V=", text[HUGE_SIZE + 8] = "%q{";
	const char *const big[] = {variable, NULL};
	const struct outname_values v = {"h", 1, big};
	char err[16];

	(void)state;
	memset(variable + 2, '.', HUGE_SIZE);
	char *name = outname_expand("%q{V}", &v, err, sizeof err);
	assert_non_null(name);
	assert_int_equal(strlen(name), HUGE_SIZE);
	assert_int_equal(name[0], '_');
	free(name);
	memset(text + 3, 'V', HUGE_SIZE);
	assert_null(outname_expand(text, &v, err, sizeof err));
	strcpy(text + 3 + HUGE_SIZE, "}");
	assert_null(outname_expand(text, &v, err, sizeof err));
	assert_int_equal(strlen(err), sizeof err - 1);
}

static const struct {
	int line;
	const char *text;
	int ranks;
} shared[] = {
	{__LINE__, "same", 4},
	{__LINE__, "%h", 4},
	{__LINE__, "%n.%j.%s", 4},
	{__LINE__, "%%r", 4},
	{__LINE__, "%%%%r", 4},
	{__LINE__, "", 4},
	{__LINE__, "%r", 1},
	{__LINE__, "a.%p", 1},
	{__LINE__, "%%%l", 1},
	{__LINE__, "a%q{GOOD}", 1},
	{__LINE__, "same%", 4},
	/* the user has put the rank, 3, into the name */
	{__LINE__, "3", 1},
	{__LINE__, "d1/a003.csv", 1},
	{__LINE__, "a3/b", 4},
	{__LINE__, "a33", 4},
	{__LINE__, "a30.13-1", 4},
	{__LINE__, "99999999999999999999999", 4},
};

static void ranks(void **state)
{
	static const char *const one[] = {"PMI_RANK=0", "PMI_SIZE=1", NULL};
	static const char *const unsized[] = {"PMIX_RANK=1", NULL};

	(void)state;
	for (unsigned i = 0; i < sizeof shared / sizeof shared[0]; i++) {
		const long long n = outname_ranks(shared[i].text, env);
		if (n != shared[i].ranks)
			fail_msg("line %d: %lld", shared[i].line, n);
	}
	assert_int_equal(outname_ranks("same", none), 1);
	assert_int_equal(outname_ranks("same", one), 1);
	assert_int_equal(outname_ranks("same", unsized), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(unknown_values),
		cmocka_unit_test(huge),
		cmocka_unit_test(ranks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
