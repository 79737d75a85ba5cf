# Functions for events.awk that read the lines ev, escr, counter, attr and generic of a table.

# Lines of this kind may have these columns, of this type.
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
	columns("ev", "word", "escr oprofile dear iear sim class host")
	columns("ev", "text", "note hostnote simnote")
	columns("escr", "number", "msr select")
	columns("counter", "number", "msr cccr")
	columns("counter", "word", "escr")
	oneof["dear"] = "cache tlb alat"
	oneof["iear"] = "cache tlb"
	oneof["class"] = "exact modelled estimated zero"
	rank["exact"] = 1; rank["modelled"] = 2; rank["estimated"] = rank["scheduled"] = 3
}

# Read the words from..n as columns: all values into VAL, and the C of the columns without a field
# of their own into ROWCOLS.
function read_columns(kind, from, n,   i, eq, key, val, type) {
	split("", VAL)
	ROWCOLS = ROWTITLE = ""
	for (i = from; i <= n; i++) {
		if (W[i] ~ /^"/) {
			if (kind != "ev")
				complain("text in the wrong place: " W[i])
			else if (ROWTITLE != "")
				complain("a second title: " W[i])
			ROWTITLE = W[i]
			continue
		}
		eq = index(W[i], "=")
		key = eq ? substr(W[i], 1, eq - 1) : W[i]
		val = eq ? substr(W[i], eq + 1) : ""
		type = coltype[kind, key]
		if (type == "")
			complain("unknown column '" W[i] "'")
		else if (key in VAL)
			complain("column '" key "' is given twice")
		else if (good_value(type, key, val, eq)) {
			VAL[key] = val
			if (!has_word("host sim class", key)) {
				ROWCOLS = ROWCOLS one_column(type, key, val)
				NROWCOLS++
			}
		}
	}
}

