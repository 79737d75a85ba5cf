#include "irix/event.h"

#include <errno.h>
#include <string.h>

#include "table/table.h"

int irix_event_has_cpu(const char *cpu)
{
	return strcmp(cpu, "r10000") == 0 || strcmp(cpu, "r12000") == 0;
}

static const struct event *find(const char *cpu, int number)
{
	const struct evtab *tab = evtab_find(cpu);

	return tab && number >= 0 && number < IRIX_NEVENTS
		       ? evtab_num(tab, (unsigned)number)
		       : NULL;
}

/* perfex(1) knows decimal numbers only: a leading zero does not make a number octal. */
static int decimal(const char *text)
{
	int v = 0;

	for (; *text; text++) {
		v = v * 10 + (*text - '0');
		if (v >= IRIX_NEVENTS) {
			errno = EINVAL;
			return -1;
		}
	}
	return v;
}

int irix_event_number(const char *cpu, const char *text)
{
	const struct evtab *tab = evtab_find(cpu);

	if (*text && text[strspn(text, "0123456789")] == '\0')
		return decimal(text);
	const struct event *ev = tab ? evtab_name(tab, text) : NULL;
	if (ev && ev->num < IRIX_NEVENTS)
		return (int)ev->num;
	errno = ENOENT;
	return -1;
}

const char *irix_event_name(const char *cpu, int number)
{
	const struct event *ev = find(cpu, number);

	return ev ? ev->name : NULL;
}

const char *irix_event_label(const char *cpu, int number)
{
	const struct event *ev = find(cpu, number);

	return ev ? ev->title : NULL;
}
