package import Foundation

/// Finds the shared conformance vectors: `ADTOP_CONFORMANCE`, else `../shared/conformance` beside the project.
package enum ConformanceFolder {
    /// Nil when the vectors are not here; tests that need them are then skipped, with this reason.
    package static let url: URL? = {
        let candidates = [
            ProcessInfo.processInfo.environment["ADTOP_CONFORMANCE"].map { URL(fileURLWithPath: $0) },
            projectRoot.deletingLastPathComponent().appendingPathComponent("shared/conformance"),
        ]
        return candidates.compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    package static let absenceReason = "the conformance folder is absent (set ADTOP_CONFORMANCE to run these)"

    /// The files of a folder by name, as bytes; empty when the vectors are not here.
    package static func files(in path: String) -> [String: [UInt8]] {
        guard let folder = url?.appendingPathComponent(path) else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: names(in: path).compactMap { name in
                // A subfolder has no bytes.
                (try? Data(contentsOf: folder.appendingPathComponent(name))).map { (name, Array($0)) }
            })
    }

    /// The sorted names of a folder's entries; empty when the vectors are not here.
    package static func names(in path: String) -> [String] {
        guard let folder = url?.appendingPathComponent(path) else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// The folder of Package.swift.
    package static let projectRoot: URL = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        while folder.path != "/",
            !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Makefile").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()
}
