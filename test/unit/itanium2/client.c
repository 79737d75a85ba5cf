/*
 * The client of libpfm 3 in test/examples, unchanged, in one program with a user of
 * libpfm 4.
 */
#include <perfmon/pfmlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* These call libpfm 4: the macros of libpfm 3 are not defined yet. */
static int libpfm4_initialize(void)
{
	return pfm_initialize();
}

static int libpfm4_version(void)
{
	return pfm_get_version();
}

static int libpfm4_find(const char *name)
{
	return pfm_find_event(name);
}

static const char *libpfm4_strerror(int code)
{
	return pfm_strerror(code);
}

int client_main(void);
#define main client_main
#include "../../examples/itanium2.c"
#undef main

/* Runs the client, whose exit status must be 0, and stores what it prints in out. */
static void run(char *out, size_t size)
{
	FILE *f = tmpfile();
	const int saved = dup(STDOUT_FILENO);

	assert_non_null(f);
	assert_true(saved != -1);
	fflush(stdout);
	assert_int_equal(dup2(fileno(f), STDOUT_FILENO), STDOUT_FILENO);
	const int status = client_main();

	fflush(stdout);
	assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
	close(saved);
	rewind(f);
	out[fread(out, 1, size - 1, f)] = '\0';
	fclose(f);
	assert_int_equal(status, 0);
}

static void test_both(void **state)
{
	char out[1024];
	unsigned version = 0;

	(void)state;
	assert_int_equal(libpfm4_initialize(), PFM_SUCCESS);
	run(out, sizeof(out));
	assert_string_equal(out, "DATA_EAR_CACHE_LAT4 is of the D-EAR\n"
				 "PMC4 = 0x1228\nPMC5 = 0x200828\nPMC6 = 0xc828\n"
				 "PMC11 = 0x8\nPMC15 = 0xffffffff\n"
				 "PMD4\nPMD5\nPMD6\nPMD2\nPMD3\nPMD17\n");
	/* Each library gives its own answers, also after the other was used. */
	assert_true(libpfm4_find("perf::TASK-CLOCK") >= 0);
	assert_true(libpfm4_find("CPU_CYCLES_OF_NOBODY") < 0);
	assert_int_equal(libpfm4_version() >> 16, 4);
	assert_int_equal(pfm_get_version(&version), PFMLIB_SUCCESS);
	assert_int_equal(PFMLIB_MAJ_VERSION(version), 3);
	assert_string_equal(pfm_strerror(PFMLIB_ERR_NOINIT), "pfmlib not initialized");
	assert_string_not_equal(libpfm4_strerror(PFMLIB_ERR_NOASSIGN),
				pfm_strerror(PFMLIB_ERR_NOASSIGN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
