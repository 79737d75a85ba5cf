# Turn the words that a search for events takes as the same into C:
#	awk -f synonyms.awk synonyms	synonyms[]
# The head of events/synonyms describes its lines. Every mistake is reported as file:line:
# message, and the exit status is then 1. The program is POSIX awk.

function complain(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text | "cat 1>&2"
	bad = 1
}

BEGIN {
	print "#include \"table/synonyms.h\"\n\nconst struct synonym synonyms[] = {"
}

/^(#|$)/ {
	next
}

!/^[a-z0-9]+: [a-z0-9]+( [a-z0-9]+)*(, [a-z0-9]+( [a-z0-9]+)*)*$/ {
	complain("a line needs the form WORD: SYNONYM, ...")
	next
}

{
	colon = index($0, ": ")
	word = substr($0, 1, colon - 1)
	if (word in seen)
		complain("the word '" word "' has two lines")
	seen[word]
	n = split(substr($0, colon + 2), means, ", ")
	for (i = 1; i <= n; i++)
		printf "\t{\"%s\", \"%s\"},\n", word, means[i]
}

END {
	print "\t{0},\n};"
	exit bad
}
