#include "session_notes.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

#include "common/message.h"

static const char warning[] =
	"WARNING: Multiplexing events to project totals--inaccuracy possible\n";

/* Is it one that is always 0? That is told, lest it be taken for a count. */
static int is_zero(const char *how)
{
	return strncmp(how, "as 0", 4) == 0;
}

static void print(const struct perfex_row *row, int countable, int simulated)
{
	const cpc_value_t *v = &row->value;
	const char *class = cpc_class_name(v->quality);
	const char *how = row->note ? row->note : "";
	const char *sep = *how ? ", counted " : "";
	char name[CPC_MAX_EVENT_LEN + 32];

	if (row->number >= 0)
		snprintf(name, sizeof name, "event %d (%s)", row->number, row->name);
	else
		snprintf(name, sizeof name, "%s", row->name);
	if (!countable)
		warnx("%s: not countable: %s", name, how);
	else if (v->quality == CPC_UNAVAILABLE && simulated)
		warnx("%s: not counted: the program ran without the simulator", name);
	else if (v->quality == CPC_UNAVAILABLE && v->enabled > 0)
		warnx("%s: not counted%s%s: the kernel never found counters for it; "
		      "others hold them (perf, the NMI watchdog)",
		      name, sep, how);
	else if (v->quality == CPC_UNAVAILABLE)
		warnx("%s: not counted: counting never began", name);
	else if (v->running < v->enabled)
		warnx("%s: %s: counted %.2f %% of the time, the rest is extrapolated%s%s",
		      name, class, 100.0 * (double)v->running / (double)v->enabled, sep,
		      how);
	else if (v->quality > CPC_SIMULATED)
		warnx("%s: %s%s%s", name, class, sep, how);
	else if ((v->quality == CPC_EXACT && *how) || is_zero(how))
		warnx("%s: counted %s", name, how);
}

int session_notes(const struct session *s)
{
	const char *notice = cpc_engine_notice(s->cpc);
	int inexact = 0, projected = 0;

	for (unsigned i = 0; i < s->n; i++) {
		const cpc_value_t *v = &s->row[i].value;

		inexact |= v->quality > CPC_SIMULATED;
		projected |= v->quality != CPC_UNAVAILABLE && v->running < v->enabled;
	}
	if (projected)
		fputs(warning, stderr);
	if (notice)
		warnx("%s", notice);
	for (unsigned i = 0; i < s->n; i++)
		print(&s->row[i], s->set[i] != NULL, notice != NULL);
	return cpc_run_notes(s->cpc, NULL, message_note) > 0 || inexact;
}
