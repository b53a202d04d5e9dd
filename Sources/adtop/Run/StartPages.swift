import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Gives the pages of code and constants that only the start of a session needs back to the system. What a settled session uses is
/// mapped again from the page cache when it is touched, which is less than half of it; without this the program keeps the code of
/// argument parsing, settings, TLS setup and the first requests in its resident set until it ends.
enum StartPages {
    /// Time after which a session has opened, or waits for its server.
    static let settled: Duration = .seconds(10)
    /// Time between two releases after the first: a command, a resize and the first break touch pages that nothing needs again.
    static let interval: Duration = .seconds(120)

    /// Releases the pages once the session has settled, and now and then; cancel the task at the end of the session.
    static func releaseWhenSettled() -> Task<Void, Never> {
        Task {
            var wait = settled
            while (try? await Task.sleep(for: wait)) != nil {
                release()
                wait = interval
            }
        }
    }

    /// Does nothing on systems without `/proc`, nor in builds for debugging: a debugger writes its breakpoints into code.
    private static func release() {
        #if canImport(Glibc) && !DEBUG
            guard let mappings = try? String(contentsOfFile: "/proc/self/smaps", encoding: .utf8) else { return }
            for range in unchangedRanges(in: mappings) {
                // What was never written is read from the file again.
                madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
            }
        #endif
    }

    /// The mappings of files that cannot be written and have no page of their own, from the text of `/proc/self/smaps`
    /// (proc_pid_smaps(5)). A page of its own was written before the mapping became read-only: relocations. The mapping of the
    /// kernel (`[vdso]`) is no file.
    static func unchangedRanges(in mappings: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var current: Range<UInt>?
        for line in mappings.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            if fields.first?.hasSuffix(":") == false {
                current = readOnlyFile(fields)
            } else if let range = current, fields.first == "Anonymous:" {
                if fields.dropFirst().first == "0" { ranges.append(range) }
                current = nil
            }
        }
        return ranges
    }

    /// The addresses of a mapping from the fields of its first line; nil if it can be written, is shared, or is of no file.
    private static func readOnlyFile(_ fields: [Substring]) -> Range<UInt>? {
        guard fields.count == 6, ["r--p", "r-xp"].contains(fields[1]),
            fields[5].drop(while: { $0 == " " }).hasPrefix("/")
        else { return nil }
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
        return bounds[0]..<bounds[1]
    }
}
