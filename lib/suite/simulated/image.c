#include "suite/simulated/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <lwp.h>
#include "base/bytes.h"

/* Offsets in the LWPCB (section 6); it ends after the intervals and counters. */
enum {
	CB_FLAGS = 0,
	CB_SIZE = 4,
	CB_HEAD = 16,
	CB_MISSED = 24,
	CB_BYTES = LWP_EVENT_OFFSET + 8 * LWP_MAX_EVENTS
};

static uint8_t id_of(const struct records_event *e)
{
	static const uint8_t id[RECORDS_KINDS] = {[RECORDS_INSN] = LWP_EVENT_IRE,
						  [RECORDS_BRANCH] = LWP_EVENT_BRE,
						  [RECORDS_MISS] = LWP_EVENT_DME};

	return e->interval && e->kind < RECORDS_KINDS ? id[e->kind] : 0;
}

/* ---- Events and counts */

static int add_counts(struct recording *r, const struct sim_image *image)
{
	r->count = calloc(image->ncount + 1, sizeof *r->count);
	if (!r->count)
		return -1;
	for (size_t i = 0; i < image->ncount; i++) {
		const struct sim_image_count *const c = &image->count[i];

		r->count[i] = (struct recording_count){c->pc, c->event, c->count};
		r->event[c->event].events += c->count;
	}
	r->ncount = image->ncount;
	return 0;
}

static int add_events(struct recording *r, const struct records_head *head,
		      const char *source)
{
	r->event = calloc(head->nevents + 1, sizeof *r->event);
	if (!r->event)
		return -1;
	for (uint32_t e = 0; e < head->nevents; e++)
		r->event[e] =
			(struct recording_event){.id = id_of(&head->event[e]),
						 .name = sim_record_name(&head->event[e]),
						 .source = source,
						 .interval = head->event[e].interval};
	r->nevent = head->nevents;
	return 0;
}

/* ---- Mappings */

/* A mapping adds itself, and a part of the mapping in whose midst it is. */
static int add_mappings(struct recording *r, const struct sim_image *image)
{
	r->mapping = calloc(2 * image->nmapping + 2, sizeof *r->mapping);
	if (!r->mapping)
		return -1;
	for (size_t i = 0; i < image->nmapping; i++) {
		const struct sim_image_mapping *const m = &image->mapping[i];

		recording_map(r, &(struct recording_mapping){.start = m->start,
							     .end = m->end,
							     .offset = m->offset,
							     .path = m->path,
							     .head = m->head,
							     .head_size = m->head_size});
	}
	return 0;
}

/* ---- Rings */

static uint16_t branch_flags(unsigned flags)
{
	return (flags & RECORD_TAKEN ? LWP_BRE_TKN : 0) |
	       (flags & RECORD_PREDICTED ? LWP_BRE_PRV : 0) |
	       (flags & RECORD_RIGHT ? LWP_BRE_PRD : 0);
}

static uint16_t miss_flags(unsigned flags)
{
	const unsigned source = flags & RECORD_REMOTE	? LWP_SRC_REMOTE
				: flags & RECORD_MEMORY ? LWP_SRC_DRAM
				: flags & RECORD_L3	? LWP_SRC_L3
							: LWP_SRC_NONE;

	return (uint16_t)(LWP_DME_DAV | source << 13);
}

static lwp_record_t convert(const struct records_record *from)
{
	lwp_record_t to = {.id = LWP_EVENT_IRE,
			   .core = from->cpu,
			   .ip = from->pc,
			   .timestamp = from->insns};

	if (from->kind == RECORDS_BRANCH) {
		to.id = LWP_EVENT_BRE;
		to.flags = branch_flags(from->flags);
		to.data2 = from->data;
	} else if (from->kind == RECORDS_MISS) {
		to.id = LWP_EVENT_DME;
		to.flags = miss_flags(from->flags);
		to.data1 = from->latency;
		to.data2 = from->data;
	}
	return to;
}

