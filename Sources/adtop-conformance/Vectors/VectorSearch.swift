import Foundation
import Live
import Ports

/// Finds the vectors below a path.
struct VectorSearch: Sendable {
    /// Deepest nesting of folders; a deeper one is a loop of links.
    static let maximumDepth = 16

    /// A file without a case, or a case that is not run.
    struct Skipped: Hashable, Sendable {
        var file: String
        /// The reason, one clause.
        var reason: String
    }

    private(set) var cases: [VectorCase] = []
    private(set) var skipped: [Skipped] = []

    /// The vectors in the folder `path` and below, or those of the file `path`.
    mutating func add(_ path: String) throws(FileProblem) {
        let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard FileManager.default.fileExists(atPath: trimmed) else {
            throw FileProblem(path: path, reason: .missing)
        }
        if VectorFolder.isFolder(trimmed) {
            try add(folder: trimmed, depth: 0, claimed: [])
        } else {
            try add(file: trimmed)
        }
    }

    /// `claimed` holds the files that documents of a parent folder read, as paths relative to this folder.
    private mutating func add(folder path: String, depth: Int, claimed: Set<String>) throws(FileProblem) {
        let folder = try VectorFolder(path)
        let claims = Self.claims(in: folder, except: claimed)
        cases += claims.flatMap(\.cases)
        skipped += claims.flatMap(\.skipped)
        let taken = claims.reduce(claimed) { $0.union($1.files) }
        judge(Set(folder.files).subtracting(taken), of: folder)
        for name in folder.folders {
            if depth < Self.maximumDepth {
                let below = taken.filter { $0.hasPrefix("\(name)/") }.map { String($0.dropFirst(name.count + 1)) }
                try add(folder: "\(path)/\(name)", depth: depth + 1, claimed: Set(below))
            } else {
                cases.append(folder.unusable(name, "folder nested too deeply"))
            }
        }
    }

    private mutating func add(file path: String) throws(FileProblem) {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let slash = path.lastIndex(of: "/")
        let folder = try VectorFolder(slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
        let claims = Self.claims(in: folder, except: []).filter { $0.files.contains(name) }
        cases += claims.flatMap(\.cases)
        skipped += claims.flatMap(\.skipped)
        if claims.isEmpty { judge([name], of: folder) }
    }

    /// The claims on the documents of a folder; a document that no kind claims has none.
    private static func claims(in folder: VectorFolder, except claimed: Set<String>) -> [VectorClaim] {
        let subjects = Set(folder.files.compactMap(folder.subject))
        // A subject may itself be JSON, but it is not a vector.
        return folder.files.filter { $0.hasSuffix(".json") && !subjects.contains($0) && !claimed.contains($0) }
            .compactMap { file in
                // The reason is read again for a file that remains unclaimed.
                (try? folder.document(file)).flatMap { claim(on: $0, in: folder) }
            }
    }

    /// The claim of the first kind that knows the document; nil when none does.
    static func claim(on document: VectorDocument, in folder: VectorFolder) -> VectorClaim? {
        VectorKind.all.lazy.compactMap { $0.claim(document, folder) }.first
    }

    /// Files that nothing claims: one that could hold or need a vector fails, because a vector with a damaged schema or
    /// without its expected result would be lost without notice; any other one is skipped.
    private mutating func judge(_ files: Set<String>, of folder: VectorFolder) {
        // A damaged expected result fails once, not again for its subject.
        for file in files.subtracting(files.compactMap(folder.subject)).sorted() {
            if file.hasSuffix(".json") {
                cases.append(folder.unusable(file, Self.reason(for: file, in: folder)))
            } else if Self.subjectExtensions.contains(where: { file.lowercased().hasSuffix(".\($0)") }) {
                cases.append(folder.unusable(file, "no expected result in the same folder"))
            } else {
                let isText = file.hasSuffix(".md") || !file.contains(".")
                skipped.append(
                    Skipped(file: folder.place(of: file), reason: isText ? "documentation" : "not a vector"))
            }
        }
    }

    /// Files that only exist in a folder of vectors to be parsed.
    private static let subjectExtensions = ["m3u8", "m3u", "mpd", "xml", "vast", "vmap"]

    private static func reason(for file: String, in folder: VectorFolder) -> String {
        do throws(VectorProblem) {
            let document = try folder.document(file)
            return document.schema.map { "schema \($0) is not supported" } ?? "no documented layout"
        } catch {
            return error.message
        }
    }
}
