/* The file that a subcommand writes as a whole. */
#ifndef LWPREC_OUTPUT_H
#define LWPREC_OUTPUT_H

#include "base/text.h"

/*
 * Replace the bytes of b by their compressed form, as gzip(1) makes it, without a time:
 * the same bytes become the same file. Sets b->failed if memory runs out.
 */
void output_gzip(struct textbuf *b);

/*
 * Write text to the file at path, or to standard output if it is NULL, and free the text.
 * Returns the exit status, after a message if it is not 0.
 */
int output_write(struct textbuf *text, const char *path);

#endif
