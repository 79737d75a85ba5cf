/*
 * Calls hit() 7 times and writes counter 3 times; with a library also calls its function
 * 11 times. Arguments: "threads": three threads call hit() 100, 200 and 300 times;
 * "fork": a child calls it 40 times; "exec" COMMAND; "wait": calls it for each byte that
 * it reads.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY
int library_function(int n);
#endif

volatile int counter;
volatile char table[400];
struct {
	char before;
	volatile int odd;
} __attribute__((packed)) packed;
extern volatile int unaligned;
__asm__(".globl unaligned; .set unaligned, packed + 1; .type unaligned, @object; "
	".size unaligned, 4");

void hit(void);
__attribute__((noinline)) void hit(void)
{
	__asm__ volatile("");
}

static void *call(void *arg)
{
	for (long i = (long)arg; i > 0; i--)
		hit();
	return NULL;
}

static void threads(void)
{
	pthread_t thread[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, call, (void *)(100 * (i + 1)));
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

static void child(void)
{
	if (fork() == 0) {
		call((void *)40);
		_exit(0);
	}
	wait(NULL);
}

static void read_all(void)
{
	char c;

	puts("ready");
	fflush(stdout);
	while (read(0, &c, 1) == 1)
		hit();
}

int main(int argc, char **argv)
{
	const char *const what = argc > 1 ? argv[1] : "";

	call((void *)7);
	for (int i = 0; i < 3; i++)
		counter = i;
	for (int i = 0; i < 9; i++)
		unaligned = i;
#ifdef LIBRARY
	for (int i = 0; i < 11; i++)
		library_function(i);
#endif
	if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "fork"))
		child();
	else if (!strcmp(what, "wait"))
		read_all();
	else if (!strcmp(what, "exec"))
		execvp(argv[2], argv + 2);
	puts("it ran");
	return 0;
}
