# Options: --help, --help=all, the parser and the manual pages have the same options, made from one table.

bats_require_minimum_version 1.5.0
load helper

setup() { cd "$BATS_TEST_DIRNAME/.."; }

# The commands that have a table of options.
commands() { printf '%s\n' "$CPUTRACK" "$PERFEX" "$CPUSTAT" "$CPCREPORT"; }

# entries COMMAND [SUBCOMMAND]: print "OPTION|TEXT" for each option and operand of --help=all, or of a subcommand, as
# "-c events|count this ...".
entries() {
	if (($# > 1)); then "$1" "$2" --help; else "$1" --help=all; fi | awk '
	function print_entry() { if (option != "") print option "|" text; option = text = "" }
	/^[A-Z]/ { width = /^Usage:/ ? 10 : 19; print_entry(); next }
	/^$/ { begun = 1; print_entry(); next }
	/^\tSee / { print_entry() }
	!begun { next }
	{
		line = substr($0, 2)
		name = substr(line, 1, width)
		if (name ~ /^[^ ]/) {
			print_entry()
			if (substr(line, width, 1) != " ")
				name = line
			option = name
			sub(/ *$/, "", option)
			line = substr(line, length(name) + 1)
		}
		sub(/^ */, "", line)
		text = text (text == "" || line == "" ? "" : " ") line
	}'
}

# options COMMAND: print the options of --help=all, with arguments in small letters, sorted.
options() { entries "$1" | sed -n 's/^\(-.*\)|.*/\1/p' | sort_options; }
sort_options() { sed 's/^\(..\)\(.*\)/\1\L\2/' | sort; }

# plain: make macros of manual pages on stdin the text that they print: "Fl -list Ns Op = Ns Ar pattern" is
# "--list[=pattern]".
plain() {
	sed -E -e 's/ (Ar|Cm) / /g' -e 's/ Ns Op = Ns (.*)/[=\1]/' -e 's/ Ns = Ns /=/g' -e 's/ (Ar|Cm) / /g' -e 's/ \| /|/g' \
		-e 's/^\.It Fl /-/'
}

# page_options PAGE: print the options that the section OPTIONS describes, as options() prints them.
page_options() {
	awk '/^\.Sh OPTIONS/ { on = 1; next } /^\.Sh/ { on = 0 } on && /^\.It Fl/' "$1" | plain | sort_options
}

# letters: print each letter that a synopsis on stdin names, with its argument if this is not said as a group, sorted.
letters() {
	grep -oP -- '(?<![-\w])-[a-zA-Z]+( [a-z][a-z|]*)?' | awk '{
		if (NF == 2 || $1 == "-mp") { print; next }
		for (i = 2; i <= length($1); i++)
			print "-" substr($1, i, 1)
	}' | sort -u
}

# page_synopsis PAGE: print the synopsis of a page as --help prints a synopsis.
page_synopsis() {
	awk '/^\.Sh SYNOPSIS/ { on = 1; next } /^\.Sh/ { on = 0 } on' "$1" | sed -E -e 's/ (Oo|Oc|Op)\>/ /g' -e 's/^\.(Op|Nm|Ar)//' \
		-e 's/\<Ns Op = Ns\>/ = /g; s/ \| (Ar|Cm) /|/g; s/\|? ?\<Fl -/ --/g; s/\<Fl /-/g; s/\<(Ar|Cm|Ns) //g; s/ \| ([a-z])/|\1/g'
}

@test "options: --help fits on a screen, and says that --help=all has more" {
	local cmd
	for cmd in $(commands); do
		run -0 --separate-stderr "$cmd" --help
		[ -z "$stderr" ]
		[ "${lines[0]}" = Usage: ]
		[[ $output == *$'\nExamples:\n\t'"${cmd##*/} "* ]]
		[[ $output == *$'\n\t--help=all lists all options; see '"${cmd##*/}(1)"* ]]
		"$cmd" --help | expand > "$T/help"
		[ "$(wc -l < "$T/help")" -le 24 ]
		[ "$(wc -L < "$T/help")" -le 80 ]
	done
}

@test "options: a bad letter leaves its message on the screen" {
	local cmd
	for cmd in "$CPUTRACK" "$CPUSTAT"; do
		run -2 "$cmd" -Z
		[[ ${lines[0]} == *"invalid option -- 'Z'" ]]
		[ "${lines[1]}" = Usage: ]
		[ "$("$cmd" -Z 2>&1 | wc -l)" -le 24 ]
		[ "${lines[-1]}" = "Try '${cmd##*/} --help' or '${cmd##*/} --list'." ]
	done
}

@test "options: --help=all has each option of --help, in the same words, and at most 80 columns" {
	local cmd
	for cmd in $(commands); do
		run -0 --separate-stderr "$cmd" --help=all
		[ -z "$stderr" ]
		[ "$(expand <<< "$output" | wc -L)" -le 80 ]
		"$cmd" --help | sed -n '/^$/,$p; /^Examples:/q' | grep -P '^\t' | sort > "$T/short"
		[ -s "$T/short" ]
		"$cmd" --help=all | sort | comm -13 - "$T/short" > "$T/other"
		[ ! -s "$T/other" ] || { cat "$T/other"; return 1; }
		run -2 "$cmd" --help=some
		[[ ${lines[0]} == *"--help: 'some' is not all; --help prints the everyday options, --help=all prints all options" ]]
	done
}

# subcommands: print the subcommands of lwprec that its help lists.
subcommands() { "$LWPREC" -h | sed -n '/^$/,/^$/s/^\t\([a-z]*\) .*/\1/p'; }

@test "options: lwprec(1) describes the options of the subcommands, and no others" {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	local sub
	[ "$(subcommands | wc -l)" -eq 7 ]
	for sub in $(subcommands); do
		[ "$("$LWPREC" "$sub" --help | expand | wc -L)" -le 80 ]
		"$LWPREC" "$sub" --help | grep -q "^	lwprec .*\<$sub\>"
		entries "$LWPREC" "$sub"
	done | sed -n 's/^\(-[^|]*\)|.*/\1/p' | grep -oE '(^|, )--?[a-zA-Z-]+' | sed 's/, //' | sort -u > "$T/printed"
	[ "$(wc -l < "$T/printed")" -ge 40 ]
	grep '^\.It Fl' man1/lwprec.1 | grep -oE 'Fl -?[a-zA-Z-]+' | sed 's/Fl /-/' | sort -u | diff "$T/printed" -
}

@test "options: commands describe an option that they share in the same words" {
	local cmd
	# The commands have different formats.
	for cmd in $(commands); do
		entries "$cmd" | grep '^--' | grep -v '^--format='
	done > "$T/each"
	if [ -x "$LWPREC" ]; then
		# lwprec report has more formats and other tables (--by), lwprec record other engines, and --all of lwprec decode
		# shows other things.
		for cmd in $(subcommands); do
			entries "$LWPREC" "$cmd" | grep '^--' | grep -v '^--\(all|\|by=\|format=\|engine=\)'
		done >> "$T/each"
	fi
	sort -u "$T/each" > "$T/all"
	[ "$(wc -l < "$T/all")" -ge 14 ]
	[ -z "$(sed 's/[=[|].*//' "$T/all" | uniq -d)" ] || { cat "$T/all"; return 1; }
}

@test "options: the parser knows each option of --help=all, and no abbreviation is needed" {
	local cmd option
	for cmd in $(commands); do
		for option in $(options "$cmd" | sed -n 's/^\(--[a-z-]*\).*/\1/p'); do
			"$cmd" "$option=x" -Z > "$T/out" 2>&1 || :
			lacks 'unrecognized option' "$T/out" || { cat "$T/out"; return 1; }
		done
		for option in $(options "$cmd" | sed -n 's/^\(-[a-z]\).*/\1/ip'); do
			# No program and no interval has this name, so that nothing runs.
			bounded "$cmd" "$option" "$T/none" "$T/none" > "$T/out" 2>&1 < /dev/null || :
			lacks 'invalid option' "$T/out" || { cat "$T/out"; return 1; }
		done
	done
}

@test "options: manual pages describe the options of --help=all, and no others" {
	local cmd
	for cmd in $(commands); do
		options "$cmd" > "$T/printed"
		[ "$(wc -l < "$T/printed")" -ge 6 ]
		diff "$T/printed" <(page_options "man1/${cmd##*/}.1")
	done
}

@test "options: the synopses of --help and of manual pages name the letters of --help=all, and no others" {
	local cmd
	for cmd in $(commands); do
		entries "$cmd" | sed -n 's/^\(-[a-zA-Z].*\)|.*/\1/p' | sort > "$T/table"
		# Solaris' cpustat has no -h in its synopsis.
		"$cmd" --help | sed '/^$/,$d' | letters | diff <(grep -vx -e -h "$T/table") <(grep -vx -e -h -) || { echo "$cmd --help"; return 1; }
		page_synopsis "man1/${cmd##*/}.1" | letters | diff "$T/table" - || { echo "${cmd##*/}(1)"; return 1; }
		page_synopsis "man1/${cmd##*/}.1" | grep -oE -- '--[a-z-]+' | sort -u > "$T/longs"
		[ -s "$T/longs" ]
		[ -z "$(options "$cmd" | grep -oE '^--[a-z-]+' | sort | comm -13 - "$T/longs")" ]
	done
}
