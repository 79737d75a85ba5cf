# Turn a table of events into C:
#	awk -f events.awk -f registers.awk -v map=host.map NAME.events	evtab_table_NAME
#	awk -f events.awk -f registers.awk -v index_of=order FILE...	evtabs[], in that order
# The vocabulary of sim= is sim.vocab beside the map. Every mistake is told as file:line,
# all in one run, and the exit status is then 1. POSIX awk; numbers stay below 2^53.
#
# A table is lines of words. Text is in double quotes; a word that begins with # begins a
# comment.
#	table   NAME "TITLE"			NAME.events begins with it
#	cpuref  "SENTENCE"			where its events are documented
#	pics    COUNTERS BITS			highest number + 1, width
#	samemode				requests of a set count the same modes
#	machine NAME				NAME.machine is the model for its column sim=
#	dispatch CALL				it programs the processor; its rules give counters
#	attr    NAME MAX [set]			an attribute that requests may carry, a number
#	attr    NAME opcode [set]		64 bits, or "[mifb]:match:mask"
#	attr    NAME MAX ranges [set]		START-END, so many of them
#						set: it is of the whole set
#	ev      NUMBER pic=LIST NAME [COLUMN]... ["TITLE"] [COLUMN]...
#	generic PAPI_NAME EVENT [ATTR=VALUE]	EVENT: a name or number in this table
#	escr, counter  NAME pic=LIST [COLUMN]...	resources of a Pentium 4
#	regref, useronly, register, field	registers, which registers.awk describes

# What columns there are: lines of this kind, of this type, have these.
function columns(kind, type, names,   i, n, list) {
	n = split(names, list, " ")
	for (i = 1; i <= n; i++)
		coltype[kind, list[i]] = type
}

