#include "engine/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/nearest.h"
#include "base/text.h"
#include "engine/machine_native.h"
#include "sim/shared/vocab.h"

/* The text of a machine before its changes. */
struct base {
	const char *path; /* for messages */
	char *text;	  /* for free() */
	size_t len;
};

__attribute__((format(printf, 2, 3))) static int refuse(struct machine_mistakes *to,
							const char *fmt, ...)
{
	char text[768];
	va_list ap;

	va_start(ap, fmt);
	text_message(text, sizeof text, fmt, ap);
	va_end(ap);
	to->n++;
	to->fn(to->arg, text);
	errno = EINVAL;
	return -1;
}

/* Read all of a file, up to one byte more than a machine may have. */
static ssize_t read_all(const char *path, char *buf)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = 1;

	if (fd == -1)
		return -1;
	while (len <= MACHINE_TEXT_MAX && n > 0) {
		n = read(fd, buf + len, MACHINE_TEXT_MAX + 1 - len);
		if (n == -1 && errno == EINTR)
			n = 1;
		else if (n > 0)
			len += (size_t)n;
	}
	const int e = errno;
	close(fd);
	errno = e;
	return n == -1 ? -1 : (ssize_t)len;
}

static int read_file(struct base *b, const char *path, struct machine_mistakes *to)
{
	b->path = path;
	b->text = malloc(MACHINE_TEXT_MAX + 1);
	if (!b->text)
		return -1;
	const ssize_t n = read_all(path, b->text);
	if (n == -1)
		return refuse(to, "cannot read machine '%.400s': %s", path,
			      strerror(errno));
	if (n > MACHINE_TEXT_MAX)
		return refuse(to,
			      "cannot read machine '%.400s': it has more than %d bytes, "
			      "which is too large for the text of a machine",
			      path, MACHINE_TEXT_MAX);
	b->len = (size_t)n;
	return 0;
}

static int no_machine(const char *name, struct machine_mistakes *to)
{
	struct nearest near;
	char hint[160];

	nearest_init(&near, name);
	nearest_add(&near, "native");
	for (const struct machine_text *t = machine_texts; t->name; t++)
		nearest_add(&near, t->name);
	nearest_text(&near, hint, sizeof hint);
	return refuse(
		to,
		"no machine is named '%.100s'; %s%s--machine=list lists the machines, "
		"and the name of a file must have a '/'",
		name, hint, *hint ? " " : "");
}

static int read_built_in(struct base *b, const char *name, struct machine_mistakes *to)
{
	const struct machine_text *t = machine_texts;

	while (t->name && strcmp(t->name, name) != 0)
		t++;
	if (!t->name)
		return no_machine(name, to);
	b->path = t->name;
	b->text = strdup(t->text);
	b->len = strlen(t->text);
	return b->text ? 0 : -1;
}

static int read_native(struct base *b, struct machine_mistakes *to)
{
	if (read_built_in(b, "generic", to) == -1)
		return -1;
	char *const generic = b->text;
	b->path = "native";
	b->text = machine_native("", generic, to);
	free(generic);
	b->len = b->text ? strlen(b->text) : 0;
	return b->text ? 0 : -1;
}

static int read_base(struct base *b, const char *name, struct machine_mistakes *to)
{
	if (strchr(name, '/'))
		return read_file(b, name, to);
	if (strcmp(name, "native") == 0)
		return read_native(b, to);
	return read_built_in(b, name, to);
}

int machine_open(const struct machine_choice *choice, struct machine *m, char **text,
		 struct machine_mistakes *to)
{
	struct base b = {0};
	int rc = read_base(&b, choice->name, to);
	const struct machine_source source = {
		.path = b.path, .text = b.text, .len = b.len, .changes = choice->changes};

	if (rc == 0)
		rc = machine_parse(&source, m, to);
	if (rc == 0 && text) {
		*text = machine_edit(&source, m, "changed by --set");
		rc = *text ? 0 : -1;
	}
	const int e = errno;
	free(b.text);
	errno = e;
	return rc;
}

static uint64_t hash_timings(uint64_t hash, const struct machine *m)
{
	char text[96];

	for (unsigned i = 0; i < MOP_NOPS; i++) {
		const struct timing *t = &m->timing[i];

		snprintf(text, sizeof text, "%u,%u,%x ", (unsigned)t->latency,
			 (unsigned)t->repeat, (unsigned)t->units);
		hash = hash_text(hash, text);
	}
	return hash;
}

/* The hashes of penalties are added up, so that their order has no effect. */
uint64_t machine_hash(const struct machine *m)
{
	uint64_t hash = hash_timings(HASH_START, m), sum = 0;
	char text[96];

	for (const struct machine_key *k = machine_keys; k->name; k++) {
		if (!machine_get(m, k))
			continue;
		snprintf(text, sizeof text, "%s=%u ", k->name,
			 (unsigned)machine_get(m, k));
		hash = hash_text(hash, text);
	}
	for (unsigned i = 0; i < m->npenalties; i++) {
		const struct penalty *p = &m->penalty[i];

		snprintf(text, sizeof text, "%s=%lld,%d ", sim_vocab[p->counter].name,
			 (long long)(p->cycles * 1e9 + 0.5), (int)p->group);
		sum += hash_text(HASH_START, text);
	}
	snprintf(text, sizeof text, "%llx", (unsigned long long)sum);
	return hash_text(hash, text);
}
