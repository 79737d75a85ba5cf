#include "suite/report/html_section.h"

#include <stdlib.h>
#include <string.h>

#include "suite/page/page.h"
#include "suite/report/html_facts.h"

/* The title is that of the first run. */
void html_page(struct report *r, const struct report_run *run)
{
	if (r->shown)
		return;
	const char *command = run ? run->facts.run.command : NULL;
	page_begin(&r->text, command ? command : "OpenCPC");
}

static void put_facts(struct report *r, const struct report_run *run)
{
	const struct record_run *facts = &run->facts.run;
	struct textbuf *b = &r->text;
	struct textbuf when = {0};

	report_put_time(&when, facts->row.unix_ns);
	char *time = textbuf_end(&when);
	page_facts(b);
	page_fact(b, "file", strcmp(run->path, "-") == 0 ? "standard input" : run->path);
	page_fact(b, "measured by", facts->tool);
	page_fact(b, "version", facts->version);
	if (facts->engine)
		page_fact(b, "counted by",
			  strcmp(facts->engine, "sim") == 0 ? "a simulation"
							    : "the kernel");
	page_fact(b, "model", facts->model);
	page_fact(b, "reproducible", facts->reproducible);
	page_fact(b, "host", facts->row.host);
	page_fact(b, "rank", facts->row.rank);
	page_fact(b, "processor", run->facts.cpu_model);
	html_facts(b, run);
	page_fact(b, "begun", facts->row.unix_ns ? time : NULL);
	page_facts_end(b);
	b->failed |= !time;
	free(time);
	if (!run->has_ended && !run->is_guess)
		page_words(b, "Incomplete: the run has no last record. It was killed, or "
			      "goes on.");
}

void html_begin(struct report *r, const struct report_run *run)
{
	const char *command = run->facts.run.command;

	html_page(r, run);
	page_section(&r->text, command	      ? command
			       : run->nseries ? run->series[0].runs.command
					      : run->path);
}

void html_end(struct report *r, const struct report_run *run)
{
	page_heading(&r->text, "The run");
	put_facts(r, run);
	page_section_end(&r->text);
}
