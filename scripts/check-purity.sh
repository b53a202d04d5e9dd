#!/usr/bin/env bash
# The pure targets decide in values: no clock, file, socket, task, lock, randomness or print in them.
# That is what makes replay true, so it is checked and not only agreed.
set -euo pipefail
cd "$(dirname "$0")/.."

pure_targets=(HLS VAST AdTracking AdFormats Bidding CreativeCache Session Screen Dashboard DemoOrigin Simulation Fleet)

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
^[[:space:]]*((package|public|internal|private|fileprivate|@testable|@preconcurrency)[[:space:]]+)*import[[:space:]]+(Foundation|FoundationEssentials|Glibc|Musl|Darwin|Dispatch|Synchronization|Locks|NIO|Hummingbird|Logging|GRDB|AsyncHTTPClient|Monitoring|Live|CreativeServer|OriginServer|Terminal|CNcurses)
\btry!|\bas![[:space:]]'

failures=0
for target in "${pure_targets[@]}"; do
    [ -d "Sources/$target" ] || { echo "purity: Sources/$target: no such target; correct the list of targets"; failures=1; continue; }
    while IFS= read -r pattern; do
        hits=$(grep -rnE --include='*.swift' "$pattern" "Sources/$target" | grep -vE '^[^:]+:[0-9]+:[[:space:]]*//' || true)
        if [ -n "$hits" ]; then
            printf 'impure (%s):\n%s\n' "$pattern" "$hits"
            failures=1
        fi
    done <<<"$forbidden"
done
[ "$failures" -eq 0 ] || exit 1
echo "purity: ok"