BEGIN {
	columns("ev", "number", "code0 code1 umask umask_valid emask_valid priv fixed")
	columns("ev", "number", "cccr_select hw maxincr group set sw flag")
	columns("ev", "flag", "iarr darr opcm btb cancel_excl")
	columns("ev", "flag", "irange_prefetch irange_inst_retired")
	columns("ev", "word", "escr oprofile dear iear sim class mode host")
	columns("ev", "text", "note hostnote simnote")
	columns("escr", "number", "msr select")
	columns("counter", "number", "msr cccr")
	columns("counter", "word", "escr")
	oneof["dear"] = "cache tlb alat"
	oneof["iear"] = "cache tlb"
	oneof["class"] = "exact modelled estimated zero"
	oneof["mode"] = "both kernel none"
	rank["exact"] = 1; rank["modelled"] = 2; rank["estimated"] = 3

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

function fail(file, line, what) {
	printf "%s:%d: %s\n", file, line, what | "cat 1>&2"
	bad = 1
}

# Complain of the line at hand, unless it is of another table. Always 0.
function oops(what) {
	if (foreign == "")
		fail(file, here, what)
	return 0
}

function is_num(s) {
	if (s ~ /^0x/)
		return s ~ /^0x[0-9a-fA-F]+$/ && length(s) <= 15
	return s ~ /^(0|[1-9][0-9]*)$/ && length(s) <= 15
}

function value(s,   i, v) {
	if (s !~ /^0x/)
		return s + 0
	for (i = 3; i <= length(s); i++)
		v = v * 16 + index("0123456789abcdef", tolower(substr(s, i, 1))) - 1
	return v
}

# Are all bits of a in b?
function within(a, b) {
	for (; a > 0; a = int(a / 2)) {
		if (a % 2 > b % 2)
			return 0
		b = int(b / 2)
	}
	return 1
}

function quoted(s) {
	return "\"" s "\""
}

function has_word(list, word) {
	return index(" " list " ", " " word " ") > 0
}

# Split line into W[1..n]; text keeps its quotes. 0 if it is malformed.
function split_line(line,   n, len) {
	split("", W)
	for (;;) {
		sub(/^[ \t]+/, "", line)
		if (line == "" || line ~ /^#/)
			return n + 0
		if (!match(line, /^[^ \t"]*"[^"]*"/))
			match(line, /^[^ \t"]*/)
		len = RLENGTH
		W[++n] = substr(line, 1, len)
		line = substr(line, len + 1)
		if (line ~ /^"/ && W[n] !~ /"$/)
			return oops("text without an end: " line)
		if (line ~ /^[^ \t]/)
			return oops("no blank between " W[n] " and " line)
		if (W[n] ~ /"/ && W[n] ~ /[\\\t]/)
			return oops("backslash or tab in text: " W[n])
	}
}

# "0-1,4" as a mask: 16 hexadecimal digits, so that no bit is lost in a double.
function picmask(list,   n, part, r, i, p, mask, digit) {
	split("", bit)
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) {
		if (part[i] !~ /^[0-9]+(-[0-9]+)?$/)
			return oops("bad list of counters '" list "'")
		if (split(part[i], r, "-") == 1)
			r[2] = r[1]
		if (r[1] + 0 > r[2] + 0 || r[2] + 0 >= npic)
			return oops("counter " part[i] " is not in 0-" npic - 1)
		for (p = r[1] + 0; p <= r[2] + 0; p++)
			bit[p] = 1
	}
	for (p = 60; p >= 0; p -= 4) {
		digit = 0
		for (i = 3; i >= 0; i--)
			digit = digit * 2 + bit[p + i]
		mask = mask substr("0123456789abcdef", digit + 1, 1)
	}
	sub(/^0+/, "", mask)
	return mask == "" ? oops("no counter in pic=") : "0x" mask
}

# Read the words from..n as columns: their values into VAL, those for .cols into ROWCOLS.
function read_columns(kind, from, n,   i, eq, key, val, type) {
	split("", VAL)
	ROWCOLS = ROWTITLE = ""
	for (i = from; i <= n; i++) {
		if (W[i] ~ /^"/) {
			if (kind != "ev")
				oops("text in the wrong place: " W[i])
			else if (ROWTITLE != "")
				oops("a second title: " W[i])
			ROWTITLE = W[i]
			continue
		}
		eq = index(W[i], "=")
		key = eq ? substr(W[i], 1, eq - 1) : W[i]
		val = eq ? substr(W[i], eq + 1) : ""
		type = coltype[kind, key]
		if (type == "")
			oops("unknown column '" W[i] "'")
		else if (key in VAL)
			oops("column '" key "' again")
		else if (good_value(type, key, val, eq)) {
			VAL[key] = val
			if (!has_word("host sim class mode", key)) {
				ROWCOLS = ROWCOLS one_column(type, key, val)
				NROWCOLS++
			}
		}
	}
}

function good_value(type, key, val, eq) {
	if (type == "flag" && eq)
		return oops("column '" key "' takes no value")
	if (type != "flag" && val == "")
		return oops("column '" key "' needs a value")
	if (type == "text" && val !~ /^"/)
		return oops("column '" key "' takes text in quotes")
	if (type != "text" && val ~ /"/)
		return oops("text in the wrong place: column '" key "'")
	if (type == "number" && !is_num(val))
		return oops("bad number '" val "' in column '" key "'")
	if (key in oneof && !has_word(oneof[key], val))
		return oops("column '" key "' is none of: " oneof[key])
	return 1
}

function one_column(type, key, val) {
	if (type == "flag")
		return " { " quoted(key) ", NULL, 1 },"
	if (type == "text")
		return " { " quoted(key) ", " val ", 0 },"
	return " { " quoted(key) ", " quoted(val) ", " (type == "number" ? val : 0) " },"
}

function cols_init(cols) {
	if (cols == "")
		return ""
	return ",\n\t  .ncols = " NROWCOLS ", .cols = (const struct evcol[]){" cols " }"
}

# The mask of pic=, which is word i of an ev, escr or counter line.
function read_pic(i, what) {
	if (W[i] ~ /^pic=/)
		return picmask(substr(W[i], 5))
	return oops(what " has no pic=")
}

function check_name(name, kind) {
	if (name !~ ("^" name_re "$"))
		oops("bad name '" name "'")
	else if ((kind, name) in line_of)
		oops("name '" name "' again, first at line " line_of[kind, name])
	else
		line_of[kind, name] = FNR
}

# sim= and class=: counters of the vocabulary; no better class than the worst of them.
function check_sim(expr, class,   i, n, part, worst) {
	if (expr == "" || class == "")
		return oops("sim= and class= go together")
	if ((expr == "0") != (class == "zero"))
		return oops("sim=0 and class=zero go together")
	if (expr == "0")
		return 1
	if (expr !~ /^[a-z0-9_]+([+-][a-z0-9_]+)*$/)
		return oops("bad expression '" expr "'")
	n = split(expr, part, /[+-]/)
	for (i = 1; i <= n; i++) {
		if (!(part[i] in vocab))
			oops("the model has no counter '" part[i] "'")
		else if (rank[vocab[part[i]]] > rank[worst])
			worst = vocab[part[i]]
	}
	if (rank[class] < rank[worst])
		oops("class=" class ", but a counter is " worst)
}

# A column X_valid limits attribute X: the table must have it.
function check_valid(   key, attr) {
	for (key in VAL) {
		if (key !~ /_valid$/)
			continue
		attr = substr(key, 1, length(key) - 6)
		if (!(attr in attrmax))
			oops("column '" key "' without attr " attr)
		else if (value(VAL[key]) > value(attrmax[attr]))
			oops(key "=" VAL[key] " is above the limit " attrmax[attr])
		valid[W_NAME, attr] = VAL[key]
	}
}

function host_init(key) {
	if (key !~ /^@/ || !(substr(key, 2) in candidates))
		return oops("host=" key ": no such key in " map)
	key = substr(key, 2)
	return ", .hostkey = " quoted(key) \
		(candidates[key] == "" ? "" : ",\n\t  .host = " quoted(candidates[key]))
}

function read_event(n,   at, mask, row) {
	if (n < 3)
		return oops("an event needs a number, pic= and a name")
	if (!is_num(W[2]) || value(W[2]) > 4294967295)
		oops("bad number '" W[2] "'")
	at = W[3] ~ /^pic=/ ? 4 : 3
	W_NAME = W[at]
	mask = read_pic(3, "event '" W_NAME "'")
	check_name(W_NAME, "ev")
	NROWCOLS = 0
	read_columns("ev", at + 1, n)
	check_valid()
	escr_use[FNR] = VAL["escr"]
	if ("sim" in VAL || "class" in VAL)
		check_sim(VAL["sim"], VAL["class"])
	if (!(value(W[2]) in by_num))
		by_num[value(W[2])] = W_NAME

	row = "\t{ .num = " W[2] ", .pics = " mask ", .name = " quoted(W_NAME)
	if (ROWTITLE != "")
		row = row ", .title = " ROWTITLE
	if ("host" in VAL && VAL["host"] != "")
		row = row host_init(VAL["host"])
	if (VAL["sim"] != "" && !sim_line)
		sim_line = FNR
	if (VAL["sim"] != "")
		row = row ", .sim = " quoted(VAL["sim"]) ", .simclass = SIM_" toupper(VAL["class"])
	if (VAL["mode"] != "")
		row = row ", .mode = MODE_" toupper(VAL["mode"])
	ev[++nev] = row cols_init(ROWCOLS)
	ev_line[nev] = FNR
	ev_pics[nev] = mask
}

# The counters of two masks, as a mask.
function both(a, b,   i, mask, x, y, digit, k) {
	a = substr("0000000000000000" substr(a, 3), length(a) - 1)
	b = substr("0000000000000000" substr(b, 3), length(b) - 1)
	for (i = 1; i <= 16; i++) {
		x = index("0123456789abcdef", substr(a, i, 1)) - 1
		y = index("0123456789abcdef", substr(b, i, 1)) - 1
		digit = 0
		for (k = 8; k >= 1; k /= 2) {
			if (x >= k && y >= k)
				digit += k
			x %= k
			y %= k
		}
		mask = mask substr("0123456789abcdef", digit + 1, 1)
	}
	sub(/^0+/, "", mask)
	return "0x" (mask == "" ? "0" : mask)
}

# The ESCRs of event i and the counters that each drives for it.
function needs_init(i,   n, part, j, at, pics, list) {
	n = split(escr_use[ev_line[i]], part, ",")
	for (j = 1; j <= n; j++) {
		if (!(part[j] in escr_at))
			continue # told in check_table()
		at = escr_at[part[j]]
		pics = both(ev_pics[i], escr_pics[part[j]])
		if (pics == "0x0")
			fail(file, ev_line[i], "escr '" part[j] "' drives no counter of the event")
		list = list (list == "" ? "" : ", ") "{ " at ", " pics " }"
	}
	if (list == "")
		return ""
	return ",\n\t  .nneeds = " n ", .needs = (const struct evneed[]){ " list " }"
}

function read_resource(n, kind,   at, mask) {
	at = W[3] ~ /^pic=/ ? 4 : 3
	mask = read_pic(3, kind " '" W[2] "'")
	check_name(W[2], kind)
	NROWCOLS = 1
	read_columns(kind, at, n)
	escr_use[FNR] = VAL["escr"]
	if (kind == "escr") {
		escr_at[W[2]] = nres + 0
		escr_pics[W[2]] = mask
		if (nres >= 64)
			oops("escrs are among the first 64 resources")
	}
	mask = " { \"pic\", " quoted(substr(W[3], 5)) ", " mask " },"
	res[++nres] = "\t{ .kind = " quoted(kind) ", .name = " quoted(W[2]) \
		cols_init(mask ROWCOLS) " },"
}

# NAME is word 2, then "MAX", "opcode" or "MAX ranges", then perhaps "set".
function read_attr(n,   form, max, times, set) {
	if (n < 3)
		return oops("attr needs a name and a limit")
	set = n > 3 && W[n] == "set"
	n -= set
	form = W[n] == "opcode" || W[n] == "ranges" ? W[n] : "number"
	if (n != (form == "ranges" ? 4 : 3))
		return oops("attr needs a name, a limit, opcode or a number of ranges, and perhaps set")
	if (form != "opcode" && !is_num(W[3]))
		return oops("bad number '" W[3] "'")
	if (form == "ranges" && value(W[3]) < 1)
		return oops("no ranges in attr '" W[2] "'")
	check_name(W[2], "attr")
	max = form == "number" ? W[3] : "UINT64_MAX"
	times = form == "ranges" ? W[3] : 1
	attrmax[W[2]] = form == "number" ? W[3] : 9007199254740991
	form = form == "opcode" ? "FORM_OPCODE" : form == "ranges" ? "FORM_RANGE" : "FORM_NUMBER"
	attrs[++nattrs] = "\t{ " quoted(W[2]) ", " max ", " form ", " set ", " times " },"
}

# What it names is looked up at the end, so that the order of lines is free.
function read_generic(n) {
	if (n < 3 || n > 4 || W[3] ~ /[="]/ || W[4] ~ /"/)
		return oops("generic needs a name, an event and perhaps one attribute")
	check_name(W[2], "generic")
	gen_line[++ngeneric] = FNR
	gen_name[ngeneric] = W[2]
	gen_native[ngeneric] = W[3]
	gen_attr[ngeneric] = W[4]
}

function check_generic(i,   line, row, native, attr, val, eq, what) {
	line = gen_line[i]
	row = "\t{ " quoted(gen_name[i]) ", " quoted(gen_native[i])
	native = gen_native[i]
	if (is_num(native))
		native = by_num[value(native)]
	if (native == "" || !(("ev", native) in line_of))
		fail(file, line, "generic '" gen_name[i] "': no event '" gen_native[i] "'")
	if (("ev", gen_name[i]) in line_of)
		fail(file, line, "generic '" gen_name[i] "' is the name of an event too")
	if (gen_attr[i] == "")
		return row ", NULL, 0 },"
	eq = index(gen_attr[i], "=")
	attr = substr(gen_attr[i], 1, eq - 1)
	val = substr(gen_attr[i], eq + 1)
	if (!(attr in attrmax))
		what = "no attr '" attr "' in this table"
	else if (!is_num(val))
		what = "bad number '" val "'"
	else if (value(val) > value(attrmax[attr]))
		what = gen_attr[i] " is above the limit " attrmax[attr]
	else if ((native, attr) in valid && !within(value(val), value(valid[native, attr])))
		what = gen_attr[i] " is not within " valid[native, attr] " of '" native "'"
	if (what != "")
		fail(file, line, what)
	return row ", " quoted(attr) ", " val " },"
}

# Columns sim= and the machine that gives them: both or none, and there must be such a file.
function check_model(   path, line) {
	if (!("machine" in seen)) {
		if (sim_line)
			fail(file, sim_line, "sim= without a line 'machine'")
		return
	}
	if (machine == "")
		return
	if (!sim_line)
		fail(file, seen["machine"], "machine '" machine "', but no sim=")
	path = map
	sub(/[^\/]*$/, machine ".machine", path)
	if ((getline line < path) <= 0)
		fail(file, seen["machine"], "no file " machine ".machine beside " map)
	close(path)
}

# What needs the whole table: generics, ESCRs, lines that must be there.
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
				fail(file, i, "no escr '" part[j] "' in this table")
	}
	for (i = 1; i <= nev; i++)
		ev[i] = ev[i] needs_init(i) " },"
}

# host.map: a key at the left margin, its candidates below it, indented.
function read_map(   line, n, key, got) {
	while ((got = getline line < map) > 0) {
		n++
		sub(/[ \t]*(^|[ \t])#.*$/, "", line)
		if (line ~ /^[ \t]*$/)
			continue
		if (line ~ /^[^ \t]/) {
			key = line
			if (key !~ /^[a-z0-9_]+$/)
				fail(map, n, "bad key '" key "'")
			else if (key in candidates)
				fail(map, n, "key '" key "' again")
			candidates[key] = ""
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
		fail(map, 1, "cannot read it")
}

# sim.vocab: name, class, definition.
function read_vocab(   file, line, n, word, got) {
	file = map
	sub(/[^\/]*$/, "sim.vocab", file)
	while ((got = getline line < file) > 0) {
		n++
		if (line ~ /^[ \t]*(#|$)/)
			continue
		split(line, word, " ")
		if (!(word[2] in rank) || word[3] == "")
			fail(file, n, "not a name, a class and a definition")
		else if (word[1] in vocab)
			fail(file, n, "counter '" word[1] "' again")
		vocab[word[1]] = word[2]
	}
	if (got < 0)
		fail(file, 1, "cannot read it")
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
			fail(index_of, n, "no file for '" line "'")
		else if (line in line_of)
			fail(index_of, n, "'" line "' again, first at line " line_of[line])
		line_of[line] = n
		order[++norder] = line
	}
	if (got < 0)
		fail(index_of, 1, "cannot read it")
	for (name in want)
		if (!(name in line_of))
			fail(path[want[name]], 1, "'" name "' is not in " index_of)
}

function print_index(   i) {
	for (i = 1; i <= norder; i++)
		print "extern const struct evtab evtab_table_" order[i] ";"
	print "\nconst struct evtab *const evtabs[] = {"
	for (i = 1; i <= norder; i++)
		print "\t&evtab_table_" order[i] ","
	print "\tNULL\n};"
}

# A C array of rows; nothing if there is none, since C has no empty arrays.
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

# A line that a table has once.
function once(word) {
	if (word in seen)
		oops("'" word "' again, first at line " seen[word])
	seen[word] = FNR
}

function read_header(n, word,   base) {
	once(word)
	if (word == "cpuref") {
		cpuref = W[2]
		return n == 2 && cpuref ~ /^"./ ? 1 : oops("cpuref needs a sentence in quotes")
	}
	if (word == "regref") {
		regref = W[2]
		return n == 2 && regref ~ /^"./ ? 1 : oops("regref needs text in quotes")
	}
	if (word == "useronly") {
		useronly = W[2]
		return n == 2 && useronly ~ /^"./ ? 1 : oops("useronly needs a sentence in quotes")
	}
	if (word == "samemode") {
		samemode = 1
		return n == 1 ? 1 : oops("samemode takes nothing")
	}
	if (word == "machine") {
		machine = W[2]
		return n == 2 && machine ~ /^[a-z][a-z0-9_]*$/ ? 1 : oops("machine needs a name")
	}
	if (word == "dispatch") {
		dispatch = W[2]
		return n == 2 && dispatch ~ /^[a-z][a-z0-9_]*$/ ? 1 : oops("dispatch needs the name of a call")
	}
	if (word == "pics") {
		npic = value(W[2])
		width = value(W[3])
		if (n != 3 || !is_num(W[2]) || !is_num(W[3]) || npic < 1 || width < 1)
			return oops("pics needs the number of counters and their width")
		return npic <= 64 && width <= 64 ? 1 : oops("pics are 64 at most, of 64 bits")
	}
	table = W[2]
	title = W[3]
	base = FILENAME
	sub(/.*\//, "", base)
	if (n != 3 || table !~ /^[a-z][a-z0-9_]*$/ || title !~ /^"./)
		return oops("table needs a name and a title in quotes")
	return base == table ".events" ? 1 : oops("table '" table "' belongs into " table ".events")
}

BEGIN {
	needed["table"]; needed["cpuref"]; needed["pics"]
}

FNR == 1 && NR > 1 {
	fail(FILENAME, FNR, "one table at a time")
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
		oops("unknown word '" word "'")
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
