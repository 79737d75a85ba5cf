#include "engine/why.h"

#include <errno.h>
#include <stdio.h>

#include "table/table.h"

int attr_why(const struct evask *ask, struct why *why)
{
	const char *call = ask->tab->dispatch;

	snprintf(why->text, sizeof why->text,
		 "%s: attribute '%s' is for --explain%s%s; neither the kernel nor the "
		 "simulation can count with it",
		 ask->name, ask->attrs[0].ca_name, call ? " and " : "", call ? call : "");
	errno = ENOTSUP;
	return -1;
}
