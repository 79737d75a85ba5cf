#include "engine/sim/by_code.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/why.h"

void sim_by_code_close(struct sim_by_code *c)
{
	sim_image_close(&c->file);
}

/* Each counter that an event needs is an event of the tool. */
static int add_counters(struct records_head *head, uint64_t needs)
{
	for (; needs; needs &= needs - 1) {
		if (head->nevents == RECORDS_EVENTS)
			return -1;
		head->event[head->nevents++] = (struct records_event){
			.counters = needs & -needs, .kind = RECORDS_COUNT};
	}
	return 0;
}

int sim_by_code_begin(struct sim_by_code *c, struct sim_run *run,
		      const struct evsel *const *sel, unsigned n, struct why *why)
{
	struct records_head head = {.room = 1};

	run->records = NULL;
	sim_by_code_close(c);
	if (!c->on)
		return 0;
	if (add_counters(&head, sim_group_needs(run, sel, n)) == -1)
		return why_refuse(why, ENOTSUP,
				  "cannot count by function: the events need more than "
				  "%d counters of the model; give fewer events",
				  RECORDS_EVENTS);
	if (sim_image_make(&c->file, &head) == -1)
		return why_refuse(why, errno == ENOMEM ? ENOMEM : ENOTSUP,
				  "cannot create the file for counts by function: %s",
				  strerror(errno));
	snprintf(c->option, sizeof c->option, "--cpc-records=/proc/%d/fd/%d",
		 (int)getpid(), c->file.fd);
	run->records = c->option;
	return 0;
}

/* What a count of each event of the tool adds to an event of the session. */
struct weights {
	unsigned n;
	double weight[][RECORDS_EVENTS];
};

static struct weights *make_weights(const struct sim_by_code *c, struct sim_run *run,
				    const struct evsel *const *sel, unsigned n)
{
	const struct machine *m = sim_machine(&run->machine, NULL);
	struct weights *w = m ? calloc(1, sizeof *w + n * sizeof w->weight[0]) : NULL;

	if (!w)
		return NULL;
	w->n = n;
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < c->file.head.nevents && !sel[i]->counted; k++)
			w->weight[i][k] = sim_expression_weight(
				&sel[i]->x, m,
				(enum sim_counter)__builtin_ctzll(
					c->file.head.event[k].counters));
	return w;
}

static struct engine_mapping *convert_mappings(const struct sim_image *image)
{
	struct engine_mapping *to = calloc(image->nmapping + 1, sizeof *to);

	for (size_t i = 0; to && i < image->nmapping; i++) {
		const struct sim_image_mapping *m = &image->mapping[i];

		to[i] = (struct engine_mapping){m->start, m->end,  m->offset,
						m->path,  m->head, m->head_size};
	}
	return to;
}

static struct engine_count *convert_counts(const struct sim_image *image,
					   const struct weights *w, size_t *n)
{
	struct engine_count *to = calloc(image->ncount * (size_t)w->n + 1, sizeof *to);

	*n = 0;
	for (size_t i = 0; to && i < image->ncount; i++)
		for (unsigned e = 0; e < w->n; e++) {
			const struct sim_image_count *from = &image->count[i];
			const double weight = w->weight[e][from->event];

			if (weight != 0)
				to[(*n)++] = (struct engine_count){
					from->pc, e, weight * (double)from->count};
		}
	return to;
}

static int report(const struct sim_image *image, const struct weights *w, void *arg,
		  int (*fn)(void *arg, const struct engine_image *image))
{
	struct engine_image to = {.pid = image->pid,
				  .program = image->program,
				  .nmapping = image->nmapping};
	struct engine_mapping *mapping = convert_mappings(image);
	struct engine_count *count = convert_counts(image, w, &to.ncount);
	int rc = -1;

	to.mapping = mapping;
	to.count = count;
	if (mapping && count)
		rc = fn(arg, &to);
	else
		errno = ENOMEM;
	free(mapping);
	free(count);
	return rc;
}

static int read_images(struct sim_by_code *c, const struct weights *w, void *arg,
		       int (*fn)(void *arg, const struct engine_image *image))
{
	int incomplete, rc = 0;
	const uint32_t n = sim_image_find(&c->file, &incomplete);
	struct sim_image image;

	if (incomplete || n == 0) {
		errno = ENODATA;
		return -1;
	}
	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		if (sim_image_read(&c->file, i, &image) == 0) {
			rc = report(&image, w, arg, fn);
			sim_image_free(&image);
		} else if (errno == ENOMEM) {
			rc = -1;
		}
	}
	return rc;
}

int sim_by_code_read(struct sim_by_code *c, struct sim_run *run,
		     const struct evsel *const *sel, unsigned n, void *arg,
		     int (*fn)(void *arg, const struct engine_image *image))
{
	if (c->file.fd == -1) {
		errno = ENODATA;
		return -1;
	}
	struct weights *w = make_weights(c, run, sel, n);
	const int rc = w ? read_images(c, w, arg, fn) : -1, e = errno;

	free(w);
	errno = e;
	return rc;
}
