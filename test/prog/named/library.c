/* A library whose function is called 5 times before the program begins. */
long library_calls = 1;
int library_function(int n);

__attribute__((noinline)) int library_function(int n)
{
	library_calls++;
	__asm__ volatile("");
	return n + 1;
}

__attribute__((constructor)) static void begin(void)
{
	for (int i = 0; i < 5; i++)
		library_function(i);
}
