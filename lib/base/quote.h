/* Fields of CSV (RFC 4180) and members of JSON objects (RFC 8259), appended to a text. */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include "base/text.h"

/* Append s as a CSV field: in double quotes if it needs them. */
void quote_csv(struct textbuf *b, const char *s);

/* Append a CSV field and the comma after it. A NULL text or an unknown number is empty. */
void quote_csv_text(struct textbuf *b, const char *s);
void quote_csv_number(struct textbuf *b, int known, uint64_t v);

/* Append s as a JSON string, or null if s is NULL. */
void quote_json(struct textbuf *b, const char *s);

/*
 * Append the key of a member, with a comma before it unless it is the first of its
 * object; or a whole member. A NULL text or an unknown number is null.
 */
void quote_json_key(struct textbuf *b, const char *key);
void quote_json_text(struct textbuf *b, const char *key, const char *s);
void quote_json_number(struct textbuf *b, const char *key, int known, uint64_t v);

#endif
