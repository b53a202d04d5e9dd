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
