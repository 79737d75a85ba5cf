# Functions for events.awk that read the lines of a table that describe registers: how requests
# program the counters.
#	regref   "TEXT"				where the layout of the registers is documented
#	useronly "SENTENCE"			why requests cannot count system mode
#	register NAME pic=LIST [COLUMN]...	a register that is set when one of these counters counts
#		at="SPACE ADDRESS"		the address of the register, as in at="MSR 0x186"
#		also=LIST			these counters also set the register; their requests give it no values
#		like=[TABLE:]REGISTER		the register begins with all fields of REGISTER
#		of=escr				each request sets the register of the ESCR that it takes
#		of=counter			each request sets a register of its counter
#	field    NAME LOW WIDTH [VALUE] [COLUMN]...	WIDTH bits of the register above, from bit LOW on
#		pic=LIST			only requests on these counters give the field its value
#		parked=NUMBER			the value of the field if no request gives one
# A register without fields is a counter. A field replaces the field of the same name that like=
# copied. With of=, NAME is text that ends with *, which stands for the name of the ESCR or
# counter, and ADDRESS is the name of a column of the ESCR or counter.
# If regref says "from memory", cpuref must say "register layout from memory".
#
# VALUE is one of these, or several of these with | between them; without VALUE the field is 0:
#	NUMBER			this number, if one of the counters (of pic=, if given) counts
#	user, system		1 if the request counts this mode, else 0
#	num, num>>BITS		the number of the event, without its low BITS
#	code			column code0= of the event on counter 0, code1= on counter 1, ...
#	column:COLUMN		another number of the event
#	attr:ATTR		the attribute of the request, or 0 if the request does not have it
#	if:ATTR			1 if the request has the attribute and it is not 0, else 0
#	unless:ATTR		0 if the request has the attribute and it is not 0, else 1
#	escr:COLUMN		a number of the ESCR that the request takes

