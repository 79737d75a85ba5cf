# The completions of bash, zsh and fish, which the build makes from the tables of options.

bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_DIRNAME/.."
	mkdir "$T/bin" "$T/work"
	PATH=$T/bin:$PATH
	local command shell
	for command in cputrack perfex cpustat cpcreport lwprec; do
		for shell in bash zsh fish; do
			"${B:-build}/completion" $command $command 'us3 r10000' 'r10000 zen3' < "cmd/completion/$shell.in" > "$T/$command.$shell"
		done
		list_command > "$T/bin/$command"
		chmod +x "$T/bin/$command"
	done
}

# list_command: print a command of which completions ask the names of events, and which keeps its arguments in $T/asked.
list_command() {
	cat <<-END
		#!/bin/sh
		printf '%s\n' "\$*" >> "$T/asked"
		for prefix; do :; done
		printf '%s\n' page-faults page-walks task-clock us3::EC_hit us3::EC_ref sched:sched_switch | grep "^\$prefix"
	END
}

# bash_completes WORD...: $T/offered has what bash offers for the last word of a command line, whose words are given as
# bash cuts them. Tests can set COMP_WORDBREAKS.
bash_completes() {
	(
		# as in the shell of a user; compopt fails here
		set +e
		cd "$T/work"
		. "$T/$1.bash"
		COMP_WORDBREAKS=${COMP_WORDBREAKS-$' \t\n"\'><=;|&(:'}
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		"_$1" "$1" "${!#}"
		printf '%s\n' "${COMPREPLY[@]}" | sort -u | xargs
	) > "$T/offered"
}

# bash_offers OFFERS WORD...: it offers these words, in any order.
bash_offers() {
	bash_completes "${@:2}"
	diff "$T/offered" <(printf '%s\n' $1 | sort -u | xargs) || { echo "for: ${*:2}"; return 1; }
}

# fish_offers OFFERS LINE: the same for fish and a whole command line.
fish_offers() {
	(
		cd "$T/work"
		fish --no-config -c "source $T/${2%% *}.fish; complete -C '$2'" | cut -f 1 | sort -u | xargs
	) > "$T/offered"
	diff "$T/offered" <(printf '%s\n' $1 | sort -u | xargs) || { echo "for: $2"; return 1; }
}

@test "completions: bash offers each option of --help=all" {
	local cmd
	for cmd in "$CPUTRACK" "$PERFEX" "$CPUSTAT" "$CPCREPORT"; do
		"$cmd" --help=all | grep -oP '^\t\K-([a-zA-Z]p?|-[a-z-]+\[=|-[a-z-]+=?)' | sed 's/\(.*\)\[=/\1\n\1=/' > "$T/options"
		[ "$(wc -l < "$T/options")" -ge 6 ]
		bash_offers "$(cat "$T/options")" "${cmd##*/}" -
	done
	bash_offers '--engine= --explain' cputrack --e
	bash_offers '' cputrack --nothing
	bash_offers -mp perfex -m
}

@test "completions: bash offers values of options, with = and as the next word" {
	bash_offers 'auto kernel sim' cputrack --engine =
	bash_offers 'kernel' cputrack --engine = k
	bash_offers 'kernel' cputrack --engine k
	bash_offers 'auto kernel' cpustat --engine =
	bash_offers 'text csv json markdown' perfex --format ''
	bash_offers 'us3 r10000' cputrack -e --cpu =
	bash_offers 'r10000 r12000' perfex --cpu =
	bash_offers 'list native r10000 zen3' cputrack --machine =
	bash_offers 'v1 v2 v3' cputrack --reproducible = v
	bash_offers 'u d' cpustat -T ''
	bash_offers '' cputrack -T ''
	COMP_WORDBREAKS=' ' bash_offers '--engine=kernel' cputrack --engine=k
}

@test "completions: bash offers names of events, also after a comma and a counter" {
	bash_offers 'page-faults page-walks' cputrack -c page
	bash_offers 'task-clock,page-faults task-clock,page-walks' cputrack -c task-clock,page
	bash_offers 'page-faults page-walks' cputrack -c '"page'
	bash_offers 'page-faults' cputrack -efc page-f
	bash_offers '-cpage-faults' cputrack -cpage-f
	bash_offers 'page-faults' perfex -a -e page-f
	bash_offers 'page-faults' cpustat --list = page-f
	# bash cuts words at these characters, and replaces what follows.
	bash_offers 'EC_hit EC_ref' cputrack -c us3 :: EC
	bash_offers 'task-clock' cputrack -c pic0 = ta
	bash_offers 'task-clock' cputrack -c pic0 = us3 :: EC_hit,pic1 = task
	COMP_WORDBREAKS=' ' bash_offers 'us3::EC_hit us3::EC_ref' cputrack -c us3::EC
}

