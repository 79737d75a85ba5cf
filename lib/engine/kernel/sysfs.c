#include "engine/kernel/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/say.h"
#include "engine/why.h"

static const char devices[] = "sys/bus/event_source/devices";

/*
 * The fields of IA32_PERFEVTSELx on every x86 processor (Intel SDM, architectural
 * performance monitoring).
 */
static const struct {
	const char *name, *format;
} arch_fields[] = {
#if defined(__x86_64__) || defined(__i386__)
	{"cmask", "config:24-31"},
	{"edge", "config:18"},
	{"inv", "config:23"},
	{"umask", "config:8-15"},
#endif
	{NULL, NULL},
};

/* Read the first line, without newline, of ROOT/sys/bus/event_source/devices/PMU/FILE. */
static int read_file(const char *root, const char *pmu, const char *file, char *buf,
		     size_t size)
{
	if (file_read(buf, size, "%s/%s/%s/%s", root, devices, pmu, file) < 0)
		return -1;
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

static int has_file(const char *root, const char *pmu, const char *file)
{
	char buf[8];

	return read_file(root, pmu, file, buf, sizeof(buf)) == 0;
}

static int read_type(const char *root, const char *pmu, uint32_t *type)
{
	char text[32];

	if (read_file(root, pmu, "type", text, sizeof(text)))
		return -1;
	*type = (uint32_t)strtoul(text, NULL, 10);
	return 0;
}

static int list(const char *root, const char *pmu, const char *folder, struct dirent ***d)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s/%s/%s", root, devices, pmu, folder);
	return file_list(path, d);
}

int kernel_sysfs_is(const char *name)
{
	return strchr(name, '/') != NULL;
}

void kernel_sysfs_pmu(const char *name, char *pmu, size_t size)
{
	snprintf(pmu, size, "%.*s", (int)strcspn(name, "/"), name);
}

/*
 * Put val into the bits that a format names ("config1:0-7,32-35"), low bits first.
 * Returns the number of these bits, or -1 if the format cannot be parsed.
 */
static int put_bits(const char *format, uint64_t val, uint64_t config[3])
{
	uint64_t *c;
	int bits = 0;

	if (strncmp(format, "config", 6))
		return -1;
	const char *p = format + 6;
	if (*p == ':')
		c = &config[0];
	else if ((*p == '1' || *p == '2') && p[1] == ':')
		c = &config[*p++ - '0'];
	else
		return -1;
	do {
		char *end;
		p++;
		const unsigned long lo = strtoul(p, &end, 10);
		unsigned long hi = lo;
		if (*end == '-')
			hi = strtoul(end + 1, &end, 10);
		if (end == p || hi < lo || hi > 63)
			return -1;
		p = end;
		for (unsigned long b = lo; b <= hi; b++, bits++) {
			const uint64_t on = bits < 64 ? val >> bits & 1 : 0;
			*c = (*c & ~(1ull << b)) | on << b;
		}
	} while (*p == ',');
	return *p ? -1 : bits;
}

static const char *format_of(const char *root, const char *pmu, const char *field,
			     char *buf, size_t size)
{
	if (!pmu) {
		for (int i = 0; arch_fields[i].name; i++)
			if (strcmp(arch_fields[i].name, field) == 0)
				return arch_fields[i].format;
		return NULL;
	}
	char file[128];
	if (!*field || strchr(field, '/') || field[0] == '.' ||
	    snprintf(file, sizeof(file), "format/%s", field) >= (int)sizeof(file))
		return NULL;
	return read_file(root, pmu, file, buf, size) ? NULL : buf;
}

char **kernel_sysfs_fields(const char *root, const char *pmu)
{
	struct dirent **d = NULL;
	const int n = pmu ? list(root, pmu, "format", &d)
			  : (int)(sizeof(arch_fields) / sizeof(arch_fields[0])) - 1;
	char **names = calloc((size_t)n + 1, sizeof(*names));

	for (int i = 0; names && i < n; i++) {
		names[i] = strdup(pmu ? d[i]->d_name : arch_fields[i].name);
		if (!names[i]) {
			kernel_sysfs_free(names);
			names = NULL;
		}
	}
	if (pmu)
		file_list_free(d, n);
	return names;
}

void kernel_sysfs_free(char **names)
{
	for (char **p = names; p && *p; p++)
		free(*p);
	free(names);
}

uint64_t kernel_sysfs_bits(const char *root, const char *pmu)
{
	char **fields = kernel_sysfs_fields(root, pmu), buf[128];
	uint64_t config[3] = {0};

	for (char **f = fields; f && *f; f++) {
		const char *format = format_of(root, pmu, *f, buf, sizeof(buf));
		if (format)
			put_bits(format, UINT64_MAX, config);
	}
	kernel_sysfs_free(fields);
	return config[0] ? config[0] : UINT64_MAX;
}

