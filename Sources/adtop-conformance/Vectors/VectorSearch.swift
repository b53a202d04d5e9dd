import Foundation
import Live
import Ports

/// Finds the vectors below a path.
struct VectorSearch: Sendable {
    /// Deepest nesting of folders; a deeper one is a loop of links.
    static let maximumDepth = 16

    /// A file, or a member of a file, without a case.
    struct Skipped: Hashable, Sendable {
        /// The path, with `#` and the name for a member.
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
        let claims = Self.claims(in: folder)
        take(claims)
        let taken = claims.reduce(claimed) { $0.union($1.files) }
        skip(Set(folder.files).subtracting(taken), of: folder)
        for name in folder.folders {
            if depth < Self.maximumDepth {
                let below = taken.filter { $0.hasPrefix("\(name)/") }.map { String($0.dropFirst(name.count + 1)) }
                try add(folder: "\(path)/\(name)", depth: depth + 1, claimed: Set(below))
            } else {
                skipped.append(Skipped(file: "\(path)/\(name)", reason: "folder nested too deeply"))
            }
        }
    }

    private mutating func add(file path: String) throws(FileProblem) {
        let url = URL(fileURLWithPath: path)
        let slash = path.lastIndex(of: "/")
        let folder = try VectorFolder(slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
        let claims = Self.claims(in: folder).filter { $0.files.contains(url.lastPathComponent) }
        take(claims)
        if claims.isEmpty { skip([url.lastPathComponent], of: folder) }
    }

    private mutating func take(_ claims: [VectorClaim]) {
        for claim in claims {
            cases += claim.cases
            guard let file = claim.cases.first?.file else { continue }
            skipped += claim.unknownMembers.map {
                Skipped(file: "\(file)#\($0)", reason: "not a member of the schema, not checked")
            }
        }
    }

    private static func claims(in folder: VectorFolder) -> [VectorClaim] {
        let subjects = Set(folder.files.compactMap(folder.subject))
        // A subject may itself be JSON, but it is not a vector.
        return folder.files.filter { $0.hasSuffix(".json") && !subjects.contains($0) }.compactMap { file in
            do throws(VectorProblem) {
                let document = try folder.document(file)
                return VectorKind.all.lazy.compactMap { $0.claim(document, folder) }.first
            } catch {
                guard file.hasSuffix(VectorFolder.expectedSuffix) else { return nil }
                // An expected result that cannot be read must not count as missing.
                let difference = error.difference
                return folder.claim(VectorDocument(file: file, root: VectorNode(.null)), kind: "unreadable") {
                    [difference]
                }
            }
        }
    }

    private mutating func skip(_ files: Set<String>, of folder: VectorFolder) {
        skipped += files.sorted().map { Skipped(file: folder.place(of: $0), reason: Self.reason(for: $0, in: folder)) }
    }

    private static func reason(for file: String, in folder: VectorFolder) -> String {
        if file.hasSuffix(".md") || !file.contains(".") { return "documentation" }
        guard file.hasSuffix(".json") else { return "no expected result in the same folder" }
        do throws(VectorProblem) {
            let document = try folder.document(file)
            return document.schema.map { "schema \($0) is not supported" } ?? "no documented layout"
        } catch {
            return error.message
        }
    }
}