@test "completions: the commands themselves give the names" {
	local cmd
	for cmd in "$CPUTRACK" "$PERFEX" "$CPUSTAT"; do
		ln -sf "$cmd" "$T/bin/${cmd##*/}"
	done
	bash_offers 'page-faults' cputrack -c page-f
	bash_offers 'page-faults,context-switches' cputrack -c page-faults,context-s
	bash_offers 'page-faults' cpustat -c page-f
	bash_offers 'page-faults' perfex -e page-f
	bash_offers 'EC_ref' cputrack -c us3 :: EC_re
	bash_offers 'Cycle_cnt' cputrack --cpu = us3 -c pic0 = Cycle_c
}

@test "completions: the names of events are asked for with the chosen table and engine" {
	bash_offers 'us3::EC_hit us3::EC_ref' cputrack --cpu = us3 --engine = sim -N 1 -c us3
	[ "$(cat "$T/asked")" = '--cpu=us3 --engine=sim --list --names-only us3' ]
}

@test "completions: bash offers files, processes and commands where they belong" {
	touch "$T/work/rows.csv" "$T/work/run"
	bash_offers 'rows.csv run' cputrack -o r
	bash_offers '-orun' cputrack -oru
	bash_offers 'run' cpustat --openmetrics = ru
	bash_offers './run' perfex --machine = ./ru
	bash_offers 'r10000' perfex --machine = r
	bash_completes cputrack -p "$$"
	has "\b$$\b" "$T/offered"
	printf '#!/bin/sh\n' > "$T/bin/only_this_command"
	chmod +x "$T/bin/only_this_command"
	bash_offers only_this_command cputrack -e -T 1 only_this
	bash_offers only_this_command perfex -y -- only_this
	bash_offers './run' perfex -y ./ru
	# What follows the command is completed as its argument.
	bash_offers 'run' cputrack -c page-faults true ru
	bash_offers '' cputrack -c page-faults true -c
	bash_offers '' cpustat -c page-faults 1 r
}

# The options that --help of lwprec, or of a subcommand of it, shows, with = as bash offers them.
lwprec_options() {
	"$LWPREC" $1 --help | grep -oP '^\t\K-.*' | grep -oP '(^|, )\K-([a-zA-Z]|-[a-z-]+(\[=|=)?)' | sed 's/\(.*\)\[=/\1\n\1=/'
}

@test "completions: bash offers subcommands of lwprec, and the options of each" {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	touch "$T/work/recording"
	bash_offers 'record report recording' lwprec re
	bash_offers 'recording' lwprec report re
	bash_offers '--by=' lwprec report --b
	bash_offers '--by=' lwprec report recording --b
	bash_offers 'file function' lwprec report --by = f
	bash_offers 'folded' lwprec report -n 5 --format fo
	bash_offers '' lwprec --format fo
	bash_offers 'ire' lwprec record -e i
	bash_offers 'recording' lwprec annotate -o rec
	bash_offers '' lwprec caps rec
	printf '#!/bin/sh\n' > "$T/bin/only_this_command"
	chmod +x "$T/bin/only_this_command"
	bash_offers only_this_command lwprec record -e ire only_this
	bash_offers '' lwprec record only_this_command --en
	local sub
	for sub in decode report annotate diff record caps scan; do
		bash_offers "$(lwprec_options $sub)" lwprec $sub -
	done
	bash_offers "$(lwprec_options decode)" lwprec -
}

@test "completions: bash offers the files that cpcreport reads, and options behind them" {
	touch "$T/work/run.json"
	bash_offers 'run.json' cpcreport r
	bash_offers 'run.json' cpcreport run.json r
	bash_offers '--chart' cpcreport run.json --ch
}

@test "completions: bash asks the completion of the command that is run, where there is one" {
	_command_offset() { COMPREPLY=("offset$1"); }
	export -f _command_offset
	bash_offers offset6 cputrack --cpu = us3 -c a, git comm
	bash_offers offset4 cputrack -c a -- git
}

