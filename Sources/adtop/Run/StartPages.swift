import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Gives the pages of code that only the start of a session needs back to the system. What runs in a settled session is mapped again
/// from the page cache when it is called, which is less than half of it; without this the program keeps the code of argument parsing,
/// settings, TLS setup and the first requests in its resident set until it ends.
enum StartPages {
    /// Time after which a session has opened, or waits for its server.
    static let settled: Duration = .seconds(10)

    /// Releases the pages once the session has settled; cancel the task at the end of the session.
    static func releaseWhenSettled() -> Task<Void, Never> {
        Task {
            guard (try? await Task.sleep(for: settled)) != nil else { return }
            release()
        }
    }

    /// Does nothing on systems without `/proc`, nor in builds for debugging: a debugger writes its breakpoints into code.
    private static func release() {
        #if canImport(Glibc) && !DEBUG
            guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return }
            for range in codeRanges(inMaps: maps) {
                // Code is never written, so dropping its pages loses nothing.
                madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
            }
        #endif
    }

    /// The mappings of files that can be executed and not written, from the text of `/proc/self/maps` (proc_pid_maps(5)). The mapping of
    /// the kernel (`[vdso]`) is no file.
    static func codeRanges(inMaps maps: String) -> [Range<UInt>] {
        maps.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard fields.count == 6, fields[1] == "r-xp", fields[5].drop(while: { $0 == " " }).hasPrefix("/") else {
                return nil
            }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
            return bounds[0]..<bounds[1]
        }
    }
}
