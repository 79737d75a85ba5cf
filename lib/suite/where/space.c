#include "suite/where/space.h"

#include <stddef.h>

static int map(struct symbols *s, const struct recording_mapping *m)
{
	return symbols_map(s, &(struct symbols_mapping){
				      .start = m->start,
				      .end = m->end,
				      .offset = m->offset,
				      .path = m->path,
				      .build_id = m->build_id,
				      .build_id_size = m->build_id_size,
			      });
}

struct symbols *space_symbols(const struct recording *r, const struct symbols_options *o)
{
	struct symbols *s = symbols_new(o);

	for (size_t i = 0; s && i < r->nmapping; i++)
		if (map(s, &r->mapping[i]) == -1) {
			symbols_free(s);
			return NULL;
		}
	return s;
}
