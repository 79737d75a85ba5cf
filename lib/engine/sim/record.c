#include "engine/sim/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/sim/image.h"
#include "engine/sim/run.h"
#include "engine/why.h"

struct sim_record {
	struct sim_run run;
	struct sim_command command;
	struct sim_image_file file;
	char option[64]; /* of the tool */
};

static uint64_t bit(enum sim_counter c)
{
	return UINT64_C(1) << c;
}

/* The events that make records, with all counters that they are the sum of. */
static const struct {
	const char *name;
	enum records_kind kind;
	uint64_t counters;
} known[] = {
	{"ire", RECORDS_INSN, UINT64_C(1) << CTR_INSN},
	{"bre", RECORDS_BRANCH,
	 UINT64_C(1) << CTR_BR_COND | UINT64_C(1) << CTR_BR_DIR |
		 UINT64_C(1) << CTR_BR_IND | UINT64_C(1) << CTR_BR_RET},
	{"dme", RECORDS_MISS,
	 UINT64_C(1) << CTR_D1_RD_MISS | UINT64_C(1) << CTR_D1_WR_MISS |
		 UINT64_C(1) << CTR_D1_PF_MISS},
};
enum { KNOWN = sizeof known / sizeof known[0] };

const char *sim_record_name(const struct records_event *event)
{
	for (unsigned i = 0; i < KNOWN; i++)
		if (known[i].kind == event->kind)
			return known[i].name;
	return sim_vocab[__builtin_ctzll(event->counters)].name;
}

/* A counter that is not one of known[]. */
static int find_counter(struct records_event *event, const char *name, uint64_t interval,
			struct why *why)
{
	const enum sim_counter c = sim_expression_word(name, (unsigned)strlen(name));

	if ((unsigned)c == SIM_NVOCAB)
		return why_refuse(why, ENOENT,
				  "cannot record '%s': the simulator has no such event; "
				  "it records ire, bre and dme, and counts what "
				  "cputrack --engine=sim --list shows",
				  name);
	if (c >= CTR_SCHED16)
		return why_refuse(why, ENOTSUP,
				  "cannot record '%s': it is an estimate of time, which "
				  "is not counted by instruction",
				  name);
	if (interval)
		return why_refuse(why, EINVAL,
				  "cannot record every %lluth '%s': the counters of the "
				  "model are only counted; leave out the interval",
				  (unsigned long long)interval, name);
	*event = (struct records_event){.counters = bit(c), .kind = RECORDS_COUNT};
	return 0;
}

static int find_event(struct records_event *event, const char *name, uint64_t interval,
		      struct why *why)
{
	for (unsigned i = 0; i < KNOWN; i++)
		if (strcasecmp(known[i].name, name) == 0) {
			*event = (struct records_event){.counters = known[i].counters,
							.kind = known[i].kind,
							.interval = interval};
			return 0;
		}
	return find_counter(event, name, interval, why);
}

int sim_record_add(struct records_head *head, const char *name, uint64_t interval,
		   struct why *why)
{
	struct records_event event;

	if (find_event(&event, name, interval, why) == -1)
		return -1;
	for (unsigned i = 0; i < head->nevents; i++)
		if (head->event[i].kind == event.kind &&
		    head->event[i].counters == event.counters)
			return why_refuse(why, EEXIST, "'%s' is given twice", name);
	if (head->nevents == RECORDS_EVENTS)
		return why_refuse(why, ENOSPC,
				  "cannot record '%s': %d events are the most", name,
				  RECORDS_EVENTS);
	head->event[head->nevents++] = event;
	return 0;
}

/*
 * The counters that the run must count in total. The tool counts those of ire, bre and
 * dme by instruction only, and simulates what they need.
 */
static uint64_t needs(const struct records_head *head)
{
	uint64_t all = bit(CTR_INSN);

	for (unsigned e = 0; e < head->nevents; e++)
		if (head->event[e].kind == RECORDS_COUNT)
			all |= head->event[e].counters;
	return all;
}

struct sim_record *sim_record_open(const struct sim_record_run *run, struct why *why)
{
	struct sim_record *r = calloc(1, sizeof *r);

	if (!r) {
		why_refuse(why, ENOMEM, "simulation: %s", strerror(ENOMEM));
		return NULL;
	}
	r->run.pages.fd = r->file.fd = -1;
	r->run.inside = engine_inside();
	r->run.needs = needs(run->head);
	if (sim_machine_use(&r->run.machine, run->machine, run->chosen) == -1)
		why_refuse(why, ENOMEM, "simulation: %s", strerror(ENOMEM));
	else if (run->reproducible &&
		 sim_run_reproduce(&r->run, run->reproducible, why) == -1)
		;
	else if (sim_image_make(&r->file, run->head) == -1)
		why_refuse(why, errno, "cannot create the file for records: %s",
			   strerror(errno));
	else
		return r;
	const int e = errno;
	sim_record_close(r);
	errno = e;
	return NULL;
}

void sim_record_close(struct sim_record *r)
{
	if (!r)
		return;
	sim_run_free_command(&r->command);
	sim_pages_free(&r->run.pages);
	sim_machine_free(&r->run.machine);
	sim_image_close(&r->file);
	free(r);
}

char *const *sim_record_command(struct sim_record *r, char *const *argv, struct why *why)
{
	snprintf(r->option, sizeof r->option, "--cpc-records=/proc/%d/fd/%d",
		 (int)getpid(), r->file.fd);
	r->run.records = r->option;
	return sim_run_command(&r->run, &r->command, argv, NULL, 0, why) == 0
		       ? r->command.argv
		       : NULL;
}

unsigned sim_record_notes(struct sim_record *r, void *arg,
			  void (*fn)(void *arg, const char *text))
{
	return sim_run_notes(&r->run, arg, fn);
}

int sim_record_unstarted(struct sim_record *r)
{
	return sim_run_unstarted(&r->run);
}

int sim_record_failed(struct sim_record *r)
{
	return sim_run_failed(&r->run);
}

uint32_t sim_record_images(struct sim_record *r, int *incomplete)
{
	return sim_image_find(&r->file, incomplete);
}

int sim_record_read(struct sim_record *r, uint32_t image, struct sim_image *to)
{
	return sim_image_read(&r->file, image, to);
}
