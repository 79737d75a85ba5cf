/* The standard streams of a command. */
#ifndef STREAMS_H
#define STREAMS_H

/*
 * To be called first. A standard stream that is closed must not be taken by a file of ours:
 * writing to it is to fail. A program that is started finds it closed as before.
 */
void streams_guard(void);

/*
 * What was printed on standard output must arrive: a full disk is an error. Returns the exit
 * status; the second prints a text and frees it before (NULL: there was no memory).
 */
int streams_flush(void);
int streams_put(char *text);

#endif
