/*
 * A process with code of every origin, for tests of symbols: prints "NAME ADDRESS" of a
 * function of the program, of memory that has no file, and of a function of the vDSO (if
 * there is one), then "ready", and waits for a signal.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int live_function(int x);

__attribute__((noinline)) int live_function(int x)
{
	return 3 * x + 1;
}

static void print_vdso(void)
{
	static const char *const names[] = {"__vdso_gettimeofday",
					    "__kernel_gettimeofday"};
	void *const vdso = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);

	for (unsigned i = 0; i < 2; i++) {
		void *const f = vdso ? dlsym(vdso, names[i]) : NULL;

		if (f)
			printf("%s %jx\n", names[i], (uintmax_t)(uintptr_t)f);
	}
}

int main(void)
{
	void *const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		return 1;
	printf("live_function %jx\n", (uintmax_t)(uintptr_t)live_function);
	printf("memory %jx\n", (uintmax_t)(uintptr_t)code);
	print_vdso();
	puts("ready");
	fflush(stdout);
	pause();
	return live_function(0) - 1;
}
