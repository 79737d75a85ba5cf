# shellcheck shell=bash disable=SC2154 # the script that sources this file sets cache and apt
# Functions that fetch packages of Debian's archive for tests, without a change of this machine: apt gets a state
# of its own, so the machine's package lists, architectures and packages stay, and no privilege is needed. What
# was fetched is kept in $cache; the archive is asked for newer versions once a day. A script that sources this
# file sets cache and apt, the folder of apt's state; it ends with status 3 and a reason on stderr if it cannot
# have the packages.

unavailable() {
	echo "$*" >&2
	exit 3
}

# need PROGRAM...: end unless all programs are installed.
need() {
	local program
	for program; do
		command -v "$program" > /dev/null || unavailable "$program is not installed"
	done
}

# lock_cache: one script at a time uses the cache, until it ends.
lock_cache() {
	mkdir -p "$cache" && [ -w "$cache" ] || unavailable "$cache cannot be written"
	exec 9> "$cache/lock"
	flock 9
}

# configure_apt ARCH RELEASE...: write an apt configuration for packages of ARCH in releases (regular expressions)
# into $apt, and download the package lists if they are older than a day. It keeps the machine's archives and
# settings of the network, but not its hooks and folders.
configure_apt() {
	local sources release arch=$1
	shift
	sources=$(for release; do archives "$release"; done)
	[ -n "$sources" ] || unavailable "this machine's apt has no archive of Debian"
	mkdir -p "$apt"/{lists/partial,cache/archives/partial}
	# Lists of other archives are not those that are needed.
	[ "$(cat "$apt/sources.list" 2> /dev/null)" = "$sources" ] || rm -f "$apt/updated"
	printf '%s\n' "$sources" > "$apt/sources.list"
	: > "$apt/status"
	{
		apt-config dump Acquire
		cat <<-END
			Dir::Etc::main "/dev/null";
			Dir::Etc::parts "/dev/null";
			Dir::Etc::sourcelist "$apt/sources.list";
			Dir::Etc::sourceparts "/dev/null";
			Dir::State "$apt";
			Dir::State::status "$apt/status";
			Dir::Cache "$apt/cache";
			APT::Architecture "$arch";
			APT::Architectures { "$arch"; };
			APT::Install-Recommends "false";
			APT::Sandbox::User "root";
			Acquire::Languages "none";
			Acquire::http::Timeout "20";
			Acquire::https::Timeout "20";
			Debug::NoLocking "true";
		END
	} > "$apt/apt.conf"
	export APT_CONFIG=$apt/apt.conf
	is_fresh || update
}

# archives RELEASE: print lines of a sources.list: the archives of Debian 12 that this machine's apt is set up
# for, if RELEASE matches their releases; another release is taken from the same place.
archives() {
	local format
	# shellcheck disable=SC2016 # apt's variables
	format='deb $(REPO_URI) $(RELEASE) $(COMPONENT)'
	apt-get indextargets --format "$format" 'Created-By: Packages' |
		awk -v wanted="^($1)\$" -v other="$1" '
			$4 != "main" { next }
			$3 ~ wanted { print; next }
			$3 == "bookworm" && other !~ /bookworm/ { $3 = other; print }' | sort -u
}

is_fresh() { [ -n "$(find "$apt/updated" -mtime -1 2> /dev/null)" ]; }

# update: download the archive's package lists. If that fails, older lists are used.
update() {
	if apt-get -qq update --error-on=any >&2; then
		touch "$apt/updated"
	else
		[ -f "$apt/updated" ] || unavailable 'the Debian archive cannot be reached'
	fi
}

# versions NAME...: print NAME=VERSION of each package.
versions() {
	apt-cache show --no-all-versions "$@" | awk '/^Package:/ { p = $2 } /^Version:/ { print p "=" $2 }'
}

# download DIR PACKAGE=VERSION...: download these packages into DIR.
download() {
	mkdir -p "$1"
	if ! (cd "$1" && shift && apt-get -qq download "$@" >&2); then
		# The archive may have replaced these versions since its lists were downloaded.
		rm -rf "$1" "$apt/updated"
		unavailable 'the packages cannot be downloaded'
	fi
}

# unpack DEB DIR [TAR_OPTION...]: unpack the files of a package.
unpack() {
	local deb=$1 dir=$2
	shift 2
	dpkg-deb --fsys-tarfile "$deb" | tar -C "$dir" -x --keep-directory-symlink --no-same-permissions --no-same-owner "$@"
}
