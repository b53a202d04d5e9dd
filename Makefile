# A newcomer needs two commands: `make demo` and `make test`. Both set everything up first.
SWIFT ?= swift
# SwiftPM writes the traits of packages in an order that changes from run to run, and compiles those with several traits again each time it
# does. The order of hashing is fixed for the build alone: programs keep a random one.
SWIFT_BUILD := SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
# Without the first flag an import that the manifest does not declare may compile by accident. Without the second one a build in a terminal
# has other options than one whose output goes elsewhere, and each would compile everything again after the other.
CHECKS := --explicit-target-dependency-import-check error --no-color-diagnostics
# Functions in sections of their own: the linker leaves out those that nothing calls, those of packages as well
# (docs/adr/0031-small-program.md).
SECTIONS := $(if $(filter Linux,$(shell uname -s)),-Xswiftc -Xfrontend -Xswiftc -function-sections)
BUILD := -c release $(CHECKS) $(SECTIONS)
# Tests are optimised, as the program is, and assertions hold in them (docs/adr/0030-optimised-tests.md). Their folder is their own, so that
# `make test` and `make demo` do not build everything again after each other.
TESTS := $(CHECKS) -c release --scratch-path .build-tests -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug
PREFIX ?= /usr/local
ARGUMENTS ?=

.PHONY: setup build demo fleet-demo run test check soak bench fuzz pictures lint format install uninstall dist check-dist clean

setup:
	@scripts/setup

build: setup
	@echo "Building adtop (the first time takes about a quarter of an hour on two cores: the HTTP and TLS libraries are large) …"
	$(SWIFT_BUILD) $(BUILD) --product adtop

demo: build
	@"$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/adtop" demo $(ARGUMENTS)

# A PostgreSQL server, an origin and three agents of its own, and the screen of the fleet; quitting ends all of them.
fleet-demo: build
	@scripts/setup fleet
	@"$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/adtop" fleet demo $(ARGUMENTS)

run: build
	@"$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/adtop" $(ARGUMENTS)

test: setup
	@echo "Building and testing (the tests take five to seven minutes on two cores; the first build, twenty-five) …"
	$(SWIFT_BUILD) --build-tests $(TESTS)
	@SWIFT="$(SWIFT)" scripts/test $(TESTS)

# A thousand simulations with every fault; two hundred of each change of metadata, of the journal's faults, of fixed URLs and of cut
# pods; a hundred with the features beside the stream; kills at every point of ten short runs; a simulated day with every fault; a
# simulated month of two scenarios, whose memory is printed and bounded, and what a session holds when it is old; two hundred kills and
# two hundred power losses of the real program while trackers fail; a thousand fleets with every fault; two hundred kills of real agents
# and of their PostgreSQL server, which is installed first, with guards removed and standbys promoted; and a stop of one minute. A failure
# prints the command that repeats it.
SOAK_SEEDS ?= 1000
# Scenario and faults of the simulations with one kind of fault.
SOAK_CHANGES = rush:ids rush:starts rush:ids,starts rush:ids,starts,busters rush:instances,busters rush:tokens,busters,starts \
    rush:reused,ids,starts,busters rush:kill,ids,starts,busters,tokens rush:journal rush:journal,kill rush:session rush:session,kill reruns:all cut-pods:all \
    mediatailor:all mediatailor:ids,starts,busters mediatailor-server:all dai:all yospace:all uplynk:all uplynk-pings:all broadpeak:all primetime:all vmap-poll:all svta:all
# Largest resident memory of a simulated month, in KiB. Most of it is the judge's, which remembers every beacon: 60 MB a day.
SOAK_MONTH_KIB ?= 2500000
SOAK_KILLS ?= 200
SOAK_PROGRAM = "$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/adtop"
soak: build
	@scripts/setup fleet
	$(SOAK_PROGRAM) simulate rush --for 8m --faults all --seeds $(SOAK_SEEDS) >/dev/null
	$(SOAK_PROGRAM) simulate rush --for 8m --faults all --with all --seeds $$(($(SOAK_SEEDS) / 10 + 1)) >/dev/null
	for change in $(SOAK_CHANGES); do \
	    $(SOAK_PROGRAM) simulate $${change%%:*} --for 8m --faults $${change#*:} --seeds $$(($(SOAK_SEEDS) / 5 + 1)) >/dev/null || exit 1; \
	done
	for seed in 1 2 3 4 5 6 7 8 9 10; do \
	    $(SOAK_PROGRAM) simulate rush --for 45s --seed $$seed --kill-everywhere || exit 1; \
	done
	$(SOAK_PROGRAM) simulate rush --for 24h --faults all
	scripts/peak $(SOAK_MONTH_KIB) $(SOAK_PROGRAM) simulate rush --for 720h
	scripts/peak $(SOAK_MONTH_KIB) $(SOAK_PROGRAM) simulate interstitials --for 720h
	cd Benchmarks && $(SWIFT) run -c release AgeBenchmarks
	cd Benchmarks && $(SWIFT) run -c release GrowthBenchmarks --largest
	$(SWIFT_BUILD) --build-tests $(TESTS)
	ADTOP_KILLS=$(SOAK_KILLS) $(SWIFT) test --skip-build $(TESTS) --no-parallel --filter 'OneAtATime/KillTests'
	ADTOP_FLEET_SEEDS=$(SOAK_SEEDS) $(SWIFT) test --skip-build $(TESTS) --no-parallel --filter FleetModelTests
	ADTOP_FLEET_KILLS=$(SOAK_KILLS) $(SWIFT) test --skip-build $(TESTS) --no-parallel --filter 'FleetKillTests|FleetFailoverTests'
	ADTOP_STANDSTILL=60 $(SWIFT) test --skip-build $(TESTS) --no-parallel --filter aStoppedProcess

lint:
	@scripts/lint

# The program is built as newcomers build it, too: without testability the compiler reports more.
check: build test lint
	@scripts/check-purity.sh

format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Themes docs

bench: setup
	@scripts/bench $(ARGUMENTS)

# A minute per parser; make fuzz FUZZ_SECONDS=600 for ten minutes each.
FUZZ_SECONDS ?= 60
fuzz:
	@for target in $$(scripts/fuzz list); do scripts/fuzz $$target $(FUZZ_SECONDS) || exit 1; done

# The pictures of README and docs, drawn from committed recordings; a test compares them with what the code draws.
pictures: build
	scripts/pictures "$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/adtop"

STRIP ?= strip

install: build
	STRIP="$(STRIP)" scripts/install-tree "$$($(SWIFT_BUILD) $(BUILD) --show-bin-path)/adtop" "$(DESTDIR)$(PREFIX)"

# Exactly the files of `make install`; give the same PREFIX and DESTDIR.
uninstall:
	scripts/install-tree --remove "$(DESTDIR)$(PREFIX)"

# A tarball and a Debian package in dist/, with the Swift runtime in the program (Linux).
dist: setup
	@SWIFT="$(SWIFT)" STRIP="$(STRIP)" scripts/dist $(CHECKS) $(SECTIONS)

# Installs both in minimal systems and runs them there.
check-dist:
	@scripts/check-dist $(ARGUMENTS)

clean:
	$(SWIFT) package clean
	rm -rf .build .build-tests .build-dist dist
