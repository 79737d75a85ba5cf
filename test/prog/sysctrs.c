/*
 * sysctrs CALL[:ARGUMENT]...: a program that makes these calls of hwperf(3) and of
 * libperfex(3), in order, and prints the name of each call and its result: a generation
 * number, or -1 and errno. Calls that read print each value that is not 0 as INDEX=VALUE.
 *
 * Of syssgi(): en:SPEC (HWPERF_ENSYSCNTRS), set:SPEC, sys, cpu:N, ctrl, rel, vals (with
 * classes), cpuvals:N, name:INDEX=EVENT, rule:N, bad:CMD (any command, with a pointer).
 * SPEC is INDEX=MODES[,INDEX=MODES...]; MODES are the letters u, s, k and e, and each "t"
 * is a threshold of 100.
 *
 * Of hwperf_ioctl() on this process: own:SPEC (PIOCENEVCTRS), get, relown, and
 * ownname:INDEX=EVENT; on another process: seen:PID, its generation. Of libperfex:
 * start:E0 and read:E0, whose other event is E0 + 16; lwp:E0 starts in an LWP that ends.
 *
 * hits:N calls hit() N times; run:PROGRAM:ARGUMENT runs a program; child makes the rest
 * of the calls first in a child of fork(2) and then in this process; wait prints a line
 * and waits for a line of stdin.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hwperf.h>
#include <libcpc.h>
#include <libperfex.h>
#include "hit.h"

static int own = -1;

static void result(const char *call, int rc)
{
	if (rc == -1)
		printf("%s -1 %s\n", call, strerrorname_np(errno));
	else
		printf("%s %d\n", call, rc);
}

static hwperf_profevctrarg_t arg_of(char *spec)
{
	hwperf_profevctrarg_t arg = {0};

	for (char *one; spec && (one = strsep(&spec, ","));) {
		char *modes = strchr(one, '=');
		const int i = atoi(one) % HWPERF_EVENTMAX;
		struct hwperf_ctrlreg creg = {0};

		creg.hwp_ev = i % HWPERF_CNTEVENTMAX & 0x7ff;
		for (const char *m = modes ? modes + 1 : ""; *m; m++) {
			creg.hwp_mode |= *m == 'u'   ? HWPERF_CNTEN_U
					 : *m == 's' ? HWPERF_CNTEN_S
					 : *m == 'k' ? HWPERF_CNTEN_K
					 : *m == 'e' ? HWPERF_CNTEN_E
						     : 0;
			if (*m == 't') {
				arg.hwp_ovflw_freq[i] += 100;
				arg.hwp_ovflw_sig = SIGUSR1;
			}
		}
		arg.hwp_evctrargs.hwp_evctrl[i].hwperf_creg = creg;
	}
	return arg;
}

static void values(const char *call, int rc, const hwperf_values_t *v, int classes)
{
	if (rc <= 0) {
		result(call, rc);
		return;
	}
	printf("%s %d", call, rc);
	for (int i = 0; i < HWPERF_EVENTMAX; i++) {
		const hwperf_value_t *one = &v->hwp_value[i];

		if (one->hwv_value || (classes && one->hwv_class))
			printf(" %d=%llu", i, (unsigned long long)one->hwv_value);
		if (classes && (one->hwv_enabled || one->hwv_class))
			printf(",%s", cpc_class_name((cpc_class_t)one->hwv_class));
	}
	putchar('\n');
}

static void counters(const char *call, int rc, const hwperf_cntr_t *c)
{
	hwperf_values_t v = {0};

	for (int i = 0; i < HWPERF_EVENTMAX; i++)
		v.hwp_value[i].hwv_value = c->hwp_evctr[i];
	values(call, rc, &v, 0);
}

static void control(const char *call)
{
	hwperf_eventctrl_t ctrl;
	const int rc = syssgi(SGI_EVENTCTR, HWPERF_GET_SYSEVCTRL, &ctrl);

	if (rc == -1) {
		result(call, rc);
		return;
	}
	printf("%s %d", call, rc);
	for (int i = 0; i < HWPERF_EVENTMAX; i++)
		if (ctrl.hwp_evctrl[i].hwperf_spec)
			printf(" %d=%d", i, ctrl.hwp_evctrl[i].hwperf_spec);
	putchar('\n');
}

static hwperf_evname_t name_of(char *text)
{
	char *name = strchr(text, '=');

	return (hwperf_evname_t){atoi(text), name ? name + 1 : NULL};
}

/* The commands of syssgi(). Returns 0 if call is none of them. */
static int system_call(const char *call, char *text)
{
	hwperf_profevctrarg_t arg =
		arg_of(strcmp(call, "en") == 0 || strcmp(call, "set") == 0 ? text : NULL);
	hwperf_values_t v = {0};
	hwperf_cntr_t c = {0};
	const int n = text ? atoi(text) : 0;

	if (strcmp(call, "en") == 0)
		result(call, syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, &arg));
	else if (strcmp(call, "set") == 0)
		result(call, syssgi(SGI_EVENTCTR, HWPERF_SET_SYSEVCTRL, &arg));
	else if (strcmp(call, "sys") == 0)
		counters(call, syssgi(SGI_EVENTCTR, HWPERF_GET_SYSCNTRS, &c), &c);
	else if (strcmp(call, "cpu") == 0)
		counters(call, syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, n, &c), &c);
	else if (strcmp(call, "vals") == 0)
		values(call, syssgi(SGI_EVENTCTR, HWPERF_GET_SYSVALS, &v), &v, 1);
	else if (strcmp(call, "cpuvals") == 0)
		values(call, syssgi(SGI_EVENTCTR, HWPERF_GET_CPUVALS, n, &v), &v, 1);
	else if (strcmp(call, "ctrl") == 0)
		control(call);
	else if (strcmp(call, "rel") == 0)
		result(call, syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS));
	else if (strcmp(call, "rule") == 0)
		result(call, syssgi(SGI_EVENTCTR, HWPERF_SET_SYSEVRULE, &n));
	else if (strcmp(call, "bad") == 0)
		result(call, syssgi(SGI_EVENTCTR, n, NULL, NULL, 0));
	else
		return 0;
	return 1;
}

