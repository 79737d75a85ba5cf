#include <lwp.h>

#include <strings.h>

#include "base/bytes.h"

void lwp_record_decode(lwp_record_t *r, const void *p)
{
	const uint8_t *b = p;

	*r = (lwp_record_t){
		.id = b[0],
		.core = b[1],
		.flags = bytes_get16(b + 2),
		.data1 = bytes_get32(b + 4),
		.ip = bytes_get64(b + 8),
		.data2 = bytes_get64(b + 16),
		.timestamp = bytes_get64(b + 24),
	};
}

void lwp_record_encode(void *p, const lwp_record_t *r)
{
	uint8_t *b = p;

	b[0] = r->id;
	b[1] = r->core;
	bytes_put16(b + 2, r->flags);
	bytes_put32(b + 4, r->data1);
	bytes_put64(b + 8, r->ip);
	bytes_put64(b + 16, r->data2);
	bytes_put64(b + 24, r->timestamp);
}

static const char *const events[256] = {
	[LWP_EVENT_VAL] = "val", [LWP_EVENT_IRE] = "ire", [LWP_EVENT_BRE] = "bre",
	[LWP_EVENT_DME] = "dme", [LWP_EVENT_CNH] = "cnh", [LWP_EVENT_RNH] = "rnh",
	[LWP_EVENT_INS] = "ins",
};

static const char *const sources[8] = {
	[LWP_SRC_NONE] = "none", [LWP_SRC_L3] = "l3",	    [LWP_SRC_REMOTE] = "remote",
	[LWP_SRC_DRAM] = "dram", [LWP_SRC_OTHER] = "other",
};

static int find(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (names[i] && strcasecmp(names[i], name) == 0)
			return i;
	return -1;
}

const char *lwp_event_name(unsigned id)
{
	return id < 256 ? events[id] : NULL;
}

int lwp_event_find(const char *name)
{
	return find(events, 256, name);
}

const char *lwp_source_name(unsigned source)
{
	return source < 8 ? sources[source] : NULL;
}

int lwp_source_find(const char *name)
{
	return find(sources, 8, name);
}
