/* Calls that are made when a program creates an LWP, before the LWP runs its own code. */
#ifndef CPC_INHERIT_H
#define CPC_INHERIT_H

struct inherit_hooks {
	/*
	 * Called in the LWP that creates another. Returns an object for the new LWP, or
	 * NULL for none.
	 */
	void *(*prepare)(void);
	/* Called in the new LWP with that object and the code that it will run. */
	void (*start)(void *given, void *(*code)(void *));
	/* Called with the object if the LWP could not be created. */
	void (*cancel)(void *given);
};

/*
 * Call hooks for all LWPs that pthread_create(3) creates from now on; one call is enough
 * for a process. Returns -1 with ENOTSUP if the program does not use the pthread_create
 * of this library.
 */
int inherit_begin(const struct inherit_hooks *hooks);

#endif
