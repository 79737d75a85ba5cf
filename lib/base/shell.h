/* The text of a command line, cut into words as sh(1) does. Nothing is expanded. */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

/*
 * Return the words of text, NULL after the last. Blanks, tabs and line breaks separate
 * words; single quotes keep all between them, double quotes all but a backslash before
 * ", \, $ and `, and a backslash outside of quotes the next character. One free() frees
 * the result. Returns NULL with EINVAL if a quote is not closed, a backslash is the last
 * character, or a character outside of quotes has a meaning to sh that is not supported
 * (such as | or $); or with ENOMEM.
 */
char **shell_words(const char *text);

#endif
