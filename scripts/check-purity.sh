#!/usr/bin/env bash
# The pure targets decide in values: no clock, file, socket, task, lock, randomness or print in them.
# That is what makes replay true, so it is checked and not only agreed.
set -euo pipefail
cd "$(dirname "$0")/.."

pure_targets=(HLS VAST AdTracking AdFormats Bidding CreativeCache Monitoring Screen Dashboard DemoOrigin Simulation)

# The edge of Monitoring: files that own tasks, wait or declare what waits. Each has a reason; everything else is pure.
edge_files=(
    Sources/Monitoring/Monitor.swift                  # the actor: reads the clock, carries out the effects
    Sources/Monitoring/SendLanes.swift                # waits until the request before is on the wire
    Sources/Monitoring/Many/SessionGroup.swift        # starts, staggers and stops many monitors
    Sources/Monitoring/Many/SessionsLog.swift         # shared by many actors, so it has a lock
    Sources/Monitoring/Auction/NoticeSender.swift     # sends the notices of `auction run` without a session
    Sources/Monitoring/Journal/Journal.swift          # port: the journal, asynchronous
    Sources/Monitoring/Journal/JournalQueue.swift     # awaits the journal, in order
    Sources/Monitoring/Journal/InMemoryJournal.swift  # the journal of tests and of observe mode, an actor
    Sources/Monitoring/Formats/ZoneKeeper.swift       # port: the zone store, asynchronous
    Sources/Monitoring/Cache/CreativeKeeper.swift     # port: the creative cache, asynchronous
    Sources/Monitoring/Plugins/PluginPort.swift       # port: plugin processes, asynchronous
    Sources/Monitoring/Recording/RecordedInput.swift  # port: the recorder, with a stream of its failures
)

# One extended regular expression per line: what must not appear, outside comments.
forbidden='(^|[^A-Za-z_.])(await|Task|print|debugPrint|fatalError|preconditionFailure|getenv|usleep|sleep|clock_gettime)[[:space:]]*[({]
(^|[^A-Za-z_.])readLine\((\)|strippingNewline)
(^|[^A-Za-z_.])time\((nil|NULL|&)
(^|[^A-Za-z_])(await|async)[[:space:]]
\bTask\.(detached|sleep|yield)
\b(ContinuousClock|SuspendingClock|SystemRandomNumberGenerator|ProcessInfo|FileManager|FileHandle|URLSession|DispatchQueue|Thread|Process)\b
\b(Mutex|Locked|AsyncStream|AsyncThrowingStream)\b|^[[:space:]]*((package|public|internal|private|fileprivate)[[:space:]]+)?actor[[:space:]]
\bDate\(\)|\bDate\.now\b|\.now\(\)
\.random\(in: [^,]*\)$|\.shuffled\(\)|\.randomElement\(\)
^[[:space:]]*((package|public|internal|private|fileprivate|@testable|@preconcurrency)[[:space:]]+)*import[[:space:]]+(Foundation|FoundationEssentials|Glibc|Musl|Darwin|Dispatch|Synchronization|Locks|NIO|Hummingbird|Logging|GRDB|AsyncHTTPClient|Live|CreativeServer|OriginServer|Terminal|CNcurses)
\btry!|\bas![[:space:]]'

failures=0
for file in "${edge_files[@]}"; do
    # A file that was moved or became pure must not keep its exemption.
    if ! grep -vE '^[[:space:]]*//' "$file" 2>/dev/null | grep -qE -f <(printf '%s\n' "$forbidden"); then
        echo "purity: $file: no such file, or it is pure; remove it from the list of edge files"
        failures=1
    fi
done
for target in "${pure_targets[@]}"; do
    [ -d "Sources/$target" ] || { echo "purity: Sources/$target: no such target; correct the list of targets"; failures=1; continue; }
    while IFS= read -r pattern; do
        hits=$(grep -rnE --include='*.swift' "$pattern" "Sources/$target" | grep -vE '^[^:]+:[0-9]+:[[:space:]]*//' |
            grep -vF "$(printf '%s:\n' "${edge_files[@]}")" || true)
        if [ -n "$hits" ]; then
            printf 'impure (%s):\n%s\n' "$pattern" "$hits"
            failures=1
        fi
    done <<<"$forbidden"
done
[ "$failures" -eq 0 ] || exit 1
echo "purity: ok"
