#include "engine/why.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "table/table.h"

int why_attributes(const struct engine_request *req, struct why *why)
{
	const char *call = req->tab->dispatch;

	snprintf(why->text, sizeof why->text,
		 "%s: attribute '%s' is for --explain%s%s; neither the kernel nor the "
		 "simulation can count with it",
		 req->name, req->attrs[0].ca_name, call ? " and " : "", call ? call : "");
	errno = ENOTSUP;
	return -1;
}

int why_refuse(struct why *why, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (why)
		vsnprintf(why->text, sizeof why->text, fmt, ap);
	va_end(ap);
	errno = err;
	return -1;
}
