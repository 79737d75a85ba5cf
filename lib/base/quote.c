#include "base/quote.h"

#include <string.h>

/* Source: RFC 4180, 2, rules 5 to 7 */
void quote_csv(struct rowbuf *b, const char *s)
{
	const int quoted = s[strcspn(s, ",\"\r\n")] != '\0';

	if (quoted)
		rowbuf_char(b, '"');
	while (*s) {
		if (*s == '"')
			rowbuf_char(b, '"');
		s += rowbuf_utf8(b, s);
	}
	if (quoted)
		rowbuf_char(b, '"');
}

void quote_csv_text(struct rowbuf *b, const char *s)
{
	quote_csv(b, s ? s : "");
	rowbuf_char(b, ',');
}

void quote_csv_number(struct rowbuf *b, int known, uint64_t v)
{
	if (known)
		rowbuf_num(b, v, 0);
	rowbuf_char(b, ',');
}

/* Source: RFC 8259, 7 */
void quote_json(struct rowbuf *b, const char *s)
{
	static const char hex[] = "0123456789abcdef";

	if (!s) {
		rowbuf_str(b, "null");
		return;
	}
	rowbuf_char(b, '"');
	while (*s) {
		const unsigned char c = (unsigned char)*s;
		if (c < 0x20) {
			rowbuf_str(b, "\\u00");
			rowbuf_char(b, hex[c >> 4]);
			rowbuf_char(b, hex[c & 15]);
			s++;
			continue;
		}
		if (c == '"' || c == '\\')
			rowbuf_char(b, '\\');
		s += rowbuf_utf8(b, s);
	}
	rowbuf_char(b, '"');
}

void quote_json_key(struct rowbuf *b, const char *key)
{
	if (b->len && b->s[b->len - 1] != '{')
		rowbuf_char(b, ',');
	quote_json(b, key);
	rowbuf_char(b, ':');
}

void quote_json_text(struct rowbuf *b, const char *key, const char *s)
{
	quote_json_key(b, key);
	quote_json(b, s);
}

void quote_json_number(struct rowbuf *b, const char *key, int known, uint64_t v)
{
	quote_json_key(b, key);
	if (known)
		rowbuf_num(b, v, 0);
	else
		rowbuf_str(b, "null");
}
