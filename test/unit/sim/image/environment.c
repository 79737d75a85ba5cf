/* Tests which strings of an environment are the simulator's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/image/environment.h"

#define OURS "/opt/sim/vgpreload_core-amd64-linux.so"
#define TOOL "/opt/sim/vgpreload_cpcsim-amd64-linux.so"

static const struct {
	int line;
	const char *given[5], *left[5];
} cases[] = {
	{__LINE__, {"A=1", "B=2"}, {"A=1", "B=2"}},
	{__LINE__, {"A=1", "LD_PRELOAD=" OURS, "VALGRIND_LIB=/opt/sim"}, {"A=1"}},
	{__LINE__,
	 {"VALGRIND_LIB=/opt/sim", "LD_PRELOAD=" OURS ":" TOOL, "B=2"},
	 {"B=2"}},
	{__LINE__,
	 {"VALGRIND_LIB=/opt/sim", "LD_PRELOAD=" OURS ":/usr/lib/mine.so"},
	 {"LD_PRELOAD=/usr/lib/mine.so"}},
	{__LINE__,
	 {"VALGRIND_LIB=/opt/sim", "LD_PRELOAD=" OURS ":" TOOL ":a.so:b.so c.so"},
	 {"LD_PRELOAD=a.so:b.so c.so"}},
	{__LINE__, {"VALGRIND_LIB=/opt/sim", "LD_PRELOAD=" OURS ":"}, {"LD_PRELOAD="}},
	{__LINE__,
	 {"VALGRIND_LIB=/opt/sim", "LD_PRELOAD=/usr/libexec/vgpreload_x.so"},
	 {"LD_PRELOAD=/usr/libexec/vgpreload_x.so"}},
	{__LINE__,
	 {"VALGRIND_LIB=/opt/sim", "LD_PRELOADED=" OURS, "VALGRIND_LIBS=1"},
	 {"LD_PRELOADED=" OURS, "VALGRIND_LIBS=1"}},
	/* Without VALGRIND_LIB the simulator has added nothing. */
	{__LINE__, {"LD_PRELOAD=" OURS}, {"LD_PRELOAD=" OURS}},
};

static void hides_what_the_simulator_adds(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *env[5] = {NULL}, *own[5] = {NULL};
		unsigned n = 0, want = 0;

		while (cases[i].given[n]) {
			own[n] = env[n] = strdup(cases[i].given[n]);
			n++;
		}
		while (cases[i].left[want])
			want++;
		const unsigned left = environment_hide(env, n);
		int same = left == want;
		for (unsigned k = 0; same && k < want; k++)
			same = !strcmp(env[k], cases[i].left[k]);
		for (unsigned k = 0; k < n; k++)
			free(own[k]);
		if (!same)
			fail_msg("line %d", cases[i].line);
	}
}

static void cleans(void **state)
{
	static const struct {
		int line;
		char *given[6], *clean[ENVIRONMENT_KEPT + 1];
	} envs[] = {
		{__LINE__,
		 {"USER=me", "OLDPWD=/", "PATH=/bin", "HOME=/root", "LD_PRELOAD=x"},
		 {"HOME=/root", "LANG=C", "PATH=/bin", "TERM=dumb", "USER=me"}},
		{__LINE__,
		 {"TZ=UTC", "PATHS=/bin", "=PATH=x", "PATH", "LC_TIME=C"},
		 {"HOME=/", "LANG=C", "PATH=/usr/local/bin:/usr/bin:/bin", "TERM=dumb",
		  "TZ=UTC", "USER=nobody"}},
		{__LINE__,
		 {"TMPDIR=", "LANG=de_DE.UTF-8", "LC_ALL=C", "LD_LIBRARY_PATH=/x"},
		 {"HOME=/", "LANG=de_DE.UTF-8", "LC_ALL=C", "LD_LIBRARY_PATH=/x",
		  "PATH=/usr/local/bin:/usr/bin:/bin", "TERM=dumb",
		  "TMPDIR=", "USER=nobody"}},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof envs / sizeof envs[0]; i++) {
		char *clean[ENVIRONMENT_KEPT + 1];
		const unsigned n = environment_clean((char **)envs[i].given, clean);
		int same = !clean[n] && !envs[i].clean[n];

		for (unsigned k = 0; same && k < n; k++)
			same = envs[i].clean[k] && !strcmp(clean[k], envs[i].clean[k]);
		if (!same)
			fail_msg("line %d", envs[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hides_what_the_simulator_adds),
		cmocka_unit_test(cleans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
