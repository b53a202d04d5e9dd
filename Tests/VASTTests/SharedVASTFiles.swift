import Foundation
import TestSupport

/// The files in the shared `vast` folder, for tests that use all of them; adtop-conformance checks the vectors
/// themselves.
enum SharedVASTFiles {
    /// Empty when the folder is absent.
    static func ending(with ending: String) -> [URL] {
        guard let folder = ConformanceFolder.url?.appendingPathComponent("vast"),
            let files = FileManager.default.enumerator(atPath: folder.path)
        else { return [] }
        let names = files.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }
        return names.sorted().map { folder.appendingPathComponent($0) }
    }
}
