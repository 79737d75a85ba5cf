/* lwprec record: records of events that the simulator counts. */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/program.h"
#include "common/child.h"
#include "common/machine.h"
#include "common/message.h"
#include "common/status.h"
#include "engine/machine.h"
#include "record.h"
#include "suite/simulated/image.h"

/* Without -e; a record of each 1,000th event takes little of the simulation's time. */
static const char default_events[] = "ire:1000,bre:1000,dme:1000";

/* Without --machine. */
static const char default_machine[] = "r10000";

/* Records that a ring holds: 32 MiB. */
enum { ROOM = (1 << 20) - 1 };

struct simulation {
	const struct record *how;
	struct machine machine;
	char source[320];
	struct records_head head;
	struct sim_record *record;
	char *const *argv; /* of the simulator */
	struct child child;
	int first;	  /* the file of the first image; -1: it is not open */
	unsigned written; /* recordings */
	int failed;	  /* a recording could not be written */
	int incomplete;	  /* some records are missing */
	int unstarted;	  /* the simulator could not be executed */
};

/* ---- What is recorded */

static int add_event(void *arg, const char *name, uint64_t interval, struct why *why)
{
	return sim_record_add(arg, name, interval, why);
}

static void choose_events(struct simulation *s)
{
	const char *events = s->how->events;

	record_each_event(events ? events : default_events, add_event, &s->head);
	for (unsigned e = 0; e < s->head.nevents; e++)
		if (s->head.event[e].kind != RECORDS_COUNT && !s->head.event[e].interval)
			s->head.event[e].interval = 1;
	s->head.room = ROOM;
}

static void print_mistake(void *arg, const char *text)
{
	(void)arg;
	warnx("%s", text);
}

/* The machine that the user chose, or the default with the user's changes. */
static void choose_machine(struct simulation *s)
{
	const struct options_shared *shared = &s->how->shared;
	const struct machine_choice choice = {.name = default_machine,
					      .changes = {shared->nset, shared->set}};
	struct machine_mistakes mistakes = {NULL, print_mistake, 0};

	if (shared->simulated) {
		s->machine = *shared->simulated;
	} else if (machine_open(&choice, &s->machine, NULL, &mistakes) == -1) {
		if (!mistakes.n)
			err(EXIT_TOOL, "cannot read machine '%s'", choice.name);
		exit(EXIT_USAGE);
	}
}

/*
 * Name the source of the events: the machine, with a hash of its values if the user has
 * changed or described it.
 */
static void name_source(struct simulation *s)
{
	const struct options_shared *shared = &s->how->shared;
	const char *const level = shared->reproducible;
	const int own = shared->nset ||
			(shared->machine && strcmp(shared->machine, s->machine.name));
	char hash[32] = "";

	if (own)
		snprintf(hash, sizeof hash, ":%016" PRIx64, machine_hash(&s->machine));
	snprintf(s->source, sizeof s->source, "simulated %s%s%s%s", s->machine.name, hash,
		 level ? ", reproducible on x86-64-" : "", level ? level : "");
}

/* ---- The run */

/* Returns 0, or the exit status after a message. */
static int start(struct simulation *s)
{
	const struct record *const how = s->how;
	const struct sim_record_run run = {.machine = &s->machine,
					   .chosen = how->shared.simulated ||
						     how->shared.nset,
					   .reproducible = how->shared.reproducible,
					   .head = &s->head};
	struct why why;

	s->record = sim_record_open(&run, &why);
	if (!s->record) {
		warnx("%s", why.text);
		return EXIT_TOOL;
	}
	s->argv = sim_record_command(s->record, how->argv, &why);
	if (!s->argv) {
		const int e = errno;

		warnx("cannot record '%s': %s", how->argv[0], why.text);
		return status_of_exec(e);
	}
	s->first = outfile_open(how->file, 0);
	if (s->first == -1) {
		warn("cannot write %s", how->file);
		return EXIT_TOOL;
	}
	if (child_start(&s->child, s->argv, 0) == 0 && child_go(&s->child) == 0)
		return 0;
	warn("cannot start '%s'", how->argv[0]);
	return EXIT_TOOL;
}

