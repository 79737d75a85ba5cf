/*
 * A page of HTML about measurements that needs no other file and no script. It is made of
 * sections with facts, tables and charts. Text from outside is escaped everywhere.
 */
#ifndef SUITE_PAGE_PAGE_H
#define SUITE_PAGE_PAGE_H

#include "base/text.h"
#include "suite/series/cells.h"

/* Begin and end the page. */
void page_begin(struct textbuf *b, const char *title);
void page_end(struct textbuf *b);

/* Begin a section with its title, which is from outside, and end it. */
void page_section(struct textbuf *b, const char *title);
void page_section_end(struct textbuf *b);

/* Append a heading, the heading of a part below it, or a paragraph of words. */
void page_heading(struct textbuf *b, const char *text);
void page_subheading(struct textbuf *b, const char *text);
void page_words(struct textbuf *b, const char *text);

/* Append a list of facts: begin, a fact for each value that is not NULL, and end. */
void page_facts(struct textbuf *b);
void page_fact(struct textbuf *b, const char *name, const char *value);
void page_facts_end(struct textbuf *b);

/*
 * Append the list of the commands A, B, ... that the charts of the section show; a single
 * command has no letter.
 */
void page_arms(struct textbuf *b, const char *const *command, unsigned n);

/* Append a line that says which command A is. */
void page_reference(struct textbuf *b, unsigned arm, unsigned n, const char *command);

/* Append a line that says what a table is judged against: a command or a file. */
void page_against(struct textbuf *b, const char *name);

/* Append a result in words, which stands out if it is bad. */
void page_result(struct textbuf *b, const char *words, int is_bad);

/* Append a table; the caption is for readers who do not see where it stands. */
void page_table(struct textbuf *b, const struct cells *c, const char *caption);

/* Append a table that is closed until it is asked for, with this summary. */
void page_closed_table(struct textbuf *b, const struct cells *c, const char *summary);

#endif
