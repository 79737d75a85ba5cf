# The documents: their examples that count CPUs run.
#
# Runs alone: it counts whole CPUs, also how often any program executes a function.

bats_require_minimum_version 1.5.0

load helper
load docs

setup() { cd "$BATS_TEST_DIRNAME/.."; }

cpus_have_counters() { "$CPUSTAT" -n -c instructions,cycles 0.01 1 > "$T/try" 2> "$T/try.err"; }

# quick TEXT: print an example of cpustat(1) with shorter times.
quick() {
	sed -E -e 's/ 1 [0-9]+( \||)$/ 0.05 2\1/; s/-p 10/-p 0.2/; s|system\.slice/\*|/|' \
		-e 's/ 0\.1 20 / 0.05 2 /; s/ 15 >/ 0.05 2 >/' <<< "$1"
}

# spans: print the commands in the second column of README.md's first table, a line each.
spans() {
	sed -n 's/^| [^|]* | \(.*\) |$/\1/p' README.md | grep -o '`\(cputrack\|perfex\|cpustat\|lwprec\) [^`]*`' | tr -d '`'
}

@test "docs: the commands of the first table of README.md run" {
	need_breakpoints
	need_cpus
	"$CPUTRACK" --engine=sim -n -T 0 -o "$T/try" -c instructions true || skip 'the simulator is not built here'
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	build_prog
	cp "$T/prog" "$T/old"
	mkdir "$T/bin"
	ln -s "$CPUTRACK" "$T/bin/cputrack"
	ln -s "$CPUSTAT" "$T/bin/cpustat"
	ln -s "$LWPREC" "$T/bin/lwprec"
	local text n=0
	cd "$T"
	(cd "$OLDPWD" && spans) > commands
	cp prog old
	while read -r text; do
		sleep 0.3 3>&- &
		started+=($!)
		text=$(sed -e "s/PID/$!/; s/mem:NAME/mem:hit/; s/ 1\$/ 0.05 2/; s/ -T 1 / -T 0.1 /; s|system\.slice/\*|/|; s/lwprec report$/lwprec report --quiet/" <<< "$text")
		echo "$text"
		PATH=$T/bin:$PATH bounded bash -c "$text" > out 2> err < /dev/null || { cat err; false; }
		[ -s out ] || [[ $text == 'lwprec record '* ]]
		n=$((n + 1))
	done < commands
	[ $n -ge 11 ]
}

@test "docs: examples of cpustat(1) run" {
	need_cpus
	need_breakpoints
	need taskset
	build_prog
	mkdir "$T/bin" "$T/dir"
	ln -s "$CPUSTAT" "$T/bin/cpustat"
	local n=0 text i
	for i in $(literal man1/cpustat.1 | sed -n 's/^== //p'); do
		text=$(block man1/cpustat.1 "$i")
		[[ $text == *cpustat\ -* ]] || continue
		n=$((n + 1))
		if [[ $text == *instructions* ]] && ! cpus_have_counters; then
			continue
		fi
		text=$(quick "$text")
		(cd "$T" && PATH=$T/bin:$PATH dir=$T/dir bounded sh -eu -c "$text") > "$T/said" 2>&1 ||
			{ echo "$text"; cat "$T/said"; return 1; }
	done
	echo "$n examples"
	[ "$n" -ge 10 ]
	grep -q '^# EOF' "$T/dir/cpustat.prom"
	[ "$(grep -c ',bin,' "$T/halves.csv")" -ge 2 ]
}

@test "docs: counts that an example of cpustat(1) promises" {
	need_cpus
	need_breakpoints
	build_prog
	local text
	text=$(literal man1/cpustat.1 | grep -A1 '"hit"' | sed 's/^cpustat.*/exec cpustat -c mem:$addr:x 60/')
	[[ $text == *:x\ 60 ]]
	cd "$T"
	PATH=$(dirname "$CPUSTAT"):$PATH start "$T/hit" sh -eu -c "$text"
	until_true has '^ *time' "$T/hit"
	"$T/prog"
	kill "$!"
	finish "$!"
	awk '$3 == "total" && $4 == 10 { ok = 1 } END { exit !ok }' "$T/hit"
}
