/*
 * Parse any bytes as an event specification. The low 7 bits of the first byte, modulo 65,
 * are the number of counters ('A': 0, 'B': 1, ...); its highest bit enables place(); 0x7f
 * stands for an engine, which has more counters than a mask has bits; the other bytes are
 * the text. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "spec/spec.h"

#include <errno.h>
#include <string.h>

#include "fuzz.h"

enum { MAX_PICS = 64, HAS_PLACE = 0x80, ENGINE = 0x7f };

static const struct {
	const char *name;
	uint64_t pics;
} events[] = {
	{"A", 3},
	{"B", 1},
	{"C", 2},
	{"H", UINT64_C(1) << 63},
	{"N", 0},
	{"edge", UINT64_MAX},
	{"sys", UINT64_MAX},
	{"a=b", UINT64_MAX},
};

static const struct {
	const char *name;
	struct spec_attr attr;
} attrs[] = {
	{"umask", {0}},
	{"inv", {0}},
	{"edge", {0}},
	{"l2", {0}},
	{"l", {0}},
	{"picnum", {0}},
	{"one", {.of_set = 1}},
	{"opcm8", {.form = SPEC_OPCODE, .of_set = 1, .times = 1}},
	{"irange", {.form = SPEC_RANGE, .of_set = 1, .times = 4}},
	{"own", {.form = SPEC_RANGE, .times = 2}},
};

/* Knows the table, numbers, and names with ':' or '/', as host events have. */
static int know_event(void *arg, const char *name, uint64_t *pics)
{
	check(arg == events && strlen(name) < CPC_MAX_EVENT_LEN,
	      "an event name is not too long");
	errno = EIO;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		if (!strcmp(events[i].name, name)) {
			*pics = events[i].pics;
			return 0;
		}
	}

	char *end;
	const long long n = strtoll(name, &end, 0);
	if (strchr(name, ':') || strchr(name, '/') || (*name && !*end)) {
		*pics = n ? (uint64_t)n : UINT64_MAX;
		return 0;
	}
	return -1;
}

static int know_attr(void *arg, const char *name, struct spec_attr *attr)
{
	check(arg == events && strlen(name) < CPC_MAX_ATTR_LEN,
	      "an attribute name is not too long");
	errno = EIO;
	for (size_t i = 0; i < sizeof(attrs) / sizeof(*attrs); i++)
		if (!strcmp(attrs[i].name, name)) {
			*attr = attrs[i].attr;
			return 1;
		}
	return 0;
}

/* Gives each request its highest free counter. */
static int place(void *arg, unsigned n, struct spec_req *req)
{
	uint64_t used = 0;

	check(arg == events && n >= 1 && n <= MAX_PICS, "place() gets 1 to 64 requests");
	for (unsigned i = 0; i < n; i++) {
		const uint64_t left = req[i].pics & ~used;

		check(req[i].pics != 0 && !req[i].nattrs,
		      "place() gets requests with counters and without attributes");
		if (!left)
			return -1;
		req[i].pic = MAX_PICS - 1 - (unsigned)__builtin_clzll(left);
		used |= UINT64_C(1) << req[i].pic;
	}
	return 0;
}

static void check_attrs(const struct spec_req *r)
{
	for (unsigned a = 0; a < r->nattrs; a++) {
		const char *const name = r->attrs[a].ca_name;
		struct spec_attr attr = {0};
		unsigned n = 0, first = 0;

		check(know_attr((void *)events, name, &attr), "an attribute is known");
		check(strcmp(name, "picnum"), "picnum is not an attribute");
		for (unsigned b = 0; b < r->nattrs; b++) {
			first += b < a && !strcmp(name, r->attrs[b].ca_name);
			n += !strcmp(name, r->attrs[b].ca_name);
		}
		if (attr.form != SPEC_RANGE) {
			check(n == 1, "an attribute is given once");
			continue;
		}
		check(n % 2 == 0 && n / 2 <= attr.times, "not too many ranges");
		check(first % 2 == 0 || r->attrs[a].ca_val > 0,
		      "the end of a range is above 0");
	}
}

static void check_req(const struct spec_req *r, const char *text, unsigned npic,
		      int has_place)
{
	uint64_t pics = 0;

	check(r->pic < npic, "the counter exists");
	check(!know_event((void *)events, r->event, &pics), "the event is known");
	if (r->pics == engine_pic_bit(r->pic))
		check((pics & r->pics) != 0, "the counter can count the event");
	else
		check(has_place && r->pics && !(r->pics & ~pics),
		      "a provisional request has the counters of its event");
	check(!(r->flags & ~(CPC_COUNT_USER | CPC_COUNT_SYSTEM)), "the flags are modes");
	check(r->column >= 1 && r->column <= strlen(text), "the column is in the text");
	check(!strncmp(text + r->column - 1, r->event, strlen(r->event)),
	      "the column is that of the event");
	check_attrs(r);
}

static void check_spec(const struct spec *s, const char *text, unsigned npic,
		       int has_place)
{
	for (unsigned i = 0; i < s->n; i++) {
		check(!i || s->req[i - 1].pic < s->req[i].pic, "counters ascend");
		check_req(&s->req[i], text, npic, has_place);
	}
}

static void check_error(const struct spec_error *err, const char *text)
{
	check(errno == EINVAL, "errno is EINVAL");
	check(err->column >= 1 && err->column <= strlen(text) + 1,
	      "the column of an error is in the text");
	check(memchr(err->text, '\0', sizeof(err->text)) && *err->text,
	      "an error has a message");
	check(memchr(err->token, '\0', sizeof(err->token)) != NULL,
	      "the token is terminated");
	check(!*err->token || strstr(text + err->column - 1, err->token),
	      "the token is at the column");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;

	const unsigned low = data[0] & ~HAS_PLACE;
	const struct spec_names names = {
		.npic = data[0] == ENGINE ? SPEC_MAX_PICS : low % (MAX_PICS + 1),
		.arg = (void *)events,
		.event = know_event,
		.attr = know_attr,
		.place = data[0] & HAS_PLACE ? place : NULL,
	};
	struct spec_error err;
	char *const text = strndup((const char *)data + 1, size - 1);
	check(text != NULL, "strndup() has enough memory");

	memset(&err, '#', sizeof(err));
	errno = 0;
	struct spec *const s = spec_parse(text, &names, &err);
	if (s)
		check_spec(s, text, names.npic, names.place != NULL);
	else
		check_error(&err, text);
	spec_free(s);
	free(text);
	return 0;
}
