/* Recordings from files, standard input, raw rings and processes. */
#ifndef LWPREC_INPUTS_H
#define LWPREC_INPUTS_H

#include "common/options.h"
#include "lwp/recording.h"

/* The values of the options about input; all zeros at first. */
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
 * Handle c, which options_read() returned. Returns 1, or 0 if c is none of these options.
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