# Split words from..n, the columns of a register or field, into COL. Returns 0 if one is malformed.
function reg_columns(from, n, allowed,   i, eq, key, good) {
	split("", COL)
	good = 1
	for (i = from; i <= n; i++) {
		eq = index(W[i], "=")
		key = substr(W[i], 1, eq - 1)
		if (!eq || !has_word(allowed, key))
			good = complain("unknown column '" W[i] "'")
		else if (key in COL)
			good = complain("column '" key "' is given twice")
		else if ((key == "at") != (W[i] ~ /"/))
			good = complain("column '" key "' takes " (key == "at" ? "text in quotes" : "no text"))
		else
			COL[key] = substr(W[i], eq + 1)
	}
	return good
}

# Read the registers of another table, for like=. The run for that table reports its mistakes.
function load_regs(of,   path, line, n, outer) {
	if (of in loaded)
		return
	loaded[of]
	outer = foreign
	foreign = of
	path = map
	sub(/[^\/]*$/, of ".events", path)
	while ((getline line < path) > 0) {
		n = split_line(line)
		if (n && W[1] == "register")
			read_register(n)
		else if (n && W[1] == "field")
			read_field(n)
	}
	close(path)
	foreign = outer
}

# Return the index of the register that like= names, or 0.
function like_register(name,   of, part) {
	of = foreign
	if (split(name, part, ":") == 2) {
		of = part[1]
		name = part[2]
		if (of ~ /^[a-z][a-z0-9_]*$/ && of != table)
			load_regs(of)
	}
	return reg_named[of, name]
}

# Is the register in W and COL well-formed?
function good_register(   name) {
	name = W[2]
	if ("of" in COL ? name !~ /^"[^"*]*[*]"$/ : name !~ ("^%?" name_re "$"))
		return complain("bad name of a register '" name "'" ("of" in COL ? ": with of= it must be text that ends with *" : ""))
	if (!("pic" in COL))
		return complain("register '" name "' has no pic=")
	if ("of" in COL && !has_word("escr counter", COL["of"]))
		return complain("column 'of' must be one of: escr counter")
	return 1
}

function read_register(n,   r, name) {
	r = reg_last[foreign] = ++nregs
	if (!reg_columns(3, n, "pic at also like of") || !good_register())
		return
	name = W[2]
	gsub(/"|[*]"$/, "", name)
	reg_mine[r] = foreign == ""
	reg_line[r] = here
	reg_name[r] = name
	reg_pic[r] = COL["pic"]
	reg_all[r] = COL["pic"] ("also" in COL ? "," COL["also"] : "")
	reg_of[r] = COL["of"]
	reg_at[r] = COL["at"]
	if ("like" in COL)
		copy_fields(r, COL["like"])
	if (!((foreign, name) in reg_named))
		reg_named[foreign, name] = r
}

function copy_fields(r, like,   from, k) {
	from = like_register(like)
	if (!from)
		complain("like=" like ": no earlier line describes this register")
	for (k = 1; k <= reg_nfields[from]; k++)
		copy_field(from, r, k)
}

function copy_field(from, to, k) {
	field_name[to, k] = field_name[from, k]
	field_low[to, k] = field_low[from, k]
	field_width[to, k] = field_width[from, k]
	field_value[to, k] = field_value[from, k]
	field_pic[to, k] = field_pic[from, k]
	field_parked[to, k] = field_parked[from, k]
	field_line[to, k] = reg_line[to]
	reg_nfields[to] = k
}

function read_field(n,   r, k, valued) {
	r = reg_last[foreign]
	if (!r)
		return complain("a field before the first register")
	if (n < 4 || W[2] !~ ("^" name_re "$") || !is_num(W[3]) || !is_num(W[4]))
		return complain("field needs a name, its lowest bit, its width and perhaps a value")
	if (value(W[4]) < 1 || value(W[3]) + value(W[4]) > 64)
		return complain("field '" W[2] "' is not within bits 0-63")
	for (k = 1; k <= reg_nfields[r] && field_name[r, k] != W[2]; k++)
		continue
	if (k <= reg_nfields[r] && field_line[r, k] != reg_line[r])
		return complain("field '" W[2] "' is already in line " field_line[r, k])
	valued = n > 4 && W[5] !~ /=/
	if (!reg_columns(5 + valued, n, "pic parked"))
		return 0
	if (k > reg_nfields[r])
		reg_nfields[r] = k
	field_name[r, k] = W[2]
	field_low[r, k] = value(W[3])
	field_width[r, k] = value(W[4])
	field_value[r, k] = valued ? W[5] : "0"
	field_pic[r, k] = COL["pic"]
	field_parked[r, k] = COL["parked"]
	field_line[r, k] = here
}

function fits(number, width,   v) {
	for (v = value(number); width > 0; width--)
		v = int(v / 2)
	return v == 0
}

# Return a value as C, after checks that this table can have the value.
function value_init(text, width,   eq, what, key) {
	eq = index(text, ":")
	what = eq ? substr(text, 1, eq - 1) : text
	key = substr(text, eq + 1)
	if (is_num(text))
		return fits(text, width) ? "{ FROM_NUMBER, NULL, " text " }" : \
			complain(text " does not fit in " width " bits")
	if (has_word("user system num code", text))
		return "{ FROM_" toupper(text) ", NULL, 0 }"
	if (text ~ /^num>>[1-9][0-9]?$/)
		return "{ FROM_NUM, NULL, " substr(text, 6) " }"
	if (eq && has_word("attr if unless", what))
		return key in attrmax ? "{ FROM_" toupper(what) ", " quoted(key) ", 0 }" : \
			complain("this table has no attr '" key "'")
	if (what == "column" || what == "escr")
		return coltype[what == "escr" ? what : "ev", key] == "number" ? \
			"{ FROM_" toupper(what) ", " quoted(key) ", 0 }" : \
			complain("lines '" (what == "escr" ? what : "ev") "' have no number '" key "'")
	return complain("bad value '" text "'")
}

# Return a field as C. TAKEN has the bits that the fields before it use.
function field_init(r, k, all,   i, n, part, list, mask, width, parked) {
	here = field_line[r, k]
	width = field_width[r, k]
	for (i = field_low[r, k]; i < field_low[r, k] + width; i++) {
		if (i in TAKEN)
			return complain("field '" field_name[r, k] "' overlaps '" TAKEN[i] "'")
		TAKEN[i] = field_name[r, k]
	}
	n = split(field_value[r, k], part, "|")
	for (i = 1; i <= n; i++)
		list = list (i > 1 ? ", " : "") value_init(part[i], width)
	mask = field_pic[r, k] != "" ? field_pic[r, k] : is_num(field_value[r, k]) ? reg_all[r] : reg_pic[r]
	mask = both(picmask(mask), all)
	if (mask == "0x0")
		complain("field '" field_name[r, k] "' has no counter in common with its register")
	parked = field_parked[r, k]
	if (parked != "" && !is_num(parked))
		complain("bad number '" parked "' in column 'parked'")
	else if (parked != "" && !fits(parked, width))
		complain(parked " does not fit in " width " bits")
	return "\t{ .at = { " quoted(field_name[r, k]) ", " field_low[r, k] ", " width " }, .pics = " mask \
		(parked == "" ? "" : ", .has_parked = 1, .parked = " parked) \
		",\n\t  .nvalues = " n ", .value = (const struct evvalue[]){ " list " } },"
}

# Return SPACE and ADDRESS of at= as C.
function at_init(r,   space, at) {
	if (reg_at[r] == "")
		return ""
	space = at = reg_at[r]
	gsub(/^"|"$/, "", space)
	gsub(/^"|"$/, "", at)
	sub(/.* /, "", at)
	if (!sub(/ [^ ]*$/, "", space))
		return complain("at= needs an address space and an address")
	space = ",\n\t  .space = " quoted(space)
	if (reg_of[r] != "")
		return coltype[reg_of[r], at] == "number" ? space ", .addrcol = " quoted(at) : \
			complain("lines '" reg_of[r] "' have no number '" at "'")
	return is_num(at) ? space ", .addr = " at : complain("bad address '" at "'")
}

function reg_init(r,   k, all, row) {
	here = reg_line[r]
	all = picmask(reg_all[r])
	row = "\t{ .name = " quoted(reg_name[r]) ", .pics = " all \
		", .shared = " (reg_of[r] == "" && all !~ /^0x[1248]0*$/) at_init(r)
	if (reg_of[r] != "")
		row = row ", .of = " quoted(reg_of[r])
	split("", TAKEN)
	for (k = 1; k <= reg_nfields[r]; k++)
		field[++nfield] = field_init(r, k, all)
	if (reg_nfields[r])
		row = row ",\n\t  .nfields = " reg_nfields[r] ", .field = &field[" nfield - reg_nfields[r] "]"
	return row " },"
}

# Check the registers, which needs the whole table, and put their C into field[] and reg[].
function check_regs(   r) {
	for (r = 1; r <= nregs; r++)
		if (reg_mine[r])
			reg[++nreg] = reg_init(r)
	if (nreg && !("regref" in seen))
		fail(file, last, "registers need a line 'regref'")
	if ("regref" in seen && !nreg && !("dispatch" in seen))
		fail(file, seen["regref"], "regref is given, but no register")
	if ((regref ~ /from memory/) != (cpuref ~ /register layout from memory/))
		fail(file, seen["cpuref"], "either cpuref says 'register layout from memory' and regref 'from memory', or neither")
}
