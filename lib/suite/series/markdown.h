/*
 * Tables of repeated runs, comparisons and limits as Markdown, for a comment in a review.
 * Names from outside are code, so that no character of theirs is markup or ends a cell.
 */
#ifndef SUITE_SERIES_MARKDOWN_H
#define SUITE_SERIES_MARKDOWN_H

#include "base/text.h"
#include "suite/series/cells.h"
#include "suite/series/judge.h"

/*
 * Append text from outside as code. The markup has no line break and no vertical bar.
 * Source: CommonMark 0.31, 6.1 (code spans); GitHub Flavored Markdown, 4.10 (tables)
 */
void markdown_put_code(struct textbuf *b, const char *s);

/* Append a table; the verdict comes first, in bold, with its remark. */
void markdown_put(struct textbuf *b, const struct cells *c);

/* Append the command and the table of its runs. Returns -1 with ENOMEM. */
int markdown_put_runs(struct textbuf *b, const struct runs *s);

/*
 * Append the commands, or the name of the saved file, and the table of a comparison.
 * Returns -1 with ENOMEM.
 */
int markdown_put_comparison(struct textbuf *b, const struct judge_comparison *c);

/* Append what the limits were judged with, and their table, after an empty line. */
void markdown_put_gate(struct textbuf *b, const char *name, const struct cells *c);

#endif