/* Wait for the end of the command. Returns its exit status. */
static int follow(struct simulation *s)
{
	enum child_event ev;

	do
		ev = child_next(&s->child, 0);
	while (ev != CHILD_ENDED && ev != CHILD_GIVEN_UP);
	const int error = ev == CHILD_ENDED ? child_exec_error(&s->child) : 0;
	if (error) {
		char reason[512];
		int e = error;

		s->unstarted = 1;
		warnx("cannot execute the simulator '%s': %s", s->argv[0],
		      program_reason(s->argv[0], &e, reason, sizeof reason));
		return EXIT_TOOL;
	}
	return ev == CHILD_ENDED ? status_of_wait(s->child.status) : 128 + SIGINT;
}

/* ---- The recordings */

/* Write a recording to the n-th file of its process. Returns 0, or -1 with errno. */
static int put(struct simulation *s, const struct recording *r, const char *name,
	       unsigned n)
{
	const int fd = n ? outfile_open(name, OUTFILE_DERIVED) : s->first;

	if (n == 0)
		s->first = -1;
	if (fd == -1)
		return -1;
	const int rc = recording_write(fd, r), e = errno;
	if (close(fd) == -1 && rc == 0)
		return -1;
	errno = e;
	return rc;
}

static void note_missed(struct simulation *s, const char *name,
			const struct sim_image *image)
{
	const uint64_t missed = simulated_missed(image);
	uint64_t stored = 0;

	for (size_t i = 0; i < image->nring; i++)
		stored += image->ring[i].n;
	if (!missed)
		return;
	s->incomplete = 1;
	message_notef("%s has records of %" PRIu64 " events, and %" PRIu64
		      " more did not fit: give -e a longer interval; counts are complete",
		      name, stored, missed);
}

/* Write an image to the n-th file of its process. */
static void write_image(struct simulation *s, const struct sim_image *image, unsigned n)
{
	char *const name = record_name(s->how->file, image->pid, n);
	struct recording r;

	if (simulated_recording(&r, image, &s->head, s->source) == -1)
		err(EXIT_TOOL, "cannot make the recording %s", name);
	r.line_size = (uint32_t)s->machine.d1.line;
	if (put(s, &r, name, n) == -1) {
		warn("cannot write %s", name);
		s->failed = 1;
	} else {
		s->written++;
		note_missed(s, name, image);
	}
	simulated_free(&r);
	free(name);
}

/* The images of a run, by process. */
struct images {
	uint32_t n;
	pid_t *pid; /* of each image so far */
};

/* The number of an image's file: 0 for the very first, else the n-th of its process. */
static unsigned number_of(const struct images *all, pid_t pid)
{
	unsigned before = 0;

	for (uint32_t i = 0; i < all->n; i++)
		before += all->pid[i] == pid;
	return all->n == 0 ? 0 : before + (all->pid[0] != pid);
}

static void write_images(struct simulation *s)
{
	int incomplete;
	const uint32_t n = sim_record_images(s->record, &incomplete);
	struct images all = {.pid = calloc(n + 1, sizeof *all.pid)};
	struct sim_image image;

	if (!all.pid)
		err(EXIT_TOOL, "cannot read the recordings");
	for (uint32_t i = 0; i < n; i++) {
		if (sim_record_read(s->record, i, &image) == -1) {
			incomplete |= errno == ENOMEM;
			continue;
		}
		write_image(s, &image, number_of(&all, image.pid));
		all.pid[all.n++] = image.pid;
		sim_image_free(&image);
	}
	free(all.pid);
	if (incomplete)
		message_notef("memory ran out: some counts and records are missing");
	s->failed |= incomplete;
}

static int finish(struct simulation *s, int status)
{
	const int strict = s->how->shared.strict;

	if (sim_record_notes(s->record, NULL, message_note) && strict)
		status = EXIT_TOOL;
	if (sim_record_unstarted(s->record))
		return EXIT_TOOL;
	s->failed |= sim_record_failed(s->record);
	write_images(s);
	message_notef("%s, fed with the x86-64 instruction stream: %u recording%s",
		      s->source, s->written, s->written == 1 ? "" : "s");
	return s->failed || (strict && s->incomplete) ? EXIT_TOOL : status;
}

int record_sim(const struct record *r)
{
	struct simulation s = {.how = r, .first = -1};

	choose_events(&s);
	choose_machine(&s);
	name_source(&s);
	int status = start(&s);
	if (status == 0) {
		status = follow(&s);
		child_end(&s.child);
		if (!s.unstarted)
			status = finish(&s, status);
	}
	sim_record_close(s.record);
	return status;
}
