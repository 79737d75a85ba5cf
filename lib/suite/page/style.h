/* The style of pages. */
#ifndef SUITE_PAGE_STYLE_H
#define SUITE_PAGE_STYLE_H

extern const char page_style[];

#endif
