/* New LWPs: something is done in each before its own code runs. */
#ifndef CPC_INHERIT_H
#define CPC_INHERIT_H

struct inherit_hooks {
	/* In the LWP that creates another: what is handed to it; NULL: nothing. */
	void *(*prepare)(void);
	/* In the new LWP, whose own code begins with code. */
	void (*start)(void *given, void *(*code)(void *));
	/* It could not be created. */
	void (*cancel)(void *given);
};

/*
 * Call hooks for all LWPs that pthread_create(3) makes from now on; once for a process
 * is enough. -1: ENOTSUP, this program does not use the pthread_create of this library.
 */
int inherit_begin(const struct inherit_hooks *hooks);

#endif
