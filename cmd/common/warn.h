/*
 * Messages on standard error. Besides these functions warn.c has those of err(3), which
 * the commands use in place of the C library's, so that no message can break its line or
 * give a command to the terminal, wherever the strings in it come from.
 */
#ifndef COMMON_WARN_H
#define COMMON_WARN_H

/* The name by which the command was called, in printable characters. */
const char *warn_name(void);

/* Print text, which may have several lines, after the command's name. */
void warn_lines(const char *text);

#endif
