# The documents: their examples compile and run, and what they list exists. docs_cpus.bats tests examples that count CPUs.

bats_require_minimum_version 1.5.0

load helper
load docs

setup() { cd "$BATS_TEST_DIRNAME/.."; }

# examples FILE...: print FILE:N for each literal block.
examples() {
	local page
	for page; do
		literal "$page" | sed -n "s|^== |$page:|p"
	done
}

# begins FILE WORD N: print the Nth block that begins with WORD, in one line.
begins() {
	literal "$1" | awk -v w="$2" -v n="$3" '/^== / { if (on) exit; first = 1; next }
		first { first = 0; on = index($0, w) == 1 && ++k == n } on { printf "%s", $0 } END { print "" }'
}

# programs FILE: print the numbers of the blocks that are whole programs.
programs() { literal "$1" | awk '/^== / { n = $2 } /^int main/ { print n }'; }

build_example() {
	"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror ${SANITIZE:+-fsanitize=address,undefined} -Ilib/include \
		-o "$2" "$1" "${B:-build}/libcpc.a" -lpfm
}

has_counters() { "$CPUTRACK" -n -T 0 -o "$T/try" -c instructions,cycles true 2> "$T/try.err"; }

@test "docs: programs of the manual pages compile and run" {
	local page n
	for page in man3/*.3; do
		n=$(programs "$page")
		[[ $n =~ ^[0-9]+$ ]] || { echo "$page: not one program but: $n"; return 1; }
		block "$page" "$n" > "$T/example.c"
		build_example "$T/example.c" "$T/example" || { echo "$page"; return 1; }
		run "$T/example" sh -c 'true; sleep 0.3'
		echo "$page: $status, $output"
		[ "$status" -eq 0 ] && [ -n "$output" ]
	done
}

@test "docs: the programs of the manual pages are the programs of test/examples" {
	local name page n=0
	for name in cpc_bind_curlwp:region cpc_set_restart:overflow cpc_smpl_npic:sampling libperfex:libperfex \
		hwperf:hwperf libpfm_itanium2:itanium2; do
		page=man3/${name%:*}.3
		block "$page" "$(programs "$page")" | diff - "test/examples/${name#*:}.c"
		n=$((n + 1))
	done
	[ "$(find test/examples -name '*.c' | wc -l)" -eq $n ]
}

@test "docs: programs of README.md compile and run" {
	awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' README.md > "$T/readme.c"
	build_example "$T/readme.c" "$T/readme"
	run "$T/readme" sh -c 'true; true'
	echo "$output"
	[ "$status" -eq 0 ] && [[ $output == *"page faults"* ]]
}

@test "docs: examples of cputrack(1) and opencpc-events(7) run" {
	need_breakpoints
	build_prog
	head -c 3000000 /dev/zero > "$T/input"
	cp "$T/input" "$T/file"
	sleep 60 3>&- &
	started+=($!)
	local pid=$! n=0 text at
	mkdir "$T/bin"
	ln -s "$CPUTRACK" "$T/bin/cputrack"
	for at in $(examples man1/cputrack.1 man7/opencpc-events.7); do
		text=$(block "${at%:*}" "${at#*:}")
		[[ $text == *cputrack\ -* ]] || continue
		n=$((n + 1))
		if [[ $text == *instructions* || $text == *us3* ]] && ! has_counters; then
			continue
		fi
		if [[ $text == *sys1* || $text == *context-switches* ]] && ! may_count_kernel; then
			continue
		fi
		(cd "$T" && PATH=$T/bin:$PATH pid=$pid file=input sh -eu -c "$text") > "$T/said" 2>&1 ||
			{ echo "$text"; cat "$T/said"; return 1; }
		if [[ $text == *failed* ]] && has failed "$T/said"; then
			cat "$T/said"
			return 1
		fi
	done
	echo "$n examples"
	[ "$n" -ge 12 ]
}

@test "docs: examples of opencpc-simulation(7) run" {
	[ -x "${CPC_SIM_DIR:-$(dirname "$PERFEX")/../sim}/cpcsim-amd64-linux" ] || skip 'the simulator is not built here'
	local at n=0 text
	mkdir "$T/bin"
	ln -s "$CPUTRACK" "$PERFEX" "$T/bin/"
	export CPC_SIM_DIR=${CPC_SIM_DIR:-$(realpath "$(dirname "$PERFEX")/../sim")}
	for at in $(examples man7/opencpc-simulation.7); do
		text=$(block "${at%:*}" "${at#*:}")
		n=$((n + 1))
		(cd "$T" && PATH=$T/bin:$PATH sh -eu -c "$text") > "$T/said.$n" 2>&1 || { echo "$text"; cat "$T/said.$n"; return 1; }
	done
	echo "$n examples"
	[ "$n" -ge 2 ]
	# the sweep: a larger cache has no more misses than a smaller one
	grep -E '^[0-9]+[KM] [0-9]+$' "$T/said.$n" > "$T/sweep"
	cat "$T/sweep"
	[ "$(wc -l < "$T/sweep")" -eq 8 ]
	cut -d' ' -f2 "$T/sweep" | sort -rnc
}

@test "docs: counts that examples of opencpc-events(7) promise" {
	need_breakpoints
	build_prog
	local text
	text=$(literal man7/opencpc-events.7 | grep -A1 '"hit"')
	(cd "$T" && PATH=$(dirname "$CPUTRACK"):$PATH sh -eu -c "$text") > "$T/hit"
	awk '$3 == "exit" && $4 == 10 { ok = 1 } END { exit !ok }' "$T/hit"
	text=$(literal man7/opencpc-events.7 | grep -A1 '"counter"')
	(cd "$T" && PATH=$(dirname "$CPUTRACK"):$PATH sh -eu -c "$text") > "$T/writes"
	awk '$3 == "exit" && $4 == 10 { ok = 1 } END { exit !ok }' "$T/writes"
}

@test "docs: opencpc-output(7) has exactly the columns of CSV" {
	need_cpus
	local page=man7/opencpc-output.7
	"$CPUTRACK" --format=csv -T 0 -o "$T/csv" -c page-faults true
	diff <(head -n 1 "$T/csv") <(begins $page time_s 1)

	"$CPUSTAT" --format=csv -c page-faults 0.01 1 > "$T/csv"
	diff <(head -n 1 "$T/csv") <(begins $page time_s 2)

	"$PERFEX" --format=csv -o "$T/csv" -e page-faults true
	diff <(head -n 1 "$T/csv") <(begins $page time_s 3)
}

@test "docs: cpustat(1) has exactly the metrics of its file" {
	need_cpus
	cd "$T"
	"$CPUSTAT" --openmetrics=metrics -c page-faults 0.01 2
	# The families of cgroups are of another run.
	"$CPUSTAT" --cgroup=/ --openmetrics=of_cgroups -c page-faults 0.01 1 || skip "cgroups cannot be counted here"
	sed -n 's/^\(opencpc_[a-z_]*\).*/\1/p' metrics of_cgroups | sort -u > printed
	awk '/^\.Ss Metrics/ { on = 1 } /^\.Ss Kernel/ { on = 0 }
		on && $1 == ".It" { for (i = 3; i <= NF; i += 2) print $i }' "$OLDPWD/man1/cpustat.1" | sort > written
	diff printed written
}

