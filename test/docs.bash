# Functions of the tests of documents. Loaded with: load docs

# literal FILE: print the literal blocks of a manual page, each after a line "== N".
literal() {
	awk '/^\.Bd -literal/ { print "== " ++n; on = 1; next } /^\.Ed/ { on = 0 }
		on { gsub(/\\e/, "\\"); sub(/^\\&/, ""); print }' "$1"
}

# block FILE N: print the Nth literal block.
block() { literal "$1" | awk -v n="$2" '/^== / { on = $2 == n; next } on'; }

# Build a program with the function and the variable that the examples count.
build_prog() {
	cat > "$T/prog.c" <<-'END'
		int counter;
		__attribute__((noinline)) void hit(void) { __asm__ volatile("" : : : "memory"); }
		int main(void)
		{
			for (int i = 0; i < 10; i++) {
				hit();
				*(volatile int *)&counter = i;
			}
			return 0;
		}
	END
	"${CC:-cc}" -O1 -no-pie -o "$T/prog" "$T/prog.c"
}
