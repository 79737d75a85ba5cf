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

/* Does a string begin with NAME=, for a name that a clean environment keeps? */
int environment_keeps(const char *string);

#endif