static int no_field(const char *root, const char *pmu, const char *field, struct why *why)
{
	char text[400] = "";
	char **names = kernel_sysfs_fields(root, pmu);

	for (char **p = names; p && *p; p++)
		say_add(text, sizeof(text), " %s", *p);
	kernel_sysfs_free(names);
	return why_refuse(why, EINVAL, "%s: %s%s has no such field%s%s", field,
			  pmu ? "PMU " : "this processor", pmu ? pmu : "",
			  *text ? "; its fields are:" : "", text);
}

int kernel_sysfs_set(const char *root, const char *pmu, const char *field, uint64_t val,
		     struct kernel_event *ev, struct why *why)
{
	char buf[128];
	const char *format = format_of(root, pmu, field, buf, sizeof(buf));

	if (!format)
		return no_field(root, pmu, field, why);
	const int bits = put_bits(format, val, ev->config);
	if (bits <= 0)
		return why_refuse(why, EINVAL,
				  "%s: format '%s' of PMU %s is not understood", field,
				  format, pmu ? pmu : "cpu");
	if (bits < 64 && val >> bits)
		return why_refuse(why, EINVAL, "%s=0x%llx: the field has only %d bit%s",
				  field, (unsigned long long)val, bits,
				  bits == 1 ? "" : "s");
	return 0;
}

/* A name that is being parsed, and where the results go. */
struct parse {
	const char *root, *pmu, *terms;
	struct kernel_event *ev;
	char *unit;
	size_t size;
	struct why *why;
};

/* Does the user's list of terms give a field a value? */
static int has_value(const struct parse *p, const char *field)
{
	const size_t len = strlen(field);

	for (const char *t = p->terms; t; t = strchr(t, ',') ? strchr(t, ',') + 1 : NULL)
		if (strncmp(t, field, len) == 0 && t[len] == '=')
			return 1;
	return 0;
}

static int parse_value(const struct parse *p, const char *term, const char *text,
		       uint64_t *val)
{
	char *end = NULL;

	errno = 0;
	if (isdigit((unsigned char)*text))
		*val = strtoull(text, &end, 0);
	if (!end || *end || errno)
		return why_refuse(p->why, EINVAL, "%s=%s: not a number", term, text);
	return 0;
}

/*
 * Set one term: FIELD, FIELD=VALUE or configN=VALUE. In an event's file FIELD=? means
 * that the user must give the value.
 */
static int set_term(const struct parse *p, char *term)
{
	static const char *const configs[] = {"config", "config1", "config2"};
	char *text = strchr(term, '=');
	uint64_t val = 1;

	if (text) {
		*text++ = '\0';
		if (strcmp(text, "?") == 0)
			return has_value(p, term)
				       ? 0
				       : why_refuse(p->why, EINVAL,
						    "%s: this event needs a value, add "
						    "'%s=VALUE'",
						    term, term);
		if (parse_value(p, term, text, &val))
			return -1;
		for (int i = 0; i < 3; i++)
			if (strcmp(term, configs[i]) == 0) {
				p->ev->config[i] = val;
				return 0;
			}
	}
	char buf[128];
	if (!text && !format_of(p->root, p->pmu, term, buf, sizeof(buf)))
		return why_refuse(p->why, ENOENT,
				  "%s: neither an event nor a field of PMU %s (see "
				  "/%s/%s/events)",
				  term, p->pmu, devices, p->pmu);
	return kernel_sysfs_set(p->root, p->pmu, term, val, p->ev, p->why);
}

static int set_terms(const struct parse *p, char *text)
{
	char *save = NULL;

	for (char *t = strtok_r(text, ",", &save); t; t = strtok_r(NULL, ",", &save))
		if (set_term(p, t))
			return -1;
	return 0;
}

/* Read the unit of an event from events/NAME.scale and .unit, if these files exist. */
static void read_unit(const struct parse *p, const char *event)
{
	char file[160], scale[64] = "1", unit[64];

	snprintf(file, sizeof(file), "events/%s.unit", event);
	if (read_file(p->root, p->pmu, file, unit, sizeof(unit)))
		return;
	snprintf(file, sizeof(file), "events/%s.scale", event);
	read_file(p->root, p->pmu, file, scale, sizeof(scale));
	snprintf(p->unit, p->size, "%s %s", scale, unit);
}

/*
 * If text is an event of the PMU, set its terms and return 1; return 0 if it is no event.
 */
static int set_event(const struct parse *p, const char *text)
{
	char file[160], terms[512];

	if (strchr(text, '=') || strchr(text, '/') ||
	    snprintf(file, sizeof(file), "events/%s", text) >= (int)sizeof(file) ||
	    read_file(p->root, p->pmu, file, terms, sizeof(terms)))
		return 0;
	read_unit(p, text);
	return set_terms(p, terms) ? -1 : 1;
}

