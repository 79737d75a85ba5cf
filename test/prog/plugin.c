/*
 * plugin: opens a shared object, named by the argument, and calls its main(). The object
 * and the libraries that it needs were not loaded when the program began.
 */
#include <dlfcn.h>
#include <err.h>
#include <stddef.h>

int main(int argc, char **argv)
{
	void *object = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*start)(void) = object ? (int (*)(void))dlsym(object, "main") : NULL;

	if (!start)
		errx(2, "%s", dlerror());
	const int status = start();
	/* The library stays (-z nodelete), also for the threads that it has counted. */
	return dlclose(object) == 0 ? status : 3;
}
