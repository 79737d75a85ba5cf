/* lwprec annotate: the source lines of a function with their events. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "common/status.h"
#include "options_table.h"
#include "output.h"
#include "profiles.h"
#include "suite/profile/annotate.h"

static const struct options_command *const command = &lwprec_annotate;

struct options {
	struct profiles_options profiles;
	const char *sources, *function;
};

static void parse(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){0};
	profiles_options_begin(&o->profiles, command, argv);
	o->profiles.lines = 1;
	while ((c = options_read(&o->profiles.shared, argc, argv)) != -1)
		if (c == LWPREC_SOURCES)
			o->sources = optarg;
		else
			profiles_option(&o->profiles, command, c);
	input_check(&o->profiles.input, command, 0);
	if (argc - optind != 2)
		options_bad(command, "give the name of a recording and of a function");
	o->function = argv[optind + 1];
}

/* Read the file into *s. Returns -1 if that is not possible, or it is no regular file. */
static int read_file(struct annotate_source *s, const char *path)
{
	enum { LARGEST = 1 << 28 };
	struct stat st;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct textbuf b = {0};
	char piece[1 << 14];
	ssize_t n = 0;

	if (fd == -1)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < LARGEST)
		while ((n = read(fd, piece, sizeof piece)) > 0)
			textbuf_put(&b, piece, (size_t)n);
	close(fd);
	s->size = b.len;
	s->text = textbuf_end(&b);
	return s->text ? 0 : -1;
}

/*
 * Try the path itself, then below the folder of --sources the path without its first 0,
 * 1, 2, ... folders.
 */
static void find_file(struct annotate_source *s, const char *folder)
{
	if (s->file[0] == '/' && read_file(s, s->file) == 0 && s->size)
		return;
	for (const char *end = s->file; folder && end; end = strchr(end + 1, '/')) {
		struct textbuf b = {0};

		textbuf_str(&b, folder);
		textbuf_char(&b, '/');
		textbuf_str(&b, *end == '/' ? end + 1 : end);
		char *path = textbuf_end(&b);

		free((char *)s->text);
		s->text = NULL;
		const int found = path && read_file(s, path) == 0 && s->size;

		free(path);
		if (found)
			return;
	}
	free((char *)s->text);
	s->text = NULL;
}

/* Read the source files of the lines. Returns their number. */
static size_t read_sources(struct annotate_source **source, const struct annotation *a,
			   const char *folder)
{
	struct annotate_source *s = calloc(a->n + 1, sizeof *s);
	size_t n = 0;

	if (!s)
		err(EXIT_TOOL, "cannot read the source files");
	for (size_t i = 0; i < a->n; i++) {
		const char *file = a->line[i].file;

		if (!file || (n && strcmp(s[n - 1].file, file) == 0))
			continue;
		s[n].file = file;
		find_file(&s[n++], folder);
	}
	*source = s;
	return n;
}

static int print(const struct profile *p, const struct annotation *a,
		 const struct options *o)
{
	struct annotate_source *source;
	const size_t n = read_sources(&source, a, o->sources);
	struct textbuf b = {0};

	annotate_put(&b, p, a, o->function, source, n, o->profiles.shared.format);
	for (size_t i = 0; i < n; i++)
		free((char *)source[i].text);
	free(source);
	if (b.failed)
		errx(EXIT_TOOL, "cannot annotate %s: there is no memory", o->function);
	return output_write(&b, o->profiles.output);
}

static void annotate(struct annotation *a, const struct profiles *p,
		     const struct options *o)
{
	char near[512];

	if (annotate_make(a, p->profile, o->function) == 0)
		return;
	if (errno != ENOENT)
		err(EXIT_TOOL, "cannot annotate %s", o->function);
	annotate_nearest(p->profile, o->function, near, sizeof near);
	errx(EXIT_TOOL, "no events of a function '%s' are in %s%s%s", o->function,
	     p->input[0].name, *near ? "; " : "", near);
}

int command_annotate(int argc, char **argv)
{
	struct profiles p;
	struct annotation a;
	struct options o;

	parse(&o, argc, argv);
	const struct profile_options options = {.event = o.profiles.event,
						.records = o.profiles.records};

	profiles_open(&p, &o.profiles, argv + optind, 1);
	profiles_sum(&p, &options);
	annotate(&a, &p, &o);
	const int status = print(p.profile, &a, &o);
	const int check = profiles_check(&p, o.profiles.shared.strict);

	annotate_free(&a);
	profiles_close(&p);
	profiles_options_free(&o.profiles);
	return status ? status : check;
}
