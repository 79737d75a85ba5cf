/* Recordings from files, standard input, raw rings and processes. */
#ifndef LWPREC_INPUTS_H
#define LWPREC_INPUTS_H

#include "common/options.h"
#include "lwp/recording.h"

/* The values of the options below; a subcommand numbers its own from INPUT_END. */
enum {
	INPUT_EVENT_OFFSET = OPTIONS_END,
	INPUT_EVENT_SIZE,
	INPUT_HEAD,
	INPUT_LWPCB,
	INPUT_RAW,
	INPUT_TAIL,
	INPUT_END
};

/* The entries in a subcommand's array of long options. */
/* clang-format off */
#define INPUT_OPTIONS \
	{"event-offset", required_argument, NULL, INPUT_EVENT_OFFSET}, \
	{"event-size", required_argument, NULL, INPUT_EVENT_SIZE}, \
	{"head", required_argument, NULL, INPUT_HEAD}, \
	{"lwpcb", required_argument, NULL, INPUT_LWPCB}, \
	{"raw", no_argument, NULL, INPUT_RAW}, \
	{"tail", required_argument, NULL, INPUT_TAIL}
/* clang-format on */

/* The lines about them in the usage text. */
/* clang-format off */
#define INPUT_USAGE \
	"\t--event-offset=N  LwpEventOffset is N, not what the recording says or 128\n" \
	"\t--event-size=N  LwpEventSize is N, not what the recording says or 32\n" \
	"\t--head=N        with --raw: the next record would be at offset N\n" \
	"\t--lwpcb=ADDR    an LWPCB is at this address (of a core or a process);\n" \
	"\t                with --raw: the file that has the LWPCB\n" \
	"\t--raw           the file is the bytes of a ring\n" \
	"\t--tail=N        with --raw: the oldest record is at offset N\n"
/* clang-format on */

/* The values of these options; all zeros at first. */
struct input_options {
	int raw;
	const char **lwpcb; /* the arguments of --lwpcb */
	unsigned nlwpcb;
	unsigned event_size, event_offset; /* 0: not given */
	int has_head, has_tail;
	uint32_t head, tail;
};

struct input {
	const char *name; /* for messages */
	struct recording recording;
	/* The rest is private. */
	uint8_t *file, *block;
	size_t size;
	int mapped;
	struct recording_ring ring; /* of --raw */
};

/*
 * Handle c, which options_next() returned. Returns 1, or 0 if c is none of INPUT_OPTIONS.
 * Exits if the argument is wrong.
 */
int input_option(struct input_options *o, const struct options_command *command, int c);

/* Exit if the options contradict each other. pid: of the process that is read, or 0. */
void input_check(const struct input_options *o, const struct options_command *command,
		 pid_t pid);

void input_options_free(struct input_options *o);

/*
 * Open the file at path ("-": standard input), or the process if pid is not 0. Exits with
 * EXIT_TOOL, after a message, on failure.
 */
void input_open(struct input *in, const struct input_options *o, const char *path,
		pid_t pid);
void input_close(struct input *in);

/*
 * Return the number in text: decimal, or hexadecimal with 0x. Exits if text is not a
 * number up to max. option is "--head", for example.
 */
uint64_t input_number(const struct options_command *command, const char *option,
		      const char *text, uint64_t max);

#endif
