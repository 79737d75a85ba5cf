#include "symbols/xz.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

/* Symbol tables expand about 4 times. The memory is that of xz -9. */
enum { MAX_EXPANSION = 100, MEMORY_LIMIT = 80 << 20, FIRST_ROOM = 1 << 16 };

/* Double the room of the output. Returns 0; or -1 with ENOMEM or ENOEXEC. */
static int widen(lzma_stream *s, uint8_t **out, size_t *room, size_t limit)
{
	const size_t used = *room;
	uint8_t *new;

	if (used > limit) {
		errno = ENOEXEC;
		return -1;
	}
	*room = used ? 2 * used : FIRST_ROOM;
	new = realloc(*out, *room);
	if (!new)
		return -1;
	*out = new;
	s->next_out = new + used;
	s->avail_out = *room - used;
	return 0;
}

/* Expand into *out, which grows. Returns 0; or -1 with ENOMEM or ENOEXEC. */
static int expand(lzma_stream *s, uint8_t **out)
{
	const size_t limit = s->avail_in * MAX_EXPANSION;
	size_t room = 0;
	lzma_ret ret = LZMA_OK;

	while (ret == LZMA_OK) {
		if (!s->avail_out && widen(s, out, &room, limit))
			return -1;
		ret = lzma_code(s, LZMA_FINISH);
	}
	if (ret != LZMA_STREAM_END) {
		errno = ret == LZMA_MEM_ERROR ? ENOMEM : ENOEXEC;
		return -1;
	}
	return 0;
}

uint8_t *xz_expand(const uint8_t *bytes, size_t size, size_t *expanded)
{
	lzma_stream s = LZMA_STREAM_INIT;
	uint8_t *out = NULL;

	if (lzma_stream_decoder(&s, MEMORY_LIMIT, 0) != LZMA_OK) {
		errno = ENOMEM;
		return NULL;
	}
	s.next_in = bytes;
	s.avail_in = size;
	if (expand(&s, &out)) {
		free(out);
		out = NULL;
	}
	*expanded = s.total_out;
	lzma_end(&s);
	return out;
}
