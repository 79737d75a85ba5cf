/* lwprec decode: the records of a recording, a core file, a ring or a process. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "commands.h"
#include "common/message.h"
#include "common/options.h"
#include "common/out.h"
#include "common/status.h"
#include "counts.h"
#include "follow.h"
#include "options_table.h"
#include "printer.h"
#include "rings.h"

static const struct options_command *const command = &lwprec_decode;

static void parse_option(struct decode_options *o, int c)
{
	switch (c) {
	case 'F':
		o->fields = optarg;
		break;
	case 'n':
		o->no_title = 1;
		break;
	case 'o':
		free(o->output);
		o->output = out_name("-o", optarg);
		break;
	case 'p':
		o->pid = (pid_t)options_number(command, "-p", optarg, 1, INT32_MAX);
		break;
	case LWPREC_ALL:
		o->all = 1;
		break;
	case LWPREC_CONSUME:
		o->consume = 1;
		break;
	case LWPREC_FOLLOW:
		o->follow = 1;
		break;
	case LWPREC_COUNT:
		o->count = 1;
		break;
	case LWPREC_MANGLED:
		o->mangled = 1;
		break;
	default:
		if (!input_option(&o->input, command, c) &&
		    !filter_option(&o->filters, command, c))
			options_shared_parse(&o->shared, c);
	}
}

/* Exit with the fields that are near to the name. */
static void bad_field(const char *name) __attribute__((noreturn));

static void bad_field(const char *name)
{
	struct nearest near;
	char text[128];

	nearest_init(&near, name);
	for (unsigned i = 0; fields_name(i); i++)
		nearest_add(&near, fields_name(i));
	nearest_text(&near, text, sizeof text);
	options_bad(command, "-F: '%s' is not a field, or is there twice%s%s", name,
		    *text ? "; " : "", text);
}

static void parse(struct decode_options *o, int argc, char **argv)
{
	struct fields fields;
	int c;

	*o = (struct decode_options){.file = "lwprec.core"};
	options_shared_begin(&o->shared, command, argv);
	while ((c = options_read(&o->shared, argc, argv)) != -1)
		parse_option(o, c);
	if (o->fields) {
		const char *bad = fields_choose(&fields, o->fields);

		if (bad)
			bad_field(bad);
	}
	input_check(&o->input, command, o->pid);
	if (o->follow && (!o->pid || o->all || o->count))
		options_bad(command,
			    "--follow needs -p, and has no --all and no --count");
	if (o->consume && !o->follow)
		options_bad(command, "--consume needs --follow");
	if (argv[optind] && o->pid)
		options_bad(command, "a file and -p cannot be used together");
	if (argv[optind] && argv[optind + 1])
		options_bad(command, "give one file, not also '%s'", argv[optind + 1]);
	if (o->count && (o->all || o->fields || o->filters.symbol || o->filters.module))
		options_bad(command, "--count has no fields, no names and no --all");
	if (argv[optind])
		o->file = argv[optind];
}

static void choose_fields(struct fields *f, const struct decode_options *o,
			  const struct recording *r)
{
	const int csv = o->shared.format == TEXT_CSV;
	const char *list = o->fields;
	char text[256];

	if (!list && o->shared.format == TEXT_JSON) {
		list = "ring,index,slot,state,tid,thread,core,event,id,ip,data2,data1,"
		       "flags,detail,timestamp,target,address,latency,source,symbol,"
		       "offset,module";
	} else if (!list) {
		const char *names = csv ? ",symbol,offset,module" : ",symbol";

		snprintf(text, sizeof text, "%s%s%s%s%s", csv ? "ring,index," : "",
			 o->all ? "slot,state," : "", COLUMNS_FIELDS,
			 csv && r->clock ? ",timestamp" : "", r->nmapping ? names : "");
		list = text;
	}
	fields_choose(f, list);
}

static void print_title(struct printer *p)
{
	struct textbuf b = {0};

	if (p->options->no_title || p->fields.format == TEXT_JSON)
		return;
	fields_titles(&p->fields, &b);
	printer_text(p, textbuf_end(&b));
}

/* Comments are for text, and the facts have records in JSON. */
static int prints_facts(const struct decode_options *o)
{
	return o->shared.format == TEXT_JSON ||
	       (o->shared.format == TEXT_PLAIN && !o->no_title);
}

/* Print the slots that LWP owns: records that were read, and the last missed one. */
static void print_free_slots(struct printer *p, const lwp_ring_t *ring)
{
	const uint32_t n = lwp_ring_count(ring), slots = lwp_ring_slots(ring);

	if (ring->missed)
		printer_slots(p, ring, n, n + 1, PRINTER_MISSED);
	printer_slots(p, ring, n + (ring->missed != 0), slots, PRINTER_OLD);
}

