/* The file or stream that rows and reports are written to, with its first error. */
#ifndef COMMON_OUT_H
#define COMMON_OUT_H

#include <stddef.h>
#include <sys/types.h>

struct out {
	int fd, ours;	   /* ours: out_open() opened fd */
	const char *name;  /* for messages */
	int error;	   /* errno of the first write that failed, or 0 */
	int regular;	   /* out_open() opened a regular file */
	off_t complete;	   /* its length after the last text that was written */
	off_t provisional; /* where text begins that the next text replaces, or -1 */
	int writing;	   /* the provisional text is being written */
	int lost; /* errno of the first write of provisional text that failed, or 0 */
};

/*
 * Return the name of a file from the argument of an option, with the placeholders
 * expanded (base/outname.h); the caller frees the name. Exits with EXIT_USAGE
 * after a message if that is not possible, or if several ranks would write the file.
 */
char *out_name(const char *option, const char *text);

/*
 * Open the file at path or, if path is NULL, use fd, which messages call name. An
 * existing file is emptied, unless another process is writing it. Returns -1 after a
 * message if the file cannot be opened.
 */
int out_open(struct out *o, const char *path, int fd, const char *name);

/*
 * Open the file at path, whose name is another file's with an ending: perfex -mp. Only a
 * regular file is opened, and no symbolic link. append: keep what is in the file. Returns
 * -1 with the errno in o->error.
 */
int out_open_derived(struct out *o, const char *path, int append);

/*
 * Write text, with one write(2), and free it; NULL counts as ENOMEM. Only printable
 * characters, tabs and line breaks are written, the others as '?'. After an error nothing
 * more is written.
 */
void out_text(struct out *o, char *text);

/*
 * Begin a provisional text, for the case that the process is killed. Text until
 * out_provisional_end() is in the file after that call, and the text that comes next
 * takes its place. Returns 0, or -1 if the output is not a regular file that out_open()
 * opened, or has failed: then nothing is to be written. An error of the provisional text
 * is no error of the output: the text is removed.
 */
int out_provisional_begin(struct out *o);
void out_provisional_end(struct out *o);

/*
 * Write n bytes of text, with one write(2) if the file takes them all. out is a struct
 * out *; text NULL counts as ENOMEM. Returns 0, or -1 with errno.
 */
int out_write(void *out, const char *text, size_t n);

/* Close the file if out_open() opened it. */
void out_close(struct out *o);

/* The same. Returns -1, after a message, if some text could not be written. */
int out_finish(struct out *o);

/* Print the note that a file cannot be locked, for errno. */
void out_note_no_lock(const char *path);

/* Return the words for an errno of out_open(), of replace_begin() or of a write. */
const char *out_strerror(int error);

/*
 * main() calls this first. It keeps files that the command opens off the numbers of
 * closed standard streams, so that output to a closed stream fails and does not go into
 * such a file. A program that is started later finds the streams closed as before.
 *
 * A reader that went away and a full file (ulimit -f) become errors of write(2), not
 * SIGPIPE and SIGXFSZ. A program that is started later has the actions as before.
 */
void out_prepare(void);

/*
 * Flush standard output, which has a list or a text. Returns the exit status: EXIT_TOOL,
 * after a message, on an error. A reader that went away has seen what it wanted: 0.
 */
int out_flush_stdout(void);

/* Returns whether the reader of standard output has gone away. */
int out_reader_gone(void);

/*
 * Print text on standard output, free it and flush: out_flush_stdout(). Exits if text is
 * NULL (no memory).
 */
int out_print(char *text);

#endif
