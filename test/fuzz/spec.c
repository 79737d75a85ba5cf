/*
 * Any bytes as an event specification. The first byte gives the number of counters ('A':
 * 0, 'B': 1, ... modulo 65), the others are the text. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PICS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static const char *const attrs[] = {"umask", "inv", "edge", "l2", "l", "picnum"};

static void check(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "invariant: %s\n", what);
		abort();
	}
}

/* The table, numbers, and whatever has the look of a host's own event. */
static int know_event(void *arg, const char *name, uint64_t *pics)
{
	check(arg == events && strlen(name) < CPC_MAX_EVENT_LEN, "event's name fits");
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

static int know_attr(void *arg, const char *name)
{
	check(arg == events && strlen(name) < CPC_MAX_ATTR_LEN, "attribute's name fits");
	errno = EIO;
	for (size_t i = 0; i < sizeof(attrs) / sizeof(*attrs); i++)
		if (!strcmp(attrs[i], name))
			return 1;
	return 0;
}

static void check_attrs(const struct spec_req *r)
{
	for (unsigned a = 0; a < r->nattrs; a++) {
		const char *const name = r->attrs[a].ca_name;

		check(know_attr((void *)events, name), "attribute is known");
		check(strcmp(name, "picnum"), "no picnum");
		for (unsigned b = 0; b < a; b++)
			check(strcmp(name, r->attrs[b].ca_name), "each once");
	}
}

static void check_req(const struct spec_req *r, const char *text, unsigned npic)
{
	uint64_t pics = 0;

	check(r->pic < npic, "counter exists");
	check(!know_event((void *)events, r->event, &pics), "event is known");
	check(pics >> r->pic & 1, "counter can count it");
	check(!(r->flags & ~(CPC_COUNT_USER | CPC_COUNT_SYSTEM)), "flags are modes");
	check(r->column >= 1 && r->column <= strlen(text), "column is in the text");
	check(!strncmp(text + r->column - 1, r->event, strlen(r->event)), "its place");
	check_attrs(r);
}

static void check_spec(const struct spec *s, const char *text, unsigned npic)
{
	for (unsigned i = 0; i < s->n; i++) {
		check(!i || s->req[i - 1].pic < s->req[i].pic, "ascending");
		check_req(&s->req[i], text, npic);
	}
}

static void check_error(const struct spec_error *err, const char *text)
{
	check(errno == EINVAL, "errno");
	check(err->column >= 1 && err->column <= strlen(text) + 1, "column");
	check(memchr(err->text, '\0', sizeof(err->text)) && *err->text, "words");
	check(memchr(err->token, '\0', sizeof(err->token)) != NULL, "token ends");
	check(!*err->token || strstr(text + err->column - 1, err->token), "token");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;

	const struct spec_names names = {
		.npic = data[0] % (MAX_PICS + 1),
		.arg = (void *)events,
		.event = know_event,
		.attr = know_attr,
	};
	struct spec_error err;
	char *const text = strndup((const char *)data + 1, size - 1);
	check(text != NULL, "memory");

	memset(&err, '#', sizeof(err));
	errno = 0;
	struct spec *const s = spec_parse(text, &names, &err);
	if (s)
		check_spec(s, text, names.npic);
	else
		check_error(&err, text);
	spec_free(s);
	free(text);
	return 0;
}
