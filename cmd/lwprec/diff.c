/* lwprec diff: the differences of two recordings, function by function. */
#include <err.h>
#include <stdlib.h>

#include "commands.h"
#include "common/status.h"
#include "options_table.h"
#include "output.h"
#include "profiles.h"
#include "suite/profile/diff.h"

static const struct options_command *const command = &lwprec_diff;

enum { TEXT_ROWS = 20 };

static void parse(struct profiles_options *o, int argc, char **argv)
{
	int c;

	profiles_options_begin(o, command, argv);
	while ((c = options_read(&o->shared, argc, argv)) != -1)
		profiles_option(o, command, c);
	input_check(&o->input, command, 0);
	if (argc - optind != 2)
		options_bad(command, "give the names of two recordings");
	if (o->rows == -1)
		o->rows = o->shared.format == TEXT_PLAIN ? TEXT_ROWS : 0;
}

static int print(const struct profiles p[2], const struct profiles_options *o)
{
	struct textbuf b = {0};
	const int n = diff_put(&b, p[0].profile, p[1].profile, (size_t)o->rows,
			       o->shared.format);

	if (n == -1)
		err(EXIT_TOOL, "cannot compare the recordings");
	if (n == 0) {
		free(b.s);
		warnx("%s and %s cannot be compared: no event is in both",
		      p[0].input[0].name, p[1].input[0].name);
		return EXIT_TOOL;
	}
	return output_write(&b, o->output);
}

int command_diff(int argc, char **argv)
{
	struct profiles p[2];
	struct profiles_options o;
	int check = 0;

	parse(&o, argc, argv);
	const struct profile_options options = {.event = o.event, .records = o.records};

	for (int i = 0; i < 2; i++) {
		profiles_open(&p[i], &o, argv + optind + i, 1);
		profiles_sum(&p[i], &options);
	}
	const int status = print(p, &o);

	for (int i = 0; i < 2; i++) {
		check |= profiles_check(&p[i], o.shared.strict);
		profiles_close(&p[i]);
	}
	profiles_options_free(&o);
	return status ? status : check;
}
