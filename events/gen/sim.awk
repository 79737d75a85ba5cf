# Turn the model's vocabulary and machines into C:
#	awk -f sim.awk -v what=counters sim.vocab	enum sim_counter
#	awk -f sim.awk -v what=vocab sim.vocab		sim_vocab[]
#	awk -f sim.awk -v what=machines NAME.machine...	machines[], in that order
# The counters that machines name are read from sim.vocab in the folder of the first machine.
# Every mistake is reported as file:line: message, and the exit status is then 1. The program is
# POSIX awk.
#
# A machine consists of lines of a key and a value; a word that begins with # begins a comment.
# Values are numbers unless words are listed here; sizes are in bytes; 0 means that the machine
# does not have the part.
#	machine NAME "TITLE"		the name and title of the machine in NAME.machine
#	mhz, width			clock; instructions a cycle
#	simd				bytes of a vector on which an FP operation works; 0: on one
#					element. Loads, stores and other operations on vectors work
#					on as many bytes, but at least 8
#	i1. d1. l2. l3.			a cache: size, line, sub (bytes filled at once, by
#					default a line), ways, repl (lru or fifo; L2 with a
#					table of way predictions: waypred)
#	d1.write, d1.alloc		back or through; L1D allocates on writes: yes or no
#	l2.inclusive			L2 includes L1I and L1D: yes or no
#	waypred				entries of L2's way-prediction table
#	wmerge				bytes in which a write-through L1D merges stores
#	tlb				split; or joint: dtlb also serves instructions
#	tlb.repl			fifo
#	prefetch.tlb			a prefetch of a page that the TLB lacks: drop (it does
#					nothing) or walk (it fills the TLB, as a load does)
#	itlb1. dtlb1. itlb. dtlb.	first level, last level: entries, ways (0: one set),
#					page (bytes that an entry maps)
#	bp				bimodal or gshare, with bp.entries, bp.shift and
#					bp.init (0 to 3); gshare: also bp.hist (bits of
#					history), bp.fold (another shift)
#	ras, ind			entries of the return stack, of the target cache
#	timing OP LATENCY REPEAT UNITS	an operation: cycles until its result can be used (0 to 127),
#					cycles for which a unit is occupied (1 to 127), and a letter
#					for each unit that can do it; one line for each OP of enum
#					machine_op in machine.h: alu, shift, ...
#	penalty COUNTER CYCLES GROUP	what one COUNTER costs; GROUP: base, fetch, load, tlb,
#					br or wb

function fail(file, line, text) {
	printf "%s:%d: %s\n", file, line, text | "cat 1>&2"
	bad = 1
}

function complain(text) {
	fail(FILENAME, FNR, text)
}

function keys(type, names,   i, n, list) {
	n = split(names, list, " ")
	for (i = 1; i <= n; i++)
		keytype[list[i]] = type
}