static void fill_block(uint8_t *block, const struct records_head *head,
		       const struct sim_image_ring *ring)
{
	uint32_t flags = LWP_FLAG_PTSC;

	for (uint32_t e = 0; e < head->nevents; e++) {
		const unsigned id = id_of(&head->event[e]);

		if (!id)
			continue;
		flags |= LWP_FLAG(id);
		bytes_put32(block + LWP_EVENT_OFFSET + 8 * (id - 1),
			    (uint32_t)(head->event[e].interval - 1));
	}
	bytes_put32(block + CB_FLAGS, flags);
	/* A slot of the ring is always free. */
	bytes_put32(block + CB_SIZE, (uint32_t)(head->room + 1) * LWP_EVENT_SIZE);
	bytes_put32(block + CB_HEAD, (uint32_t)ring->n * LWP_EVENT_SIZE);
	bytes_put64(block + CB_MISSED, ring->missed);
}

/* Make the records of a ring LWP records, which take the same place. */
static const uint8_t *convert_all(const struct sim_image_ring *ring)
{
	uint8_t *const bytes = (uint8_t *)ring->record;

	_Static_assert(sizeof(*ring->record) == LWP_EVENT_SIZE, "the size of a record");
	for (uint64_t i = 0; i < ring->n; i++) {
		const lwp_record_t record = convert(&ring->record[i]);

		lwp_record_encode(bytes + i * LWP_EVENT_SIZE, &record);
	}
	return bytes;
}

static int add_ring(struct recording *r, const struct sim_image_ring *from,
		    const struct records_head *head)
{
	uint8_t *const block = calloc(1, CB_BYTES);

	if (!block)
		return -1;
	fill_block(block, head, from);
	r->thread[r->nthread++] = (struct recording_thread){from->tid, from->name};
	r->ring[r->nring++] =
		(struct recording_ring){.tid = from->tid,
					.block = block,
					.block_size = CB_BYTES,
					.bytes = convert_all(from),
					.size = (size_t)from->n * LWP_EVENT_SIZE};
	return 0;
}

static int add_rings(struct recording *r, const struct sim_image *image,
		     const struct records_head *head)
{
	r->thread = calloc(image->nring + 1, sizeof *r->thread);
	r->ring = calloc(image->nring + 1, sizeof *r->ring);
	if (!r->thread || !r->ring)
		return -1;
	for (size_t i = 0; i < image->nring; i++)
		if (add_ring(r, &image->ring[i], head))
			return -1;
	return 0;
}

/* ---- The recording */

/* The words of the command, joined by blanks. */
static char *join(const struct sim_image *image)
{
	char *const text = calloc(1, image->argv_size + 1);

	for (size_t i = 0; text && i < image->argv_size; i++)
		text[i] = image->argv[i] ? image->argv[i] : ' ';
	for (size_t n = image->argv_size; text && n && text[n - 1] == ' '; n--)
		text[n - 1] = '\0';
	return text;
}

int simulated_recording(struct recording *r, const struct sim_image *image,
			const struct records_head *head, const char *source)
{
	*r = (struct recording){.pid = image->pid,
				.command = join(image),
				.program = image->program,
				.unix_ns = image->unix_ns,
				.event_offset = LWP_EVENT_OFFSET,
				.event_size = LWP_EVENT_SIZE,
				.clock = "instructions",
				.is_own = 1};
	if (r->command && !add_events(r, head, source) && !add_counts(r, image) &&
	    !add_mappings(r, image) && !add_rings(r, image, head))
		return 0;
	simulated_free(r);
	errno = ENOMEM;
	return -1;
}

void simulated_free(struct recording *r)
{
	for (size_t i = 0; i < r->nring; i++)
		free((void *)r->ring[i].block);
	free((void *)r->command);
	free(r->event);
	free(r->count);
	free(r->mapping);
	free(r->thread);
	free(r->ring);
	*r = (struct recording){.pid = 0};
}

uint64_t simulated_missed(const struct sim_image *image)
{
	uint64_t missed = 0;

	for (size_t i = 0; i < image->nring; i++)
		missed += image->ring[i].missed;
	return missed;
}
