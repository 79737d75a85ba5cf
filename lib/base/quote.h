/*
 * CSV fields (RFC 4180) and members of JSON objects (RFC 8259), appended to a text. Bytes
 * that are not UTF-8 become U+FFFD.
 */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include "base/text.h"

/*
 * Append s as a CSV field, in double quotes if the field needs them. A control
 * character becomes '?', so that a record stays on one line.
 */
void quote_csv(struct textbuf *b, const char *s);

/* Append a CSV field and a comma. The field is empty if s is NULL or v is not known. */
void quote_csv_text(struct textbuf *b, const char *s);
void quote_csv_number(struct textbuf *b, int known, uint64_t v);

/*
 * Append s as a JSON string, or null if s is NULL. Control characters are escaped, also
 * those that JSON allows: the text is safe to print.
 */
void quote_json(struct textbuf *b, const char *s);

/*
 * Append n bytes of JSON text in UTF-8, which are one line. Control characters in its
 * strings are escaped, and those between its values become blanks: the values are the
 * same, and the text is safe to print.
 */
void quote_json_line(struct textbuf *b, const char *s, size_t n);

/* Append the key of a member; a comma comes first, except in an empty object. */
void quote_json_key(struct textbuf *b, const char *key);

/* Append a member. Its value is null if s is NULL or the number is not known. */
void quote_json_text(struct textbuf *b, const char *key, const char *s);
void quote_json_number(struct textbuf *b, const char *key, int known, uint64_t v);

#endif
