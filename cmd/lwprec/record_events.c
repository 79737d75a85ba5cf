#include "record.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/status.h"

/* The greatest interval of LWP, whose 26 bits have a sign. */
enum { MAX_INTERVAL = 1 << 25 };

/* Read the interval behind a name. Exits on bad use. */
static uint64_t read_interval(const char *name, const char *text)
{
	char *end;

	errno = 0;
	const unsigned long long n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || !n || n > MAX_INTERVAL)
		errx(EXIT_USAGE, "-e %s: the interval '%s' is not a number from 1 to %d",
		     name, text, MAX_INTERVAL);
	return n;
}

/* Is an event refused because of what the user wrote, on whatever machine? */
static int is_mistake(int error)
{
	return error == EINVAL || error == EEXIST || error == ENOENT || error == ENOSPC;
}

void record_each_event(const char *text,
		       int (*add)(void *arg, const char *name, uint64_t interval,
				  struct why *why),
		       void *arg)
{
	char *const copy = strdup(text), *rest = copy;
	struct why why;

	if (!copy)
		err(EXIT_TOOL, "cannot read the events");
	for (char *word; (word = strsep(&rest, ","));) {
		const char *name = strsep(&word, ":");
		const uint64_t interval = word ? read_interval(name, word) : 0;

		if (add(arg, name, interval, &why) == 0)
			continue;
		errx(is_mistake(errno) ? EXIT_USAGE : EXIT_TOOL, "-e: %s", why.text);
	}
	free(copy);
}
