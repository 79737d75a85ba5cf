# Turn a table of events into C:
#	awk -f words.awk -f rows.awk -f registers.awk -f events.awk WHAT
# where WHAT is
#	-v map=host.map NAME.events	evtab_table_NAME
#	-v index_of=order FILE...	evtabs[], in that order
# The vocabulary of sim= is read from sim.vocab in the folder of host.map. Every mistake of a
# table is reported as file:line: message, and the exit status is then 1. The programs are
# POSIX awk; their numbers stay below 2^53.
#
# A table consists of lines of words. Text is in double quotes; a word that begins with #
# begins a comment.
#	table   NAME "TITLE"			the name and title of the table in NAME.events
#	cpuref  "SENTENCE"			where the events are documented
#	pics    COUNTERS BITS			number of counters and their width
#	samemode				all requests of a set must count the same modes
#	machine NAME				column sim= uses the model of NAME.machine
#	dispatch CALL				CALL programs the processor and assigns its counters
#	attr    NAME MAX [set]			an attribute of requests: a number from 0 to MAX
#	attr    NAME opcode [set]		an attribute of 64 bits, or "[mifb]:match:mask"
#	attr    NAME MAX ranges [set]		an attribute START-END, given at most MAX times
#						set: the attribute belongs to the whole set
#	ev      NUMBER pic=LIST NAME [COLUMN]... ["TITLE"] [COLUMN]...	an event
#	generic PAPI_NAME EVENT [ATTR=VALUE]	EVENT is a name or number in this table
#	escr, counter  NAME pic=LIST [COLUMN]...	registers of a Pentium 4 that events use
#	regref, useronly, register, field	are described in registers.awk

BEGIN {
	name_re = "[A-Za-z0-9_.-]+"
	event_re = name_re "(::" name_re ")?(:" name_re "(=[0-9a-fx]+)?)*"
	candidate_re = "^~?([1-9][0-9]*[*])?" event_re "([+]" event_re ")*$"

	if (index_of != "") {
		make_index()
		exit
	}
	if (map == "")
		fail("events.awk", 1, "neither -v map= nor -v index_of= is given")
	read_map()
	read_vocab()
}

# Check what needs the whole table: generics, ESCRs, lines that every table must have.
function check_table(   i, j, n, part) {
	check_model()
	check_regs()
	for (i in needed)
		if (!(i in seen))
			fail(file, last, "no line '" i "'")
	for (i = 1; i <= ngeneric; i++)
		generic[i] = check_generic(i)
	for (i = 1; i <= last; i++) {
		n = split(escr_use[i], part, ",")
		for (j = 1; j <= n; j++)
			if (!(("escr", part[j]) in line_of))
				fail(file, i, "this table has no escr '" part[j] "'")
	}
	for (i = 1; i <= nev; i++)
		ev[i] = ev[i] needs_init(i) " },"
}

# Read line n of host.map, which has a key and perhaps a unit. Return the key.
function read_key(line, n,   word) {
	split(line, word, " ")
	if (word[1] !~ /^[a-z0-9_]+$/)
		fail(map, n, "bad key '" word[1] "'")
	else if (word[1] in candidates)
		fail(map, n, "key '" word[1] "' is given twice")
	candidates[word[1]] = ""
	line = substr(line, length(word[1]) + 1)
	gsub(/[ \t]/, "", line)
	if (line == "unit=cycles")
		unit[word[1]] = "cycles"
	else if (line != "")
		fail(map, n, "only unit=cycles may follow a key")
	return word[1]
}

