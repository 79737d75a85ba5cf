#include "sets.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>

#include "info.h"
#include "message.h"
#include "status.h"

struct setgrp *sets_make(const struct suite *s, const struct choice *ask,
			 void (*bad_spec)(void), cpc_t **cpc)
{
	struct setgrp *sets;
	char text[4096];

	if (choose_engine(ask, message_cpc, cpc, &sets, text, sizeof text) == 0)
		return sets;
	switch (errno) {
	case ENODEV:
		if (*text)
			info_unknown_choice(s);
		break;
	case EINVAL:
		if (!*text)
			exit(EXIT_USAGE);
		warnx("%s", text);
		bad_spec();
		break;
	case ENOMEM:
		warnx("no memory available");
	}
	exit(EXIT_TOOL);
}
