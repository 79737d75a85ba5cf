#include "engine/sim/sampling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/sim/inside.h"
#include "engine/why.h"

enum { AT_ONCE = 16 }; /* records that one request reads */

struct smpl_source {
	uint64_t id;	/* the simulator's */
	int64_t opened; /* when, ns of CLOCK_MONOTONIC */
	int64_t off;	/* ns during which it was frozen, without the present freeze */
	int64_t frozen; /* when it was frozen, ns of CLOCK_MONOTONIC; 0: it is not */
};

struct evsel *sim_sampling_encode(struct sim_run *run, const struct engine_request *req,
				  unsigned latency, struct why *why)
{
	if (latency) {
		why_refuse(
			why, EINVAL,
			"%s: the model has no latencies of loads; leave ld_lat_threshold "
			"out",
			req->name);
		return NULL;
	}
	struct evsel *s = sim_encode(&run->machine, req, why);
	if (!s || (s->x.n == 1 && s->x.term[0].counter < SIM_NCOUNTERS))
		return s;
	sim_encode_drop(s);
	why_refuse(
		why, ENOTSUP,
		"%s: the simulation gives records only of a single counter of the model, "
		"not of a sum or an estimate",
		req->name);
	return NULL;
}

/* Does the counter count accesses to data, whose addresses are known? */
static int has_address(enum sim_counter c)
{
	switch (c) {
	case CTR_LOAD:
	case CTR_STORE:
	case CTR_UNAL_LD:
	case CTR_UNAL_ST:
	case CTR_D1_RD:
	case CTR_D1_RD_MISS:
	case CTR_D1_WR:
	case CTR_D1_WR_MISS:
	case CTR_D1_UPG:
	case CTR_L2_RD_REF:
	case CTR_L2_RD_MISS:
	case CTR_L2_WR_REF:
	case CTR_L2_WR_MISS:
	case CTR_L3_RD_MISS:
	case CTR_L3_WR_MISS:
	case CTR_DTLB1_MISS:
	case CTR_DTLB_MISS:
	case CTR_WAY_MISS_D:
		return 1;
	default:
		return 0;
	}
}

uint64_t sim_sampling_probe(const struct sim_run *run, const struct evsel *s,
			    struct why *why)
{
	const uint64_t items =
		1u << ITEM_PC | 1u << ITEM_TID | 1u << ITEM_TIME | 1u << ITEM_PERIOD;

	if (run->inside)
		return items | (uint64_t)has_address(s->x.term[0].counter) << ITEM_ADDR;
	why_refuse(why, ENOTSUP, "only a simulated program can take records of itself");
	return 0;
}

struct smpl_source *sim_sampling_open(const struct evsel *s,
				      const struct engine_sampling *how, struct why *why)
{
	if (how->signo) {
		why_refuse(
			why, ENOTSUP,
			"the simulation gives no signals for records; read them without "
			"signals");
		return NULL;
	}
	struct smpl_source *src = calloc(1, sizeof *src);
	if (!src) {
		why_refuse(why, ENOMEM, "cannot sample: %s", strerror(ENOMEM));
		return NULL;
	}
	src->opened = clock_ns();
	src->id = sim_inside_send(SIM_REQUEST_SAMPLE_OPEN, s->x.term[0].counter,
				  how->period, 0);
	if (src->id)
		return src;
	free(src);
	why_refuse(why, ENOSPC,
		   "the simulator has no room for records of one more event");
	return NULL;
}

void sim_sampling_close(struct smpl_source *src)
{
	if (src)
		sim_inside_send(SIM_REQUEST_SAMPLE_CLOSE, src->id, 0, 0);
	free(src);
}

/* Returns 0, or -1 with EINVAL if the simulator does not have the source any more. */
static int send_request(const struct smpl_source *src, enum sim_request request,
			uint64_t arg)
{
	if (sim_inside_send(request, src->id, arg, 0))
		return 0;
	errno = EINVAL;
	return -1;
}

int sim_sampling_freeze(struct smpl_source *src)
{
	if (src->frozen)
		return 0;
	src->frozen = clock_ns();
	return send_request(src, SIM_REQUEST_SAMPLE_PAUSE, 0);
}

int sim_sampling_thaw(struct smpl_source *src)
{
	if (!src->frozen)
		return 0;
	src->off += clock_ns() - src->frozen;
	src->frozen = 0;
	return send_request(src, SIM_REQUEST_SAMPLE_RESUME, 0);
}

int sim_sampling_period(struct smpl_source *src, uint64_t period)
{
	return send_request(src, SIM_REQUEST_SAMPLE_PERIOD, period);
}

int sim_sampling_owns(struct smpl_source *src, int fd)
{
	(void)src;
	(void)fd;
	return 0;
}

static void copy_record(uint64_t *to, const struct sim_record *from)
{
	memset(to, 0, ENGINE_NITEMS * sizeof *to);
	to[ITEM_PC] = from->pc;
	to[ITEM_TID] = from->tid;
	to[ITEM_TIME] = from->ns;
	to[ITEM_ADDR] = from->ea;
	to[ITEM_PERIOD] = from->period;
}

int sim_sampling_read(struct smpl_source *src, uint64_t *rec, unsigned max,
		      struct smpl_state *state)
{
	struct sim_record some[AT_ONCE] = {0};
	unsigned n = 0;
	uint64_t got = 1;

	while (n < max) {
		const unsigned room = max - n < AT_ONCE ? max - n : AT_ONCE;

		got = sim_inside_send(SIM_REQUEST_SAMPLE_READ, src->id, (uintptr_t)some,
				      room);
		if (got <= 1 || got - 1 > room)
			break;
		for (unsigned i = 0; i < got - 1; i++)
			copy_record(rec + (size_t)n++ * ENGINE_NITEMS, &some[i]);
		if (got - 1 < room)
			break;
	}
	const uint64_t lost = sim_inside_send(SIM_REQUEST_SAMPLE_LOST, src->id, 0, 0);
	if (!got || !lost) {
		errno = EINVAL;
		return -1;
	}
	state->ns = clock_ns();
	state->on = (uint64_t)((src->frozen ? src->frozen : state->ns) - src->opened -
			       src->off);
	state->lost = lost - 1;
	return (int)n;
}