static void *start_pair(void *e0)
{
	const int event = atoi(e0);

	result("lwp", start_counters(event, event + HWPERF_CNT1BASE));
	return NULL;
}

/* Start counters in an LWP that ends without a read. */
static void start_in_lwp(char *e0)
{
	pthread_t lwp;

	if (pthread_create(&lwp, NULL, start_pair, e0) || pthread_join(lwp, NULL))
		errx(1, "no LWP");
}

static void read_pair(int e0)
{
	long long c0 = 0, c1 = 0;
	const int rc = read_counters(e0, &c0, e0 + HWPERF_CNT1BASE, &c1);

	if (rc == -1)
		result("read", rc);
	else
		printf("read %d %lld %lld\n", rc, c0, c1);
}

/* Makes a call of hwperf_ioctl() or libperfex. Returns 0 if call names no such call. */
static int own_call(const char *call, char *text)
{
	hwperf_cntr_t c = {0};

	if (strcmp(call, "own") == 0) {
		hwperf_profevctrarg_t arg = arg_of(text);
		result(call, hwperf_ioctl(own, PIOCENEVCTRS, &arg));
	} else if (strcmp(call, "get") == 0) {
		counters(call, hwperf_ioctl(own, PIOCGETEVCTRS, &c), &c);
	} else if (strcmp(call, "relown") == 0) {
		result(call, hwperf_ioctl(own, PIOCRELEVCTRS));
	} else if (strcmp(call, "seen") == 0) {
		hwperf_eventctrl_t ctrl;
		result(call, hwperf_ioctl(hwperf_open(atoi(text)), PIOCGETEVCTRL, &ctrl));
	} else if (strcmp(call, "start") == 0) {
		result(call, start_counters(atoi(text), atoi(text) + HWPERF_CNT1BASE));
	} else if (strcmp(call, "lwp") == 0) {
		start_in_lwp(text);
	} else if (strcmp(call, "read") == 0) {
		read_pair(atoi(text));
	} else {
		return 0;
	}
	return 1;
}

/* Returns in the child, and in the parent when the child has ended. */
static pid_t forked(void)
{
	int status;
	const pid_t pid = fork();

	if (pid == -1)
		err(1, "fork");
	if (pid > 0 && (waitpid(pid, &status, 0) == -1 || status != 0))
		errx(1, "the child failed");
	return pid;
}

static void run(char *text)
{
	char *const program = strsep(&text, ":");

	if (forked())
		return;
	execl(program, program, text, NULL);
	err(127, "%s", program);
}

static void name(const char *call, char *text)
{
	const hwperf_evname_t of = name_of(text);

	result(call, strcmp(call, "name") == 0
			     ? syssgi(SGI_EVENTCTR, HWPERF_SET_SYSEVNAME, &of)
			     : hwperf_ioctl(own, PIOCSETEVNAME, &of));
}

static void call(char *at)
{
	const char *const what = strsep(&at, ":");
	char line[16];

	if (strcmp(what, "name") == 0 || strcmp(what, "ownname") == 0) {
		name(what, at);
	} else if (strcmp(what, "hits") == 0) {
		hits((unsigned)atoi(at));
	} else if (strcmp(what, "run") == 0) {
		run(at);
	} else if (strcmp(what, "child") == 0) {
		forked();
	} else if (strcmp(what, "wait") == 0) {
		puts("waiting");
		if (!fgets(line, sizeof line, stdin))
			exit(1);
	} else if (!system_call(what, at) && !own_call(what, at)) {
		errx(2, "unknown call %s", what);
	}
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	own = hwperf_open(getpid());
	if (own == -1)
		err(1, "hwperf_open");
	for (int i = 1; i < argc; i++)
		call(argv[i]);
	return 0;
}
