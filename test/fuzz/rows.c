/*
 * Prints a row of any texts and numbers in each format. JSON is read by jansson, CSV by
 * the rules of RFC 4180: both have the texts and numbers of the row, and texts that are
 * not UTF-8 are marked. No line has a character that a terminal obeys. Build with clang
 * -fsanitize=fuzzer,address,undefined and -ljansson.
 */
#include "suite/row/row.h"

#include <jansson.h>
#include <string.h>

#include "fuzz.h"

enum { VALUES = 3, TEXTS = 16, FIELDS = 32 };

/* The bytes that are not yet used. */
static struct {
	const uint8_t *data;
	size_t size;
} input;

static uint64_t take_number(size_t n)
{
	uint64_t v = 0;

	for (; n > 0 && input.size > 0; n--, input.size--)
		v = v << 8 | *input.data++;
	return v;
}

static char *texts[TEXTS];
static unsigned ntexts;

/* Take the bytes up to a newline or a 0. */
static const char *take_text(void)
{
	size_t n = 0;

	while (n < input.size && input.data[n] && input.data[n] != '\n')
		n++;
	check(ntexts < TEXTS, "there is room for all texts");
	char *const text = texts[ntexts++] = string_of(input.data, n);
	n += n < input.size;
	input.data += n;
	input.size -= n;
	/* A form feed stands for a newline in a text. */
	for (char *p = text; *p; p++)
		if (*p == '\f')
			*p = '\n';
	return text;
}

static struct {
	struct row_style style;
	struct row_run run;
	struct row_set set;
	struct row row;
	const char *event[VALUES], *note[VALUES], *mode[VALUES], *unit[VALUES];
	unsigned pic[VALUES];
	cpc_value_t value[VALUES];
} made;

static void make_set(unsigned n)
{
	static const char *const modes[] = {"user", "sys", "user+sys", ""};

	for (unsigned i = 0; i < n; i++) {
		made.event[i] = take_text();
		made.note[i] = take_text();
		made.unit[i] = "1";
		made.mode[i] = modes[take_number(1) % 4];
		made.pic[i] = (unsigned)take_number(1);
		made.value[i] =
			(cpc_value_t){.value = take_number(8),
				      .count = take_number(8),
				      .enabled = take_number(4),
				      .running = take_number(4),
				      .quality = take_number(1) % (CPC_UNAVAILABLE + 1)};
	}
	made.set = (struct row_set){.spec = n ? made.event[0] : NULL,
				    .n = n,
				    .event = made.event,
				    .pic = made.pic,
				    .note = made.note,
				    .mode = made.mode,
				    .unit = made.unit};
}

static void make_row(void)
{
	const unsigned what = (unsigned)take_number(1), how = (unsigned)take_number(1);
	const int lwps = what & 1;
	static const enum row_kind kinds[2][4] = {
		{ROW_VALUES, ROW_TOTAL, ROW_VALUES, ROW_TOTAL},
		{ROW_VALUES, ROW_FORK, ROW_EXEC, ROW_VALUES},
	};

	made.run = (struct row_run){.id = take_text(),
				    .host = take_text(),
				    .rank = how & 1 ? "12" : NULL,
				    .unix_ns = (int64_t)(take_number(8) >> 2)};
	made.style = (struct row_style){
		.scope = lwps ? ROW_LWPS : ROW_CPUS + (what >> 4) % 4,
		.pid = how >> 1 & 1,
		.tick = how >> 2 & 1,
		.nsets = how >> 3 & 3,
		.names = how >> 6 & 1,
		.run = &made.run,
	};
	make_set((what >> 6) % (VALUES + 1));
	made.row = (struct row){
		.kind = kinds[lwps][what >> 1 & 3],
		.ns = (int64_t)(take_number(8) >> 2),
		.pid = (pid_t)take_number(2),
		.tid = (pid_t)take_number(2) - 1,
		.lwp = (id_t)take_number(2),
		.id = (int)take_number(2) - 1,
		.cpus = (unsigned)take_number(1),
		.word = how & 32 ? "tick" : "lwp_exit",
		.tick = take_number(8),
		.index = (unsigned)take_number(1),
		.set = made.set.n ? &made.set : NULL,
		.value = made.value,
		.child = (pid_t)take_number(2),
		.cmd = take_text(),
		.name = take_text(),
	};
	made.row.unix_ns = made.row.ns;
}

/* Text that is UTF-8 is kept; in other text each malformed part becomes U+FFFD. */
static void check_text(const char *printed, const char *text)
{
	json_t *const valid = json_string(text);

	if (valid)
		check(strcmp(printed, text) == 0, "a text is kept");
	else
		check(strstr(printed, "\xef\xbf\xbd") != NULL, "a text is marked");
	json_decref(valid);
}

static void check_number(const json_t *object, const char *key, int known, uint64_t v)
{
	const json_t *const number = json_object_get(object, key);

	check(number && json_is_null(number) == !known, "an unknown number is null");
	check(!known || json_number_value(number) == (double)v, "a number is kept");
}

static void check_member(const json_t *object, const char *key, const char *text)
{
	const char *const printed = json_string_value(json_object_get(object, key));

	check(printed != NULL, "a text is a string");
	check_text(printed, text);
}

static void check_value(const json_t *object, unsigned i)
{
	const cpc_value_t *const v = &made.value[i];
	const int known = v->quality != CPC_UNAVAILABLE;

	check_member(object, "name", made.event[i]);
	check_member(object, "note", made.note[i]);
	check_member(object, "class", cpc_class_name(v->quality));
	check_number(object, "value", known, v->value);
	check_number(object, "count", known, v->count);
	check_number(object, "enabled_ns", 1, v->enabled);
	check_number(object, "running_ns", 1, v->running);
	check_number(object, "pic", 1, made.pic[i]);
}

