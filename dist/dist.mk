# Archives for a release, and packages of Debian.
DIST     := $(B)/dist
SOURCES  := opencpc-$(VERSION)
BINARIES := $(SOURCES)-linux-$(firstword $(subst -, ,$(shell $(PLAINCC) -dumpmachine)))

# Two archives, which have the same bytes whenever they are made of the same files. The sources; and a folder with the
# commands, which need nothing of the machine but its kernel, and find the simulator beside them.
dist: all
	$(Q)$(if $(STATIC),,echo 'make dist: commands that are not static (STATIC=, SANITIZE=1) would not run elsewhere' >&2; exit 1)
	$(Q)$(if $(VGHAVE)$(CROSS),,echo 'make dist: the archive has no simulator, for which the package valgrind is needed' >&2)
	$(Q)rm -rf $(DIST) && mkdir -p $(DIST)
	$(Q)dist/files > $(DIST)/files && dist/archive $(DIST)/$(SOURCES).tar.gz $(SOURCES) . < $(DIST)/files
	$(Q)umask 022 && $(MAKE) -s install-commands DESTDIR=$(abspath $(DIST)) PREFIX=/$(BINARIES) PROGRAM_PREFIX=
	$(Q)find $(DIST)/$(BINARIES)/bin $(DIST)/$(BINARIES)/libexec -type f ! -name 'vgpreload*' -exec $(CROSS)strip {} +
	$(Q)$(if $(CROSS),,dist/linked) > $(DIST)/linked && dist/notices $(DIST)/$(BINARIES) $(DIST)/linked
	$(Q)cd $(DIST)/$(BINARIES) && find . ! -type d -printf '%P\0' > ../files
	$(Q)dist/archive $(DIST)/$(BINARIES).tar.gz $(BINARIES) $(DIST)/$(BINARIES) < $(DIST)/files
	$(Q)rm -rf $(DIST)/$(BINARIES) $(DIST)/files $(DIST)/linked
	$(Q)ls $(DIST)/*.tar.gz

# Packages, in $(B)/deb.
deb:
	$(Q)dist/deb $(B)/deb
	$(Q)if command -v lintian >/dev/null; then dist/lintian $(B)/deb; fi
	$(Q)ls $(B)/deb/*.deb

.PHONY: dist deb