function begin_machines(   file, line, word, got) {
	nops = split("alu shift branch load loadfp store vec mul32 mul64 fadd fmul fma div32 " \
		"div64 fdiv32 fdiv64 fsqrt32 fsqrt64", ops, " ")
	keys("number", "mhz width simd waypred wmerge ras ind")
	keys("number", "i1.size i1.line i1.sub i1.ways d1.size d1.line d1.sub d1.ways")
	keys("number", "l2.size l2.line l2.sub l2.ways l3.size l3.line l3.ways")
	keys("number", "itlb1.entries itlb1.ways itlb1.page dtlb1.entries dtlb1.ways dtlb1.page")
	keys("number", "itlb.entries itlb.ways itlb.page dtlb.entries dtlb.ways dtlb.page")
	keys("number", "bp.entries bp.shift bp.fold bp.hist bp.init")
	keys("lru fifo", "i1.repl d1.repl l3.repl")
	keys("lru fifo waypred", "l2.repl")
	keys("fifo", "tlb.repl")
	keys("back through", "d1.write")
	keys("yes no", "d1.alloc l2.inclusive")
	keys("split joint", "tlb")
	keys("drop walk", "prefetch.tlb")
	keys("bimodal gshare", "bp")
	file = ARGV[1]
	sub(/[^\/]*$/, "sim.vocab", file)
	while ((got = getline line < file) > 0) {
		split(line, word, " ")
		if (line !~ /^[ \t]*(#|$)/)
			vocab[word[1]] = word[2]
	}
	if (got < 0)
		fail(file, 1, "cannot read this file")
}

BEGIN {
	if (what == "machines")
		begin_machines()
}

# ---- Vocabulary

what != "machines" && /^[ \t]*(#|$)/ {
	next
}

what == "counters" || what == "vocab" {
	if ($1 !~ /^[a-z][a-z0-9_]*$/ || $2 !~ /^(exact|modelled|estimated)$/ || NF < 3)
		complain("a counter needs a name, a class and a definition")
	if ($1 in seen)
		complain("counter '" $1 "' is given twice")
	seen[$1]
	if ($2 == "estimated")
		estimated = 1
	else if (estimated)
		complain("counters of the model must come before the estimates")
	if ($2 != "estimated")
		ncounters++
	name[++n] = $1
	class[n] = $2
	text = $0
	sub(/^[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", text)
	gsub(/["\\]/, "\\\\&", text)
	means[n] = text
}

function print_counters(   i) {
	print "#ifndef SIM_COUNTERS_H\n#define SIM_COUNTERS_H\n"
	print "/* Counters of the model; from SIM_NCOUNTERS on, estimates that are computed from them. */"
	print "enum sim_counter {"
	for (i = 1; i <= n; i++)
		printf "\tCTR_%s,\n", toupper(name[i])
	printf "\tSIM_NVOCAB,\n\tSIM_NCOUNTERS = %d\n};\n\n#endif\n", ncounters
}

function print_vocab(   i) {
	print "#include \"sim/shared/vocab.h\"\n\nconst struct sim_word sim_vocab[SIM_NVOCAB] = {"
	for (i = 1; i <= n; i++)
		printf "\t[CTR_%s] = { \"%s\", SIM_%s, \"%s\" },\n", toupper(name[i]), name[i], \
			toupper(class[i]), means[i]
	print "};"
}

# ---- Machines

function is_num(s) {
	return s ~ /^(0|[1-9][0-9]*)$/ && length(s) <= 9
}

function is_power(n) {
	while (n > 1 && n % 2 == 0)
		n /= 2
	return n == 1
}

# Return the logarithm to base 2, rounded down. The operator ^ is missing from some awks.
function log2(number,   n) {
	for (; number >= 2; number /= 2)
		n++
	return n + 0
}

function has_word(list, word) {
	return index(" " list " ", " " word " ") > 0
}

# Read the line machine. Its title, which is in quotes, ends the line.
function read_name(   base) {
	base = FILENAME
	sub(/.*\//, "", base)
	title = $0
	sub(/^[^"]*/, "", title)
	sub(/[ \t]*(#[^"]*)?$/, "", title)
	if ("machine" in VAL)
		return complain("'machine' is given twice")
	VAL["machine"] = $2
	if ($2 !~ /^[a-z][a-z0-9_]*$/ || title !~ /^"[^"\\]+"$/)
		complain("machine needs a name and a title in quotes")
	else if (base != $2 ".machine")
		complain("machine '" $2 "' must be in a file " $2 ".machine")
}

function read_penalty() {
	if (NF != 4)
		return complain("penalty needs a counter, cycles and a group")
	if (!($2 in vocab))
		complain("the model has no counter '" $2 "'")
	else if (vocab[$2] == "estimated")
		complain("'" $2 "' is an estimate, which cannot have a penalty")
	if ($3 !~ /^(0|[1-9][0-9]*)([.][0-9]+)?$/)
		complain("bad number '" $3 "'")
	if (!has_word("base fetch load tlb br wb", $4))
		complain("unknown group '" $4 "'")
	if (("penalty", $2) in VAL)
		complain("penalty of '" $2 "' is given twice")
	VAL["penalty", $2]
	penalty[++npenalties] = "\t{ CTR_" toupper($2) ", COST_" toupper($4) ", " $3 " },"
}

# Return the set of units as a number: bit 0 for A, ..., or 0 if a word is no set of letters.
function unit_set(word,   i, bit, set) {
	if (word !~ /^[A-Z]+$/)
		return 0
	bit = 1
	for (i = 1; i <= 26; i++) {
		if (index(word, substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", i, 1)))
			set += bit
		bit *= 2
	}
	return set
}

function read_timing(   i) {
	if (NF != 5)
		return complain("timing needs an operation, a latency, a repeat rate and units")
	for (i = 1; i <= nops && ops[i] != $2; i++)
		;
	if (i > nops)
		complain("unknown operation '" $2 "'")
	if (("timing", $2) in VAL)
		complain("timing of '" $2 "' is given twice")
	if (!is_num($3) || $3 > 127)
		complain("bad latency '" $3 "': must be from 0 to 127")
	if (!is_num($4) || $4 < 1 || $4 > 127)
		complain("bad repeat rate '" $4 "': must be from 1 to 127")
	if (!unit_set($5))
		complain("bad units '" $5 "': must be letters from A to Z")
	VAL["timing", $2] = "\t\t[MOP_" toupper($2) "] = { " $3 ", " $4 ", " unit_set($5) " },\n"
}

function read_value(   key) {
	key = $1
	if (NF != 2)
		return complain("a line needs a key and a value")
	if (!(key in keytype))
		return complain("unknown key '" key "'")
	if (key in VAL)
		return complain("'" key "' is given twice")
	VAL[key] = $2
	line_of[key] = FNR
	if (keytype[key] == "number" && !is_num($2))
		complain("bad number '" $2 "'")
	else if (keytype[key] != "number" && !has_word(keytype[key], $2))
		complain("bad value '" $2 "': must be one of: " keytype[key])
}

# Complain of a key at its line, or at the last line if the key is missing.
function complain_of(key, text) {
	fail(file, (key in line_of) ? line_of[key] : last, key ": " text)
}

# Complain of each missing key; returns whether all are present.
function need(names,   i, n, list, missing) {
	n = split(names, list, " ")
	for (i = 1; i <= n; i++) {
		used[list[i]]
		if (!(list[i] in VAL)) {
			complain_of(list[i], "is missing")
			missing = 1
		}
	}
	return !missing
}

function power(names,   i, n, list) {
	n = split(names, list, " ")
	for (i = 1; i <= n; i++)
		if ((list[i] in VAL) && !is_power(VAL[list[i]]))
			complain_of(list[i], VAL[list[i]] " is not a power of two")
}

# Check that all entries divide evenly into sets of ways, and that the number of sets is a power of two.
function check_sets(key, all, ways) {
	if (ways < 1)
		complain_of(key, "must be at least 1")
	else if (all % ways || !is_power(all / ways))
		complain_of(key, "the number of sets is not a power of two")
}

function check_cache(c, more) {
	if (!need(c ".size"))
		return
	if (VAL[c ".size"] == 0)
		return c == "l3" ? 0 : complain_of(c ".size", "must not be 0")
	used[c ".sub"]
	if (!need(c ".line " c ".ways " c ".repl" more))
		return
	power(c ".line " c ".sub")
	if (!((c ".sub") in VAL))
		VAL[c ".sub"] = VAL[c ".line"]
	if (VAL[c ".line"] < 16)
		return complain_of(c ".line", "must be at least 16")
	if (VAL[c ".sub"] < 1 || VAL[c ".line"] / VAL[c ".sub"] > 8 || VAL[c ".sub"] > VAL[c ".line"])
		complain_of(c ".sub", "must be from an eighth of a line to a line")
	check_sets(c ".ways", VAL[c ".size"] / VAL[c ".line"], VAL[c ".ways"])
}

function check_tlb(t) {
	if (!need(t ".entries"))
		return
	if (VAL[t ".entries"] == 0)
		return t ~ /1$/ ? 0 : complain_of(t ".entries", "must not be 0")
	if (!need(t ".ways " t ".page"))
		return
	power(t ".page")
	if (VAL[t ".page"] < 4096)
		complain_of(t ".page", "must be at least 4096")
	if (VAL[t ".ways"] > 0) {
		power(t ".ways")
		check_sets(t ".ways", VAL[t ".entries"], VAL[t ".ways"])
	}
}

function check_branches() {
	if (!need("bp bp.entries bp.shift bp.init ras ind"))
		return
	power("bp.entries")
	if (VAL["bp.init"] > 3)
		complain_of("bp.init", "must be at most 3")
	if (VAL["bp.shift"] > 63)
		complain_of("bp.shift", "must be at most 63")
	if (VAL["ind"])
		power("ind")
	if (VAL["bp"] != "gshare")
		return
	used["bp.fold"]
	if (!need("bp.hist"))
		return
	if (VAL["bp.hist"] < 1 || VAL["bp.hist"] > log2(VAL["bp.entries"]))
		complain_of("bp.hist", "must be at least 1, and at most the number of bits that index bp.entries")
	if (VAL["bp.fold"] > 63)
		complain_of("bp.fold", "must be at most 63")
}

# Check the rules between levels of cache.
function check_levels() {
	if (VAL["i1.line"] > VAL["l2.sub"] || VAL["d1.line"] > VAL["l2.sub"])
		complain_of("l2.line", "L2 must fill at least a line of L1 at once")
	if (VAL["l3.size"] && VAL["l2.line"] > VAL["l3.line"])
		complain_of("l3.line", "must not be shorter than l2.line")
	if ((VAL["d1.write"] == "back") != (VAL["d1.alloc"] == "yes"))
		complain_of("d1.alloc", "must be yes if d1.write is back, and no if d1.write is through")
	if (VAL["waypred"] && VAL["l2.ways"] != 2)
		complain_of("waypred", "must be 0 unless l2.ways is 2")
	if ((VAL["waypred"] > 0) != (VAL["l2.repl"] == "waypred"))
		complain_of("l2.repl", "must be waypred if, and only if, waypred is not 0")
	if (VAL["wmerge"] && VAL["d1.write"] == "back")
		complain_of("wmerge", "must be 0 unless d1.write is through")
	if (VAL["wmerge"] > VAL["l2.sub"])
		complain_of("wmerge", "must not be more than L2 fills at once")
}

function check_timing(   i) {
	for (i = 1; i <= nops; i++)
		if (!(("timing", ops[i]) in VAL))
			fail(file, last, "no line 'timing " ops[i] "'")
	if (("simd" in VAL) && VAL["simd"]) {
		power("simd")
		if (VAL["simd"] < 8 || VAL["simd"] > 64)
			complain_of("simd", "must be 0, or from 8 to 64")
	}
}

function timing_init(   i, text) {
	for (i = 1; i <= nops; i++)
		text = text VAL["timing", ops[i]]
	return "\t.timing = {\n" text "\t},\n"
}

function check_machine(   key) {
	need("mhz width simd waypred wmerge tlb tlb.repl prefetch.tlb")
	if (!("machine" in VAL))
		fail(file, last, "no line 'machine'")
	if (("mhz" in VAL) && VAL["mhz"] == 0)
		complain_of("mhz", "must be at least 1")
	if (("width" in VAL) && VAL["width"] == 0)
		complain_of("width", "must be at least 1")
	check_cache("i1", "")
	check_cache("d1", " d1.write d1.alloc")
	check_cache("l2", " l2.inclusive")
	check_cache("l3", "")
	if (VAL["tlb"] != "joint") {
		check_tlb("itlb1")
		check_tlb("itlb")
		check_tlb("dtlb1")
	}
	check_tlb("dtlb")
	check_branches()
	check_timing()
	if (VAL["waypred"])
		power("waypred")
	if (VAL["wmerge"])
		power("wmerge")
	if (!bad)
		check_levels()
	for (key in line_of)
		if (!(key in used))
			complain_of(key, "is not used by this machine")
	if (!npenalties)
		fail(file, last, "no line 'penalty'")
}

function cache_init(c) {
	if (VAL[c ".size"] == 0)
		return ""
	return sprintf("\t.%s = { %d, %d, %d, %d, REPL_%s, %d, %d, %d },\n", c, VAL[c ".size"], \
		VAL[c ".line"], VAL[c ".sub"], VAL[c ".ways"], toupper(VAL[c ".repl"]), \
		c != "i1" && VAL[c ".write"] != "through", c != "i1" && VAL[c ".alloc"] != "no", \
		VAL[c ".inclusive"] == "yes")
}

function tlb_init(t) {
	if (VAL[t ".entries"] + 0 == 0)
		return ""
	return sprintf("\t.%s = { %d, %d, %d, REPL_FIFO },\n", t, VAL[t ".entries"], \
		VAL[t ".ways"], VAL[t ".page"])
}

function numbers_init(names,   i, n, list, text, field) {
	n = split(names, list, " ")
	for (i = 1; i <= n; i++) {
		field = list[i]
		sub(/[.]/, "_", field)
		if (VAL[list[i]] + 0)
			text = text sprintf("\t.%s = %d,\n", field, VAL[list[i]])
	}
	return text
}

# At the end of a file: add the C of its machine to body and all, and forget the machine.
function end_machine(   i, name) {
	check_machine()
	name = VAL["machine"]
	body = body "\nstatic const struct penalty penalty_" name "[] = {\n"
	for (i = 1; i <= npenalties; i++)
		body = body penalty[i] "\n"
	body = body "};\n\nstatic const struct machine machine_" name " = {\n" \
		"\t.name = \"" name "\", .title = " title ",\n" numbers_init("mhz width simd") \
		timing_init() \
		cache_init("i1") cache_init("d1") cache_init("l2") cache_init("l3") \
		numbers_init("waypred wmerge") tlb_init("itlb1") tlb_init("dtlb1") \
		tlb_init("itlb") tlb_init("dtlb") \
		(VAL["tlb"] == "joint" ? "\t.joint = 1,\n" : "") \
		(VAL["prefetch.tlb"] == "walk" ? "\t.prefetch_walk = 1,\n" : "") \
		"\t.bp = BP_" toupper(VAL["bp"]) ",\n" \
		numbers_init("bp.entries bp.shift bp.fold bp.hist bp.init ras ind") \
		"\t.npenalties = " npenalties ", .penalty = penalty_" name ",\n};\n"
	all = all "\t&machine_" name ",\n"
	split("", VAL)
	split("", line_of)
	split("", used)
	npenalties = 0
	title = ""
}

what == "machines" {
	if (FNR == 1 && file != "")
		end_machine()
	file = FILENAME
	last = FNR
	if ($1 == "machine") {
		read_name()
		next
	}
	sub(/[ \t]*#.*$/, "")
	if ($1 == "penalty")
		read_penalty()
	else if ($1 == "timing")
		read_timing()
	else if (NF)
		read_value()
}

function print_machines() {
	print "#include <stddef.h>\n\n#include \"sim/shared/machine.h\""
	print body "\nconst struct machine *const machines[] = {\n" all "\tNULL\n};"
}

END {
	if (what == "machines" && file != "")
		end_machine()
	if (ncounters > 64)
		complain("the model has more than 64 counters")
	if (bad) {
		close("cat 1>&2")
		exit 1
	}
	print "/* Generated by events/gen/sim.awk. Do not edit. */"
	if (what == "counters")
		print_counters()
	else if (what == "vocab")
		print_vocab()
	else if (what == "machines")
		print_machines()
}
