#include "cpc/value.h"

/* The product has 128 bits. */
uint64_t value_scaled(const struct count *c)
{
	return (uint64_t)((unsigned __int128)c->count * c->enabled / c->running);
}
