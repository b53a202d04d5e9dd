import Foundation
import TestSupport
import Testing

/// A disk that is really full: a cache in a tmpfs of 256 KiB, mounted in a namespace of its own (Linux).
@Suite struct FullDiskTests {
    private static let canRun =
        Namespaces.areThere && FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    private static let script = #"""
        mount -t tmpfs -o size=256k none "$1" || exit 1
        dir="$1/creatives" adtop="$2" work="$3"
        head -c 20000 /dev/zero | tr '\0' a > "$work/small.html"
        head -c 400000 /dev/zero | tr '\0' b > "$work/big.html"
        "$adtop" cache put "$work/small.html" --folder "$dir" --id small > /dev/null; echo "small $?"
        "$adtop" cache put "$work/big.html" --folder "$dir" --id big 2>&1; echo "big $?"
        mkfifo "$work/served"
        "$adtop" cache serve --port 0 --no-tls --allow-keys --folder "$dir" > "$work/served" 2> "$work/serve.err" &
        server=$!
        exec 3< "$work/served"
        address=
        while [ -z "$address" ] && read -r line <&3; do
          address=$(printf '%s\n' "$line" | sed -n 's|.*\(http://localhost:[0-9]*\)/ID.*|\1|p')
        done
        value=$(head -c 9000 /dev/zero | tr '\0' c)
        n=0
        while [ $n -lt 40 ]; do
          printf '{"puts":[{"type":"xml","value":"%s","key":"key-%s"}]}' "$value" $n > "$work/put.json"
          curl -s -o /dev/null -w 'put %{http_code}\n' -d "@$work/put.json" "$address/cache"
          n=$((n + 1))
        done | sort -u
        for path in small "cache?uuid=key-0" "cache?uuid=key-39"; do
          curl -s -o /dev/null -w "$path %{http_code} %{size_download}\n" "$address/$path"
        done
        curl -s -o /dev/null -w 'status %{http_code}\n' "$address/status"
        kill $server; wait $server; echo "server $?"
        grep -q "the disk is full" "$work/serve.err" && echo "it said so"
        """#

    @Test(.enabled(if: canRun, "no tmpfs can be mounted here, or there is no curl"))
    func theCacheGoesOnAndSaysWhatIsWrong() async throws {
        let folder = try TemporaryFolder()
        for name in ["disk", "work"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        }
        let child = try ChildProcess(
            "/usr/bin/unshare",
            [
                "-Urm", "sh", "-c", Self.script, "sh", folder.file("disk"), BuiltProduct.path("adtop"),
                folder.file("work"),
            ],
            environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "HOME": folder.path])
        let output = String(decoding: try await child.end().output, as: UTF8.self)
        var lines = output.split(separator: "\n").map(String.init)
        let said = lines.firstIndex { $0.hasPrefix("adtop: ") }.map { lines.remove(at: $0) } ?? ""
        #expect(said.contains("the disk is full; the memory tier keeps working"))
        #expect(
            lines == [
                "small 0", "big 4", "put 200", "small 200 20000", "cache?uuid=key-0 200 9000",
                "cache?uuid=key-39 200 9000", "status 204", "server 0", "it said so",
            ])
    }
}
