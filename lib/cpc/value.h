/* Values: a count of an engine, scaled, with the class that says how it was obtained. */
#ifndef CPC_VALUE_H
#define CPC_VALUE_H

#include <libcpc.h>
#include "engine/engine.h"

/* Returns 1 if the event was counted for a part of the time that it was enabled. */
static inline int value_is_partial(const struct count *c)
{
	return c->running < c->enabled && c->running > 0;
}

/*
 * Returns count * enabled / running, of an event that was counted for a part of the time.
 */
uint64_t value_scaled(const struct count *c);

/*
 * Returns the value of a count that began at preset. class: the best class that values of
 * the event can have. The value of an event that was enabled but never ran is
 * unavailable: the event was not counted.
 */
static inline cpc_value_t value_of(const struct count *c, cpc_class_t class,
				   uint64_t preset)
{
	if (c->absent || (c->enabled > 0 && c->running == 0))
		class = CPC_UNAVAILABLE;
	else if (c->approximate && class < CPC_APPROXIMATE)
		class = CPC_APPROXIMATE;
	else if (c->running < c->enabled && class < CPC_SCALED)
		class = CPC_SCALED;
	return (cpc_value_t){
		.value = preset + (value_is_partial(c) ? value_scaled(c) : c->count),
		.count = preset + c->count,
		.enabled = c->enabled,
		.running = c->running,
		.quality = class,
	};
}

#endif