function good_value(type, key, val, eq) {
	if (type == "flag" && eq)
		return complain("column '" key "' takes no value")
	if (type != "flag" && val == "")
		return complain("column '" key "' needs a value")
	if (type == "text" && val !~ /^"/)
		return complain("column '" key "' takes text in quotes")
	if (type != "text" && val ~ /"/)
		return complain("text in the wrong place: column '" key "'")
	if (type == "number" && !is_num(val))
		return complain("bad number '" val "' in column '" key "'")
	if (key in oneof && !has_word(oneof[key], val))
		return complain("column '" key "' must be one of: " oneof[key])
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

# Return the mask of pic=, which is word i of a line ev, escr or counter.
function read_pic(i, what) {
	if (W[i] ~ /^pic=/)
		return picmask(substr(W[i], 5))
	return complain(what " has no pic=")
}

function check_name(name, kind) {
	if (name !~ ("^" name_re "$"))
		complain("bad name '" name "'")
	else if ((kind, name) in line_of)
		complain("name '" name "' is already in line " line_of[kind, name])
	else
		line_of[kind, name] = FNR
}

# Check sim= and class=: the counters are in the vocabulary, and class is not better than the
# worst class of these counters.
function check_sim(expr, class,   i, n, part, worst) {
	if (expr == "" || class == "")
		return complain("sim= and class= must be given together")
	if ((expr == "0") != (class == "zero"))
		return complain("sim=0 and class=zero must be given together")
	if (expr == "0")
		return 1
	if (expr !~ /^[a-z0-9_]+([+-][a-z0-9_]+)*$/)
		return complain("bad expression '" expr "'")
	n = split(expr, part, /[+-]/)
	for (i = 1; i <= n; i++) {
		if (!(part[i] in vocab))
			complain("the model has no counter '" part[i] "'")
		else if (rank[vocab[part[i]]] > rank[worst])
			worst = vocab[part[i]]
	}
	if (rank[class] < rank[worst])
		complain("class=" class ", but a counter of sim= is " worst)
}

# Check the columns X_valid, which limit attribute X: the table must have this attribute.
function check_valid(   key, attr) {
	for (key in VAL) {
		if (key !~ /_valid$/)
			continue
		attr = substr(key, 1, length(key) - 6)
		if (!(attr in attrmax))
			complain("column '" key "' needs a line 'attr " attr "'")
		else if (value(VAL[key]) > value(attrmax[attr]))
			complain(key "=" VAL[key] " is above the limit " attrmax[attr])
		valid[W_NAME, attr] = VAL[key]
	}
}

function host_init(key) {
	if (key !~ /^@/ || !(substr(key, 2) in candidates))
		return complain("host=" key ": " map " has no such key")
	key = substr(key, 2)
	return ", .hostkey = " quoted(key) (key in unit ? ", .unit = " quoted(unit[key]) : "") \
		(candidates[key] == "" ? "" : ",\n\t  .host = " quoted(candidates[key]))
}

function read_event(n,   at, mask, row) {
	if (n < 3)
		return complain("an event needs a number, pic= and a name")
	if (!is_num(W[2]) || value(W[2]) > 4294967295)
		complain("bad number '" W[2] "'")
	at = W[3] ~ /^pic=/ ? 4 : 3
	W_NAME = W[at]
	mask = read_pic(3, "event '" W_NAME "'")
	check_name(W_NAME, "ev")
	NROWCOLS = 0
	read_columns("ev", at + 1, n)
	check_valid()
	escr_use[FNR] = VAL["escr"]
	# gawk 5.2.1 frees an argument twice that is a missing element of an array, hence "".
	if ("sim" in VAL || "class" in VAL)
		check_sim(VAL["sim"] "", VAL["class"] "")
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
	ev[++nev] = row cols_init(ROWCOLS)
	ev_line[nev] = FNR
	ev_pics[nev] = mask
}

# Return the C of .needs: the ESCRs of event i, and the counters that each ESCR drives for this event.
function needs_init(i,   n, part, j, at, pics, list) {
	n = split(escr_use[ev_line[i]], part, ",")
	for (j = 1; j <= n; j++) {
		if (!(part[j] in escr_at))
			continue # check_table() reports this
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
			complain("the first 64 lines 'escr' and 'counter' must contain all lines 'escr'")
	}
	mask = " { \"pic\", " quoted(substr(W[3], 5)) ", " mask " },"
	res[++nres] = "\t{ .kind = " quoted(kind) ", .name = " quoted(W[2]) \
		cols_init(mask ROWCOLS) " },"
}

# Word 2 is NAME; then come "MAX", "opcode" or "MAX ranges", then perhaps "set".
function read_attr(n,   form, max, times, set) {
	if (n < 3)
		return complain("attr needs a name and a limit")
	set = n > 3 && W[n] == "set"
	n -= set
	form = W[n] == "opcode" || W[n] == "ranges" ? W[n] : "number"
	if (n != (form == "ranges" ? 4 : 3))
		return complain("attr needs a name, then MAX, 'opcode' or 'MAX ranges', then perhaps 'set'")
	if (form != "opcode" && !is_num(W[3]))
		return complain("bad number '" W[3] "'")
	if (form == "ranges" && value(W[3]) < 1)
		return complain("attr '" W[2] "' must allow at least one range")
	check_name(W[2], "attr")
	max = form == "number" ? W[3] : "UINT64_MAX"
	times = form == "ranges" ? W[3] : 1
	attrmax[W[2]] = form == "number" ? W[3] : 9007199254740991
	form = form == "opcode" ? "FORM_OPCODE" : form == "ranges" ? "FORM_RANGE" : "FORM_NUMBER"
	attrs[++nattrs] = "\t{ " quoted(W[2]) ", " max ", " form ", " set ", " times " },"
}

# check_generic() looks the event up at the end of the table, so that lines may come in any order.
function read_generic(n) {
	if (n < 3 || n > 4 || W[3] ~ /[="]/ || W[4] ~ /"/)
		return complain("generic needs a name, an event and perhaps one attribute")
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
		fail(file, line, "generic '" gen_name[i] "': this table has no event '" gen_native[i] "'")
	if (("ev", gen_name[i]) in line_of)
		fail(file, line, "generic '" gen_name[i] "' is also the name of an event")
	if (gen_attr[i] == "")
		return row ", NULL, 0 },"
	eq = index(gen_attr[i], "=")
	attr = substr(gen_attr[i], 1, eq - 1)
	val = substr(gen_attr[i], eq + 1)
	if (!(attr in attrmax))
		what = "this table has no attr '" attr "'"
	else if (!is_num(val))
		what = "bad number '" val "'"
	else if (value(val) > value(attrmax[attr]))
		what = gen_attr[i] " is above the limit " attrmax[attr]
	else if ((native, attr) in valid && !within(value(val), value(valid[native, attr])))
		what = gen_attr[i] " has bits that '" native "' does not allow (" valid[native, attr] ")"
	if (what != "")
		fail(file, line, what)
	return row ", " quoted(attr) ", " val " },"
}

# A table has both columns sim= and a line machine, or neither; the file of the machine must exist.
function check_model(   path, line) {
	if (!("machine" in seen)) {
		if (sim_line)
			fail(file, sim_line, "sim= needs a line 'machine'")
		return
	}
	if (machine == "")
		return
	if (!sim_line)
		fail(file, seen["machine"], "machine '" machine "', but no event has sim=")
	path = map
	sub(/[^\/]*$/, machine ".machine", path)
	if ((getline line < path) <= 0)
		fail(file, seen["machine"], "there is no file " machine ".machine in the folder of " map)
	close(path)
}
