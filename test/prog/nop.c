/* nop: does nothing; for measuring the costs of an exec. */
int main(void)
{
	return 0;
}
