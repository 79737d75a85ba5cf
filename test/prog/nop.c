/* nop: nothing, as the program that is executed when only the execution matters. */
int main(void)
{
	return 0;
}
