#include "base/quote.h"

#include <string.h>

/*
 * Append the printable ASCII characters at s up to the first '"' or '\\', which most text
 * consists of. Returns their number.
 */
static size_t put_plain(struct textbuf *b, const char *s)
{
	size_t n = 0;

	while (s[n] >= ' ' && s[n] < 0x7f && s[n] != '"' && s[n] != '\\')
		n++;
	textbuf_put(b, s, n);
	return n;
}

/* Source: RFC 4180, 2, rules 5 to 7; no field has a line break */
void quote_csv(struct textbuf *b, const char *s)
{
	size_t plain = 0;

	/* Most fields are put as they are. */
	while (s[plain] >= ' ' && s[plain] < 0x7f && s[plain] != '"' && s[plain] != ',')
		plain++;
	if (!s[plain]) {
		textbuf_put(b, s, plain);
		return;
	}
	const int quoted = s[strcspn(s, ",\"")] != '\0';
	if (quoted)
		textbuf_char(b, '"');
	for (s += put_plain(b, s); *s; s += put_plain(b, s)) {
		if (*s == '"')
			textbuf_char(b, '"');
		s += textbuf_utf8(b, s);
	}
	if (quoted)
		textbuf_char(b, '"');
}

void quote_csv_text(struct textbuf *b, const char *s)
{
	quote_csv(b, s ? s : "");
	textbuf_char(b, ',');
}

void quote_csv_number(struct textbuf *b, int known, uint64_t v)
{
	if (known)
		textbuf_num(b, v, 0);
	textbuf_char(b, ',');
}

/* Append a control character as an escape. Returns how many bytes it has in UTF-8. */
static unsigned put_escape(struct textbuf *b, unsigned control)
{
	textbuf_format(b, "\\u%04x", control);
	return control < 0x80 ? 1 : control < 0x800 ? 2 : 3;
}

/* Source: RFC 8259, 7 */
void quote_json(struct textbuf *b, const char *s)
{
	if (!s) {
		textbuf_str(b, "null");
		return;
	}
	textbuf_char(b, '"');
	for (s += put_plain(b, s); *s; s += put_plain(b, s)) {
		const unsigned control = text_control(s);
		if (control) {
			s += put_escape(b, control);
			continue;
		}
		if (*s == '"' || *s == '\\')
			textbuf_char(b, '\\');
		s += textbuf_utf8(b, s);
	}
	textbuf_char(b, '"');
}

void quote_json_line(struct textbuf *b, const char *s, size_t n)
{
	const char *const end = s + n;

	while (s < end) {
		const unsigned control = text_control(s);

		if (control >= ' ') {
			s += put_escape(b, control);
		} else if (control) {
			textbuf_char(b, ' ');
			s++;
		} else {
			s += textbuf_utf8(b, s);
		}
	}
}

void quote_json_key(struct textbuf *b, const char *key)
{
	if (b->len && b->s[b->len - 1] != '{')
		textbuf_char(b, ',');
	quote_json(b, key);
	textbuf_char(b, ':');
}

void quote_json_text(struct textbuf *b, const char *key, const char *s)
{
	quote_json_key(b, key);
	quote_json(b, s);
}

void quote_json_number(struct textbuf *b, const char *key, int known, uint64_t v)
{
	quote_json_key(b, key);
	if (known)
		textbuf_num(b, v, 0);
	else
		textbuf_str(b, "null");
}