@test "completions: they have the name by which users call the command" {
	"${B:-build}/completion" cputrack ocputrack 'us3' 'zen3' < cmd/completion/bash.in > "$T/ocputrack.bash"
	bash_offers '--engine=' ocputrack --en
	grep -qx 'complete -F _ocputrack ocputrack' "$T/ocputrack.bash"
	"${B:-build}/completion" cputrack ocputrack 'us3' 'zen3' < cmd/completion/zsh.in | grep -qx '#compdef ocputrack'
	"${B:-build}/completion" cputrack ocputrack 'us3' 'zen3' < cmd/completion/fish.in > "$T/ocputrack.fish"
	lacks '-c cputrack' "$T/ocputrack.fish"
	run -1 "${B:-build}/completion" nothing nothing '' '' < /dev/null
	[[ $output == *"no table of options is known for the command 'nothing'" ]]
	run -1 "${B:-build}/completion" cputrack < /dev/null
	if [ -c /dev/full ]; then
		run -1 bash -c "'${B:-build}/completion' cputrack cputrack '' '' < cmd/completion/zsh.in > /dev/full"
	fi
}

@test "completions: bash and shellcheck find no mistake in those of bash" {
	local command
	for command in cputrack perfex cpustat cpcreport lwprec; do
		bash -n "$T/$command.bash"
		if command -v shellcheck > /dev/null; then
			shellcheck -s bash -S warning "$T/$command.bash"
		fi
	done
}

@test "completions: zsh gets each option of --help=all" {
	need zsh
	local cmd
	for cmd in "$CPUTRACK" "$PERFEX" "$CPUSTAT" "$CPCREPORT"; do
		zsh -n "$T/${cmd##*/}.zsh"
		zsh -f -c "_arguments() { print -rl -- \"\$@\" }; . '$T/${cmd##*/}.zsh'" |
			sed -n 's/^\*\(-[a-zA-Z-]*\).*/\1/p' | sort > "$T/zsh"
		"$cmd" --help=all | grep -oP '^\t\K-([a-zA-Z]p?|-[a-z-]+)' | sort | diff - "$T/zsh"
	done
}

@test "completions: zsh gets the options of each subcommand of lwprec" {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	need zsh
	local sub
	for sub in '' decode report annotate diff record caps scan; do
		zsh -f -c "_arguments() { print -rl -- \"\$@\" }; words=(lwprec $sub x); CURRENT=\${#words}; . '$T/lwprec.zsh'" > "$T/arguments"
		sed -n 's/^\*\(-[a-zA-Z-]*\).*/\1/p' "$T/arguments" | sort > "$T/zsh"
		lwprec_options "${sub:-decode}" | sed 's/=$//' | sort -u | diff - "$T/zsh"
	done
	zsh -f -c "_arguments() { print -rl -- \"\$@\" }; words=(lwprec re); CURRENT=2; . '$T/lwprec.zsh'" > "$T/arguments"
	has '^1:subcommand:{compadd decode report annotate diff record caps scan; _files}$' "$T/arguments"
	has '^\*:file:_files$' "$T/arguments"
}

@test "completions: fish offers subcommands of lwprec, and the options of each" {
	need fish
	touch "$T/work/recording" "$T/work/run.json"
	fish_offers 'record report recording' 'lwprec re'
	fish_offers 'recording' 'lwprec report re'
	fish_offers '--by' 'lwprec report recording --b'
	fish_offers '' 'lwprec --b'
	fish_offers '--format=folded' 'lwprec report --format=fo'
	fish_offers 'ire' 'lwprec record -e ir'
	printf '#!/bin/sh\n' > "$T/bin/only_this_command"
	chmod +x "$T/bin/only_this_command"
	fish_offers only_this_command 'lwprec record -e ire only_this'
	fish_offers '' 'lwprec record only_this_command --eng'
	fish_offers 'run.json' 'cpcreport ru'
	fish_offers '--chart' 'cpcreport run.json --ch'
}

@test "completions: fish offers options, values, events and files" {
	need fish
	touch "$T/work/run"
	fish_offers '--engine --explain' 'cputrack --e'
	fish_offers '--engine=kernel' 'cputrack --engine=k'
	fish_offers 'kernel' 'cputrack --engine k'
	fish_offers 'page-faults page-walks' 'cputrack -c page'
	fish_offers 'task-clock,page-faults task-clock,page-walks' 'cputrack -c task-clock,page'
	fish_offers 'pic0=us3::EC_hit pic0=us3::EC_ref' 'cputrack -c pic0=us3::EC'
	fish_offers '--list=sched:sched_switch' 'cpustat --list=sch'
	fish_offers '-mp' 'perfex -m'
	fish_offers 'run' 'cputrack -o ru'
	fish_offers 'd u' 'cpustat -T '
	fish_offers '' 'cpustat 1 '
}
