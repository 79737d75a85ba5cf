/* Entries of the list of events as lines: text for people, CSV and JSON for programs. */
#ifndef SUITE_TELL_ENTRY_H
#define SUITE_TELL_ENTRY_H

#include "base/text.h"
#include "suite/tell/list.h"

struct entry_style {
	enum text_format format;
	/*
	 * The columns of a terminal, to which text is broken; 0: each entry is a line.
	 * Broken text has no remark on how a simulated or exact event is counted if the
	 * remark does not fit in the line.
	 */
	unsigned width;
	int has_numbers; /* text has a column for the number of an event */
	int has_source;	 /* text says which processor's table an event is of */
};

/* Append the title of the list; JSON has none. */
void entry_title(struct textbuf *b, const struct entry_style *style);

/* Append an entry, whose event has a number unless number is -1. */
void entry_line(struct textbuf *b, const struct entry_style *style,
		const struct list_entry *e, int number);

#endif