/* Print a ring. Returns how many problems there are. */
static unsigned print_ring(struct printer *p, size_t i, const char *name)
{
	const struct recording *r = p->recording;
	struct recording_view v;
	const int found = recording_view(r, &r->ring[i], &v);

	if (prints_facts(p->options))
		printer_text(p, rings_ring(r, i, &v, p->fields.format));
	unsigned problems = rings_warn(name, r, i, &v, found);
	if (found == -1)
		return problems;
	printer_ring(p, i);
	printer_slots(p, &v.ring, 0, lwp_ring_count(&v.ring), PRINTER_UNREAD);
	if (v.state.pending.id)
		printer_record(p, &v.state.pending, PRINTER_PENDING);
	if (p->options->all)
		print_free_slots(p, &v.ring);
	if (p->empty)
		warnx("%s: ring %zu: %" PRIu64 " records have the event 0, which LWP "
		      "never writes",
		      name, i + 1, p->empty);
	problems += p->empty != 0;
	p->empty = 0;
	return problems;
}

static void note_sources(const struct recording *r)
{
	for (size_t i = 0; i < r->nevent; i++)
		message_notef("%s: %s", r->event[i].name, r->event[i].source);
}

static unsigned print_records(const struct decode_options *o, const struct input *in,
			      struct out *out)
{
	const struct recording *r = &in->recording;
	struct printer p = {0};
	unsigned problems = 0;
	const char *why;

	choose_fields(&p.fields, o, r);
	printer_begin(&p, o, r, out);
	if (prints_facts(o))
		printer_text(&p, rings_recording(r, o->shared.format));
	if (o->shared.format == TEXT_CSV)
		note_sources(r);
	print_title(&p);
	if (o->follow)
		problems = follow(&p);
	for (size_t i = 0; i < r->nring && !o->follow && !out->error; i++)
		problems += print_ring(&p, i, in->name);
	printer_flush(&p);
	for (unsigned i = 0; p.places; i++) {
		const char *file = symbols_problem(places_symbols(p.places), i, &why);

		if (!file)
			break;
		message_notef("%s has no symbols: %s", file, why);
	}
	printer_end(&p);
	return problems;
}

static unsigned print_counts(const struct decode_options *o, const struct input *in,
			     struct out *out)
{
	const struct recording *r = &in->recording;
	struct textbuf b = {0};
	unsigned problems = 0;

	if (!o->no_title)
		counts_title(&b, o->shared.format);
	for (size_t i = 0; i < r->nring; i++) {
		struct recording_view v;
		struct counts c = {{0}};
		const int found = recording_view(r, &r->ring[i], &v);

		problems += rings_warn(in->name, r, i, &v, found);
		if (found == 0)
			counts_add(&c, &v.ring, &o->filters, r->ring[i].tid);
		counts_lines(&b, &c, i, r->ring[i].tid, o->shared.format);
	}
	char *text = textbuf_end(&b);
	out_write(out, text, text ? b.len : 0);
	free(text);
	return problems;
}

static int no_rings(const struct input *in)
{
	warnx("%s has no LWP ring: no note of lwprec, and no thread with LWP state; if "
	      "the address of an LWPCB is known, give it with --lwpcb",
	      in->name);
	return EXIT_TOOL;
}

static int decode(const struct decode_options *o, const struct input *in)
{
	struct out out;

	/* A recording of perf events has rings of the LWPs that have records alone. */
	if (!in->recording.nring && !in->recording.nevent)
		return no_rings(in);
	if (!in->recording.nring)
		message_notef("there are no records in %s", in->name);
	if (out_open(&out, o->output, STDOUT_FILENO, "standard output") == -1)
		return EXIT_TOOL;
	const unsigned problems =
		o->count ? print_counts(o, in, &out) : print_records(o, in, &out);
	out_close(&out);
	if (!out.error)
		return problems && o->shared.strict ? EXIT_TOOL : 0;
	if (out_reader_gone())
		return 0;
	warnx("cannot write to %s: %s", out.name, out_strerror(out.error));
	return EXIT_TOOL;
}

int command_decode(int argc, char **argv)
{
	struct decode_options o;
	struct input in;

	parse(&o, argc, argv);
	input_open(&in, &o.input, o.file, o.pid);
	const int status = decode(&o, &in);
	input_close(&in);
	free(o.output);
	input_options_free(&o.input);
	filters_free(&o.filters);
	options_shared_free(&o.shared);
	return status;
}