/*
 * Set the terms of events first, so that the user's own terms override them. rest is the
 * buffer for the terms that are no events.
 */
static int set_all(const struct parse *p, char *rest, size_t size)
{
	char *copy = strdup(p->terms), *save = NULL;
	int rc = 0;

	if (!copy)
		return why_refuse(p->why, ENOMEM, "%s/%s/: %s", p->pmu, p->terms,
				  strerror(ENOMEM));
	*rest = '\0';
	for (char *t = strtok_r(copy, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		rc = set_event(p, t);
		if (rc < 0)
			break;
		if (!rc)
			say_add(rest, size, "%s%s", *rest ? "," : "", t);
		rc = 0;
	}
	free(copy);
	return rc ? -1 : set_terms(p, rest);
}

int kernel_sysfs_encode(const char *root, const char *name, struct kernel_event *ev,
			char *unit, size_t size, struct why *why)
{
	char pmu[64], terms[512], rest[512];
	const char *open = strchr(name, '/'),
		   *close = open ? strchr(open + 1, '/') : NULL;

	*unit = '\0';
	*ev = (struct kernel_event){0};
	if (!close || close[1] || open == name)
		return why_refuse(why, EINVAL,
				  "%s: the form must be PMU/EVENT/ or "
				  "PMU/TERM=VALUE,.../",
				  name);
	if (open - name >= (long)sizeof(pmu) || close - open > (long)sizeof(terms))
		return why_refuse(why, EINVAL, "%.40s...: the name is too long", name);
	kernel_sysfs_pmu(name, pmu, sizeof(pmu));
	if (pmu[0] == '.' || read_type(root, pmu, &ev->type))
		return why_refuse(why, ENOENT,
				  "%s: this machine has no PMU '%s' (see /%s)", name, pmu,
				  devices);
	snprintf(terms, sizeof(terms), "%.*s", (int)(close - open - 1), open + 1);
	const struct parse p = {root, pmu, terms, ev, unit, size, why};
	ev->percpu = has_file(root, pmu, "cpumask") != 0;
	return set_all(&p, rest, sizeof(rest));
}

unsigned kernel_sysfs_cores(const char *root, struct kernel_core core[KERNEL_SYSFS_CORES])
{
	struct dirent **d = NULL;
	const int n = list(root, "", "", &d);
	unsigned cores = 0;

	for (int i = 0; i < n && cores < KERNEL_SYSFS_CORES; i++) {
		struct kernel_core *c = &core[cores];
		const char *name = d[i]->d_name;
		/* As in perf(1): a core PMU is called cpu, or lists its CPUs. */
		if ((strcmp(name, "cpu") && !has_file(root, name, "cpus")) ||
		    read_type(root, name, &c->type) || strlen(name) >= sizeof(c->name))
			continue;
		strcpy(c->name, name);
		cores++;
	}
	file_list_free(d, n);
	return cores;
}

/*
 * List a folder of sysfs as list() does, and report a folder that cannot be read. A
 * folder that does not exist has no names.
 */
static int list_or_report(const char *root, const char *pmu, const char *folder,
			  const struct engine_walk *w, struct dirent ***d)
{
	char text[256];

	errno = 0;
	const int n = list(root, pmu, folder, d);
	if (n > 0 || errno == 0 || errno == ENOENT || !w->unread)
		return n;
	snprintf(text, sizeof(text), "events are not listed: cannot read /%s%s%s%s%s: %s",
		 devices, *pmu ? "/" : "", pmu, *folder ? "/" : "", folder,
		 strerror(errno));
	w->unread(w->arg, text);
	return 0;
}

/*
 * Files with a dot (.unit, .scale, .per-pkg, .snapshot) describe an event and are left
 * out.
 */
static void walk_pmu(const char *root, const char *pmu, const struct engine_walk *w)
{
	struct dirent **d = NULL;
	const int n = list_or_report(root, pmu, "events", w, &d);

	for (int i = 0; i < n; i++) {
		char name[512];
		if (strchr(d[i]->d_name, '.'))
			continue;
		if (snprintf(name, sizeof(name), "%s/%s/", pmu, d[i]->d_name) <
		    (int)sizeof(name))
			w->name(w->arg, name, NULL);
	}
	file_list_free(d, n);
}

void kernel_sysfs_walk(const char *root, const struct engine_walk *w)
{
	const int err = errno;
	struct dirent **d = NULL;
	const int n = list_or_report(root, "", "", w, &d);

	for (int i = 0; i < n; i++)
		walk_pmu(root, d[i]->d_name, w);
	file_list_free(d, n);
	errno = err;
}
