/*
 * Reports about files of records: what is in them, in a format for people or programs.
 * The files are read record by record; each run is handed to a writer (writer.h).
 */
#ifndef SUITE_REPORT_REPORT_H
#define SUITE_REPORT_REPORT_H

#include "suite/report/writer.h"

/* All formats, the default first, then NULL; and the one with a name, or NULL. */
extern const struct report_writer *const report_writers[];
const struct report_writer *report_writer(const char *name);

/*
 * Begin and end a report. report_end() frees what the report has. Both return 0; or -1
 * with ENOMEM or the errno of the output.
 */
int report_begin(struct report *r);
int report_end(struct report *r);

/*
 * Show the file at path, "-" for standard input. Returns 0; or -1 after writing into why,
 * which has size bytes, why the file cannot be shown, or not to its end; why is "" after
 * a failure of the output.
 */
int report_file(struct report *r, const char *path, char *why, size_t size);

#endif
