/*
 * The strings of an environment that belong to the simulator. Compiled without a C
 * library.
 */
#ifndef SIM_IMAGE_ENVIRONMENT_H
#define SIM_IMAGE_ENVIRONMENT_H

/*
 * Removes from env[0..n-1] what Valgrind's core and launcher add: VALGRIND_LIB, and in
 * LD_PRELOAD, which is changed in place, the libraries of the folder that VALGRIND_LIB
 * names. LD_PRELOAD is kept if the program had it. Returns the new number of strings.
 */
unsigned environment_hide(char **env, unsigned n);

/* The most strings of a clean environment. */
enum { ENVIRONMENT_KEPT = 9 };

/*
 * Makes an environment that is much the same on every machine. clean, which has room for
 * ENVIRONMENT_KEPT + 1 pointers, gets the strings of env (ended by NULL) for few names,
 * in the order of the names, and constant strings for the usual names that env lacks.
 * Returns the number of strings, after which stands NULL.
 */
unsigned environment_clean(char **env, char **clean);

#endif
