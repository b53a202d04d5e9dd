import Foundation
import Ports

/// The files beside a journal by which ended processes showed that they were running. A process that ends in order removes its own.
struct EndedHolders {
    private let paths: [String]
    /// The newest claim that one of them had on disk; 0 if none had any.
    let lastClaim: Int64

    init(beside journal: String) {
        let folder = LinkedPath.folder(of: journal)
        let prefix = String(journal.split(separator: "/").last ?? "") + JournalHolder.mark
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var (paths, last): ([String], Int64) = ([], 0)
        for name in names where name.hasPrefix(prefix) {
            let path = "\(folder)/\(name)"
            guard let claim = Self.lastClaim(of: path) else { continue }
            paths.append(path)
            last = max(last, claim)
        }
        self.paths = paths
        lastClaim = last
    }

    /// Their claims are in the journal, or the journal that lacked them was moved aside.
    func remove() {
        for path in paths { unlink(path) }
    }

    /// Nil while its process runs, or where the file cannot be read. Earlier versions wrote nothing into it.
    private static func lastClaim(of path: String) -> Int64? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        guard count > 0 else { return 0 }
        // It is unknown what one with another content had.
        return Int64(String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) ?? .max
    }
}
