#include "cpc/value.h"

/* The product has 128 bits. */
uint64_t value_scaled(const struct count *c)
{
	return (uint64_t)((unsigned __int128)c->count * c->enabled / c->running);
}

cpc_value_t value_of(const struct count *c, cpc_class_t class, uint64_t preset)
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