static void check_json(const char *line)
{
	json_error_t error;
	json_t *const row = json_loads(
		line, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
	const struct row *const r = &made.row;

	check(row != NULL, "a line is JSON");
	check_member(row, "run", made.run.id);
	check_number(row, "time_ns", 1, (uint64_t)r->ns);
	if (made.style.scope == ROW_LWPS)
		check_member(row, "name", r->name);
	if (r->kind == ROW_EXEC)
		check_member(row, "command", r->cmd);
	if (r->kind == ROW_FORK)
		check_number(row, "child", 1, (uint64_t)r->child);
	if (r->kind == ROW_VALUES || r->kind == ROW_TOTAL) {
		const json_t *const values = json_object_get(row, "values");
		const unsigned n = r->set ? r->set->n : 0;

		check(json_array_size(values) == n, "each value is printed");
		check_number(row, "tsc", made.style.tick, r->tick);
		for (unsigned i = 0; i < n; i++)
			check_value(json_array_get(values, i), i);
	}
	json_decref(row);
}

/*
 * Split a line in place into fields. Source: RFC 4180, 2. Returns the number of fields;
 * *line gets the start of the next line.
 */
static unsigned split(char **line, char *field[FIELDS])
{
	char *from = *line, *to = *line;
	unsigned n = 0;

	for (char end = ','; end == ',';) {
		const int quoted = *from == '"';

		check(n < FIELDS, "a line has not too many fields");
		field[n++] = to;
		for (from += quoted; quoted ? *from != '"' || from[1] == '"'
					    : *from != ',' && *from != '\n';
		     *to++ = *from++) {
			check(*from && *from != '\n', "a field ends in its line");
			check(quoted || *from != '"', "a field with quotes is quoted");
			from += quoted && *from == '"';
		}
		from += quoted;
		end = *from++;
		check(end == ',' || end == '\n', "a field ends with a comma or newline");
		*to++ = '\0';
	}
	*line = from;
	return n;
}

/*
 * Returns how many bytes the control character at s has, or 0. s is not the end of the
 * text.
 * Control characters are U+0000 to U+001F, U+007F to U+009F, U+061C, U+200E, U+200F,
 * U+2028 to U+202E and U+2066 to U+2069.
 */
static size_t control_bytes(const char *s)
{
	const uint8_t *u = (const uint8_t *)s;

	if (u[0] < ' ' || u[0] == 0x7f)
		return 1;
	if ((u[0] == 0xc2 && u[1] < 0xa0) || (u[0] == 0xd8 && u[1] == 0x9c))
		return 2;
	if (u[0] == 0xe2 && u[1] == 0x80 &&
	    (u[2] == 0x8e || u[2] == 0x8f || (u[2] >= 0xa8 && u[2] <= 0xae)))
		return 3;
	return u[0] == 0xe2 && u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9 ? 3 : 0;
}

/* As check_text() for CSV, where a control character is '?'. */
static void check_field(const char *printed, const char *text)
{
	json_t *const valid = json_string(text);
	const char *p = printed;

	for (const char *s = text; valid && *s; p++) {
		const size_t control = control_bytes(s);

		if (control)
			check(*p == '?', "a control character is '?'");
		else
			check(*p == *s, "a text is kept");
		s += control ? control : 1;
	}
	check(valid ? !*p : strstr(printed, "\xef\xbf\xbd") != NULL, "a text is whole");
	json_decref(valid);
}

/* Returns the number of a column of the title, whose fields are given. */
static unsigned column(char *const title[], unsigned n, const char *name)
{
	unsigned i = 0;

	while (i < n && strcmp(title[i], name) != 0)
		i++;
	check(i < n, "the title has the column");
	return i;
}

static void check_csv_value(char *const title[], char *const field[], unsigned n,
			    unsigned i)
{
	const cpc_value_t *const v = &made.value[i];
	const char *const value = field[column(title, n, "value")];

	check_field(field[column(title, n, "name")], made.event[i]);
	check_field(field[column(title, n, "note")], made.note[i]);
	check(v->quality == CPC_UNAVAILABLE ? !*value
					    : strtoull(value, NULL, 10) == v->value,
	      "a value is kept");
}

static void check_csv(char *title, char *line)
{
	char *head[FIELDS], *field[FIELDS];
	const unsigned n = split(&title, head);
	const struct row *const r = &made.row;
	const int values = r->kind == ROW_VALUES || r->kind == ROW_TOTAL;
	unsigned lines = 0;

	check(!*title, "the title is a line");
	for (; *line; lines++) {
		check(split(&line, field) == n, "a line has the fields of the title");
		check_field(field[column(head, n, "host")], made.run.host);
		if (values && r->set)
			check_csv_value(head, field, n, lines);
		if (made.style.scope == ROW_LWPS)
			check_field(field[column(head, n, "thread")], r->name);
		if (r->kind == ROW_EXEC)
			check_field(field[column(head, n, "command")], r->cmd);
	}
	check(lines == (values && r->set ? r->set->n : 1), "a line for each value");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input.data = data;
	input.size = size;
	make_row();
	for (enum text_format f = TEXT_PLAIN; f <= TEXT_JSON; f++) {
		made.style.format = f;
		char *const title = row_title(&made.style, made.row.set);
		char *const line = row_line(&made.style, &made.row);

		check(title && line, "there is enough memory");
		check_printable(line, strlen(line));
		if (f == TEXT_JSON)
			check_json(line);
		if (f == TEXT_CSV)
			check_csv(title, line);
		check(f == TEXT_CSV || strchr(line, '\n')[1] == '\0',
		      "a row without a stamp is a line");
		free(title);
		free(line);
	}
	while (ntexts > 0)
		free(texts[--ntexts]);
	return 0;
}
