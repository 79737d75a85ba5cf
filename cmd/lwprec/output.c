#include "output.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "common/out.h"
#include "common/status.h"

/* Source: zlib.h: 16 more than the size of the window asks for the header of gzip. */
enum { WINDOW = 15 + 16, MEMORY = 8 };

/* Compress the n bytes at in, and append them to out. Returns 0, or -1 without memory. */
static int deflate_all(struct textbuf *out, char *in, size_t n)
{
	z_stream z = {.next_in = (Bytef *)in};
	char piece[1 << 14];
	int rc;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -1;
	do {
		/* The stream counts with 32 bits. */
		if (z.avail_in == 0 && n > 0) {
			z.avail_in = n > 1 << 30 ? 1 << 30 : (uInt)n;
			n -= z.avail_in;
		}
		z.next_out = (Bytef *)piece;
		z.avail_out = sizeof piece;
		rc = deflate(&z, n > 0 ? Z_NO_FLUSH : Z_FINISH);
		textbuf_put(out, piece, sizeof piece - z.avail_out);
	} while (rc == Z_OK || (rc == Z_BUF_ERROR && n > 0));
	deflateEnd(&z);
	return rc == Z_STREAM_END ? 0 : -1;
}

void output_gzip(struct textbuf *b)
{
	struct textbuf out = {0};

	if (b->failed || deflate_all(&out, b->s, b->len) == -1)
		out.failed = 1;
	free(b->s);
	*b = out;
}

/* A reader that went away has seen what it wanted. */
int output_write(struct textbuf *text, const char *path)
{
	const size_t n = text->len;
	char *s = textbuf_end(text);
	struct out out;

	if (out_open(&out, path, STDOUT_FILENO, "standard output") == -1) {
		free(s);
		return EXIT_TOOL;
	}
	out_write(&out, s, n);
	out_close(&out);
	free(s);
	if (out.error == 0 || (out.error == EPIPE && !path))
		return 0;
	warnx("cannot write to %s: %s", out.name, out_strerror(out.error));
	return EXIT_TOOL;
}
