# A Slurm of two nodes on this machine, for a file of tests. Loaded with: load slurm, after launchers
#
# slurm_begin is for setup_file, slurm_end for teardown_file. The daemons listen on 127.0.0.1 alone, and need no munge, systemd or cgroup.
# Jobs that run for too long get SIGKILL 2 s after SIGTERM.

# Print why Slurm cannot be used, or nothing.
no_slurm() {
	local program log
	[ "$(id -u)" -eq 0 ] || { echo "needs root"; return; }
	for program in srun sbatch scancel scontrol squeue sinfo slurmctld slurmd slurmstepd; do
		[ -n "$(slurm_path $program)" ] || { no_launcher $program "no such program"; return; }
	done
	for program in slurmctld slurmd; do
		log=$("$(slurm_path $program)" -V 2>&1) || { no_launcher $program "${log##*$'\n'}"; return; }
	done
	[ ! -e "$SITE/why" ] || cat "$SITE/why"
}
# The tests call this first.
need_slurm() {
	export SLURM_CONF=$SITE/slurm.conf
	local why
	why=$(no_slurm)
	[ -z "$why" ] || skip "$why"
}

# slurm_path NAME: print the path of a program. Daemons are called NAME-wlm in Debian's packages.
slurm_path() { command -v "$1" || command -v "$1-wlm" || command -v "/usr/sbin/$1" || :; }

# free_ports: print the first of three ports in a row on which nothing listens.
free_ports() {
	local port i
	for ((port = 20000 + $$ % 10000; ; port += 3)); do
		for i in 0 1 2; do
			! (exec 3<> "/dev/tcp/127.0.0.1/$((port + i))") 2> /dev/null || continue 2
		done
		echo $port
		return
	done
}

# write_conf PLUGIN: the configuration, with the plugin for cgroups, of which slurmd needs one that it can load.
write_conf() {
	local port host plugins
	port=$(free_ports)
	host=$(uname -n)
	host=${host%%.*}
	plugins=$(echo "${LD_LIBRARY_PATH##*:}"/auth_none.so)
	cat > "$SLURM_CONF" <<-END
		ClusterName=tests
		SlurmctldHost=localhost(127.0.0.1)
		SlurmctldPort=$port
		SlurmUser=root
		AuthType=auth/none
		CredType=cred/none
		CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
		StateSaveLocation=$SITE/state
		SlurmdSpoolDir=$SITE/%n
		SlurmctldPidFile=$SITE/slurmctld.pid
		SlurmdPidFile=$SITE/%n.pid
		SlurmctldLogFile=$SITE/slurmctld.log
		SlurmdLogFile=$SITE/%n.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		MpiDefault=none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SchedulerParameters=sched_interval=1,batch_sched_delay=0
		SlurmdParameters=config_overrides
		ReturnToService=2
		KillWait=2
		NodeName=n0 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=8 RealMemory=1000
		NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=8 RealMemory=1000
		PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE
	END
	[ ! -e "$plugins" ] || find_unpacked "${plugins%/*}"
	echo "CgroupPlugin=$1" > "$SITE/cgroup.conf"
}

# find_unpacked FOLDER: let daemons find the plugins of unpacked packages in FOLDER. The plugin of PMIx has the name of PMIx's folder in it, and
# its copy the name of a link to the unpacked one, which slashes make as long.
find_unpacked() {
	local from=${1%/*/*} pmix old=/usr/lib/${1#"$LAUNCHERS/lib/"} new=$SITE/pmix
	old=${old%/*}/pmix2/lib
	mkdir -p "$SITE/plugins" "$new"
	ln -sf "$1/../pmix2/lib/libpmix.so.2" "$new/libpmix.so"
	while [ ${#new} -lt ${#old} ]; do new=$new/; done
	for pmix in "$1"/mpi_pmix_v*.so; do
		LC_ALL=C sed "s|$old|$new|" "$pmix" > "$SITE/plugins/mpi_pmix.so"
	done
	echo "PluginDir=$SITE/plugins:$1" >> "$SLURM_CONF"
}

# start_daemon NAME PROGRAM ARGUMENT...: start it; its pid is in $SITE/pids.
start_daemon() {
	local name=$1
	shift
	"$@" > "$SITE/$name.out" 2>&1 < /dev/null 3>&- &
	echo $! >> "$SITE/pids"
}
nodes_idle() { [ "$(sinfo -h -o %t 2> /dev/null | sort -u)" = idle ]; }

try_slurm() {
	local node
	rm -rf "$SITE/state" "$SITE/pids"
	mkdir -p "$SITE/state" "$SITE/n0" "$SITE/n1"
	write_conf "$1"
	start_daemon slurmctld "$(slurm_path slurmctld)" -D
	for node in n0 n1; do
		start_daemon $node "$(slurm_path slurmd)" -D -N $node -d "$(slurm_path slurmstepd)"
	done
	DEADLINE=10 until_true nodes_idle
}

# The folder is short, because a link in it takes the place of a name in a plugin.
slurm_begin() {
	export SITE
	SITE=$(mktemp -d /tmp/slurm.XXXXXX)
	export SLURM_CONF=$SITE/slurm.conf
	[ -z "$(no_slurm)" ] || return 0
	local plugin
	for plugin in cgroup/v1 cgroup/v2; do
		! try_slurm $plugin || return 0
		end_daemons
	done
	echo "Slurm does not start here: $(tail -qn 1 "$SITE"/*.log | tail -n 1)" > "$SITE/why"
}

end_daemons() {
	local pid
	while read -r pid; do
		kill -TERM "$pid" 2> /dev/null || :
	done < "$SITE/pids"
	while read -r pid; do
		until_true is_gone "$pid" || kill -KILL "$pid"
	done < "$SITE/pids"
}
# no_job: $job has ended, as the daemon says, which may not answer at once.
no_job() {
	local jobs
	jobs=$(squeue -h -o %F 2> /dev/null) && ! grep -qx "$job" <<< "$jobs"
}
no_jobs() { [ -z "$(squeue -h)" ]; }
slurm_end() {
	if [ -e "$SITE/pids" ]; then
		scancel -Q -s KILL -u root || :
		until_true no_jobs || :
		end_daemons
	fi
	rm -rf "$SITE"
}
