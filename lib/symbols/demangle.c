#include "symbols/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

/* Of a name, and of what it stands for: a short name can stand for gigabytes. */
enum { MAX_LENGTH = 65536, OPTIONS = DMGL_PARAMS | DMGL_ANSI };

struct output {
	char text[MAX_LENGTH];
	size_t n;
	jmp_buf too_long;
};

static void append(const char *s, size_t n, void *opaque)
{
	struct output *const o = opaque;

	const size_t left = sizeof(o->text) - o->n;

	/* libiberty cannot be told to stop; it keeps the state on its stack. */
	if (n > left)
		longjmp(o->too_long, 1);
	if (n)
		memcpy(o->text + o->n, s, n);
	o->n += n;
}

/* Names of C++ begin with "_Z", those of Rust also with "_R". */
static int is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

const char *demangle(const char *name, struct strings *strings)
{
	struct output o;
	const char *copy;

	if (!is_mangled(name) || strlen(name) > MAX_LENGTH)
		return name;
	o.n = 0;
	if (setjmp(o.too_long))
		return name;
	/* Rust's older names are names of C++ that end with a hash. */
	if (!rust_demangle_callback(name, OPTIONS, append, &o)) {
		o.n = 0;
		if (!cplus_demangle_v3_callback(name, OPTIONS, append, &o))
			return name;
	}
	copy = strings_copy(strings, o.text, o.n);
	return copy ? copy : name;
}
