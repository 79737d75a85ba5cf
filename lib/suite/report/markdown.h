/* Reports of repeated runs as Markdown, for a comment in a review. */
#ifndef SUITE_REPORT_MARKDOWN_H
#define SUITE_REPORT_MARKDOWN_H

#include "suite/report/writer.h"

extern const struct report_writer report_markdown;

#endif