# Read host.map: a key stands at the left margin, its candidates below the key, indented.
function read_map(   line, n, key, got) {
	while ((got = getline line < map) > 0) {
		n++
		sub(/[ \t]*(^|[ \t])#.*$/, "", line)
		if (line ~ /^[ \t]*$/)
			continue
		if (line ~ /^[^ \t]/) {
			key = read_key(line, n)
			continue
		}
		gsub(/[ \t]/, "", line)
		if (key == "")
			fail(map, n, "candidate before the first key")
		else if (line !~ candidate_re)
			fail(map, n, "malformed candidate '" line "'")
		candidates[key] = candidates[key] (candidates[key] == "" ? "" : "|") line
	}
	if (got < 0)
		fail(map, 1, "cannot read this file")
}

# Read sim.vocab: each line has a name, a class and a definition.
function read_vocab(   file, line, n, word, got) {
	file = map
	sub(/[^\/]*$/, "sim.vocab", file)
	while ((got = getline line < file) > 0) {
		n++
		if (line ~ /^[ \t]*(#|$)/)
			continue
		split(line, word, " ")
		if (!(word[2] in rank) || word[3] == "")
			fail(file, n, "a counter needs a name, a class and a definition")
		else if (word[1] in vocab)
			fail(file, n, "counter '" word[1] "' is given twice")
		vocab[word[1]] = word[2]
	}
	if (got < 0)
		fail(file, 1, "cannot read this file")
}

function make_index(   i, line, n, name, want, got, path) {
	for (i = 1; i < ARGC; i++) {
		path[i] = name = ARGV[i]
		sub(/.*\//, "", name)
		sub(/[.]events$/, "", name)
		want[name] = i
	}
	while ((got = getline line < index_of) > 0) {
		n++
		sub(/[ \t]*#.*$/, "", line)
		if (line == "")
			continue
		if (!(line in want))
			fail(index_of, n, "there is no file " line ".events")
		else if (line in line_of)
			fail(index_of, n, "'" line "' is already in line " line_of[line])
		line_of[line] = n
		order[++norder] = line
	}
	if (got < 0)
		fail(index_of, 1, "cannot read this file")
	for (name in want)
		if (!(name in line_of))
			fail(path[want[name]], 1, index_of " has no line '" name "'")
}

function print_index(   i) {
	for (i = 1; i <= norder; i++)
		print "extern const struct evtab evtab_table_" order[i] ";"
	print "\nconst struct evtab *const evtabs[] = {"
	for (i = 1; i <= norder; i++)
		print "\t&evtab_table_" order[i] ","
	print "\tNULL\n};"
}

# Print a C array of rows; C has no empty arrays, so print nothing if there are no rows.
function print_array(type, name, row, n,   i) {
	if (!n)
		return
	printf "static const struct %s %s[] = {\n", type, name
	for (i = 1; i <= n; i++)
		print row[i]
	print "};\n"
}

function print_table() {
	print_array("event", "ev", ev, nev)
	print_array("evgeneric", "generic", generic, ngeneric)
	print_array("evattr", "attrs", attrs, nattrs)
	print_array("evres", "res", res, nres)
	print_array("evfield", "field", field, nfield)
	print_array("evreg", "reg", reg, nreg)
	printf "const struct evtab evtab_table_%s = {\n", table
	printf "\t.name = \"%s\", .title = %s,\n\t.cpuref = %s,\n", table, title, cpuref
	printf "\t.npic = %d, .width = %d, .samemode = %d,\n", npic, width, samemode
	if (machine != "")
		printf "\t.machine = \"%s\",\n", machine
	if (dispatch != "")
		printf "\t.dispatch = \"%s\",\n", dispatch
	if (nev)
		printf "\t.n = %d, .ev = ev,\n", nev
	if (ngeneric)
		printf "\t.ngeneric = %d, .generic = generic,\n", ngeneric
	if (nattrs)
		printf "\t.nattrs = %d, .attrs = attrs,\n", nattrs
	if (nres)
		printf "\t.nres = %d, .res = res,\n", nres
	if (regref != "")
		printf "\t.regref = %s,\n", regref
	if (useronly != "")
		printf "\t.useronly = %s,\n", useronly
	if (nreg)
		printf "\t.nregs = %d, .reg = reg,\n", nreg
	print "};"
}

# Complain of a line that a table may have only once.
function only_once(word) {
	if (word in seen)
		complain("'" word "' is already in line " seen[word])
	seen[word] = FNR
}

function read_header(n, word,   base) {
	only_once(word)
	if (word == "cpuref") {
		cpuref = W[2]
		return n == 2 && cpuref ~ /^"./ ? 1 : complain("cpuref needs a sentence in quotes")
	}
	if (word == "regref") {
		regref = W[2]
		return n == 2 && regref ~ /^"./ ? 1 : complain("regref needs text in quotes")
	}
	if (word == "useronly") {
		useronly = W[2]
		return n == 2 && useronly ~ /^"./ ? 1 : complain("useronly needs a sentence in quotes")
	}
	if (word == "samemode") {
		samemode = 1
		return n == 1 ? 1 : complain("samemode takes no value")
	}
	if (word == "machine") {
		machine = W[2]
		return n == 2 && machine ~ /^[a-z][a-z0-9_]*$/ ? 1 : complain("machine needs a name")
	}
	if (word == "dispatch") {
		dispatch = W[2]
		return n == 2 && dispatch ~ /^[a-z][a-z0-9_]*$/ ? 1 : complain("dispatch needs the name of a call")
	}
	if (word == "pics") {
		npic = value(W[2])
		width = value(W[3])
		if (n != 3 || !is_num(W[2]) || !is_num(W[3]) || npic < 1 || width < 1)
			return complain("pics needs the number of counters and their width")
		return npic <= 64 && width <= 64 ? 1 : complain("pics allows at most 64 counters of at most 64 bits")
	}
	table = W[2]
	title = W[3]
	base = FILENAME
	sub(/.*\//, "", base)
	if (n != 3 || table !~ /^[a-z][a-z0-9_]*$/ || title !~ /^"./)
		return complain("table needs a name and a title in quotes")
	return base == table ".events" ? 1 : complain("table '" table "' must be in a file " table ".events")
}

BEGIN {
	needed["table"]; needed["cpuref"]; needed["pics"]
}

FNR == 1 && NR > 1 {
	fail(FILENAME, FNR, "only one table can be given")
}

{
	file = FILENAME
	last = here = FNR
	n = split_line($0)
	word = W[1]
	if (!n)
		next
	if (has_word("table cpuref pics samemode machine dispatch regref useronly", word))
		read_header(n, word)
	else if (word == "attr")
		read_attr(n)
	else if (word == "ev")
		read_event(n)
	else if (word == "escr" || word == "counter")
		read_resource(n, word)
	else if (word == "generic")
		read_generic(n)
	else if (word == "register")
		read_register(n)
	else if (word == "field")
		read_field(n)
	else
		complain("unknown word '" word "'")
}

END {
	if (index_of == "" && map != "") {
		if (file == "")
			file = ARGV[1]
		check_table()
	}
	if (bad) {
		close("cat 1>&2")
		exit 1
	}
	print "/* Generated by events/gen/events.awk. Do not edit. */"
	print "#include <stddef.h>\n\n#include \"table/table.h\"\n"
	if (index_of != "")
		print_index()
	else
		print_table()
}