@test "docs: opencpc-events(7) has the tables in their order" {
	sed 's/ *#.*//; /^$/d' events/order | tr '\n' ' ' > "$T/order"
	awk '/^The tables, in this order/ { on = 1 } /^So$/ { on = 0 }
		on && $1 ~ /^\.(Cm|Po)/ { for (i = 2; i <= NF; i++)
			if ($i ~ /^[a-z]/ && $i != "the") printf "%s ", $i }' man7/opencpc-events.7 > "$T/page"
	diff "$T/order" "$T/page"
}

@test "docs: exactly the calls of the headers have a manual page, and each has one" {
	local headers
	headers=$(sed -n 's/^HEADERS := //p' Makefile)
	(cd lib/include && cat $headers) |
		sed -n '/^typedef/d; s/^[a-z][a-zA-Z_0-9 \*]*[ \*]\(\(p*cp*[ct][a-z]*\|pfm\|ita2\|lwp\|hwperf\|start\|read\|print\|load\)_[a-z_0-9]*[a-z0-9]\)(.*/\1/p; s/^int \(syssgi\)(.*/\1/p' |
		sort > "$T/calls"
	sed -n 's/^\.Nm \([a-z_0-9]*\).*/\1/p' man3/*.3 | sort > "$T/names"
	diff "$T/calls" "$T/names"
	[ "$(wc -l < "$T/calls")" -gt 30 ]
}

@test "docs: opencpc-solaris(7) has each call and each constant of libcpc and libpctx" {
	local name n=0
	for name in $(cd lib/include && sed '/^typedef/d' libcpc.h libcpc_types.h libpctx.h | grep -oE '\<(cpc|pctx)_[a-z0-9_]+[a-z0-9]\(|\<(CPC|PCTX|EMT)_[A-Z0-9_]*[A-Z0-9]\>' |
		tr -d '(' | sort -u | grep -vxE 'CPC_(NO_SOLARIS_NAMES|STRICT)'); do
		grep -qE "^\\.It (Dv|Fn) (.* )?$name( |\$)" man7/opencpc-solaris.7 ||
			{ echo "$name is not in opencpc-solaris(7)"; return 1; }
		n=$((n + 1))
	done
	[ $n -gt 100 ]
}

@test "docs: README.md shows the message for an unknown name as it is printed" {
	awk -v want='    $ cputrack -c task-clok true' '$0 == want { on = 1; next } !/^    / { on = 0 }
		on { print substr($0, 5) }' README.md > "$T/shown"
	run -2 "$CPUTRACK" -c task-clok true
	[ "$output" = "$(cat "$T/shown")" ]
}

@test "docs: NEWS begins with this version" {
	head -n 1 NEWS | grep -q "$(cat VERSION)"
}
