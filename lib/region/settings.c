#include "region/settings.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The signals that a program can be sent for a report; others have uses of their own. */
static const struct {
	const char *name;
	int signo;
} signals[] = {
	{"HUP", SIGHUP},   {"INT", SIGINT},   {"QUIT", SIGQUIT},   {"USR1", SIGUSR1},
	{"USR2", SIGUSR2}, {"TERM", SIGTERM}, {"WINCH", SIGWINCH}, {"IO", SIGIO},
	{"PWR", SIGPWR},   {"URG", SIGURG},   {"XCPU", SIGXCPU},
};

static int invalid(const char *variable, const char *value, const char *valid, char *err,
		   size_t size)
{
	char clean[64];

	snprintf(clean, sizeof clean, "%s", value);
	text_clean(clean, "");
	snprintf(err, size, "%s: '%s' is not valid; use %s", variable, clean, valid);
	errno = EINVAL;
	return -1;
}

static int read_signal(const char *value, int *signo)
{
	const char *name = strncmp(value, "SIG", 3) == 0 ? value + 3 : value;

	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		if (strcmp(name, signals[i].name) == 0) {
			*signo = signals[i].signo;
			return 0;
		}
	return -1;
}

int region_settings_read(struct region_settings *s, char *err, size_t size)
{
	const char *format = secure_getenv("CPC_REGIONS_FORMAT");
	const char *signal = secure_getenv("CPC_REGIONS_SIGNAL");

	*s = (struct region_settings){
		.events = secure_getenv("CPC_EVENTS"),
		.engine = secure_getenv("CPC_ENGINE"),
		.file = secure_getenv("CPC_REGIONS_FILE"),
		.json = format && strcmp(format, "json") == 0,
	};
	if (format && !s->json && strcmp(format, "text") != 0)
		return invalid("CPC_REGIONS_FORMAT", format, "text or json", err, size);
	if (signal && read_signal(signal, &s->signo) == -1)
		return invalid("CPC_REGIONS_SIGNAL", signal,
			       "the name of a signal that asks for a report, such as "
			       "USR1",
			       err, size);
	return 0;
}
