/*
 * A command line as one text, cut into words as sh(1) does, without expanding anything.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

/*
 * Return the words of text, NULL after the last. Blanks, tabs and line breaks separate
 * words; single quotes keep all between them, double quotes all but a backslash before
 * ", \, $ and `, and a backslash outside of quotes the next character. One free() frees
 * the result. Returns NULL with EINVAL if a quote is not closed, a backslash is the last
 * character, or a character outside of quotes has a meaning to sh that is not supported
 * (such as | or $); or with ENOMEM.
 */
char **words_cut(const char *text);

#endif
