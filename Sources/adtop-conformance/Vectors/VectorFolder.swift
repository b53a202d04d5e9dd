import Foundation
import Live
import Locks
import Ports

/// The files of one folder that may hold vectors.
struct VectorFolder: Sendable {
    /// Longest file that is read, in bytes. It exceeds every limit of the parsers, so that their limits apply.
    static let maximumFileBytes = 64 << 20
    /// End of the name of an expected result.
    static let expectedSuffix = ".expected.json"

    let path: String
    /// Names of files, sorted, without hidden ones.
    let files: [String]
    /// Names of folders, sorted, without hidden ones.
    let folders: [String]
    private let results = Locked<[String: any Sendable]>([:])
    /// Documents that are read in place of files.
    private var replaced: [String: JSONValue] = [:]

    /// Lists `path`.
    init(_ path: String) throws(FileProblem) {
        self.path = path
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw FileProblem(path: path, reason: .malformed("cannot be listed"))
        }
        let visible = names.filter { !$0.hasPrefix(".") }
        folders = visible.filter { Self.isFolder("\(path)/\($0)") }
        files = visible.filter { !Self.isFolder("\(path)/\($0)") }
    }

    /// The folder with another document in place of a file; the rest is the same, shared results included.
    func replacing(_ file: String, with document: JSONValue) -> VectorFolder {
        var folder = self
        folder.replaced[file] = document
        return folder
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The path of a file for printing and opening.
    func place(of file: String) -> String { "\(path)/\(file)" }

    /// The content of one of `files`; a vector cannot name any other file.
    func bytes(of file: String) throws(VectorProblem) -> [UInt8] {
        guard files.contains(file) else {
            throw VectorProblem(path: "$", message: "no file '\(file)' in the same folder")
        }
        do throws(FileProblem) {
            return try FileText.read(place(of: file), maximumBytes: Self.maximumFileBytes)
        } catch {
            throw VectorProblem(path: "$", message: "\(error)")
        }
    }

    /// The content of a file below the folder, by its path.
    func bytes(at path: String) throws(VectorProblem) -> [UInt8] {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var place = self
        for step in steps.dropLast() {
            guard place.folders.contains(step), let next = try? VectorFolder(place.place(of: step)) else {
                throw VectorProblem(path: "$", message: "no file '\(path)' below the folder")
            }
            place = next
        }
        return try place.bytes(of: steps.last ?? "")
    }

    /// The result of `make` for the first case that asks for `key`; later ones receive the same value. For results that
    /// cost much and depend on the key alone.
    func shared<Result: Sendable>(
        _ key: String, make: () throws(VectorProblem) -> Result
    ) throws(VectorProblem) -> Result {
        if let known = results.withLock({ $0[key] }), let result = known as? Result { return result }
        let result = try make()
        results.withLock { $0[key] = result }
        return result
    }

    /// One of `files` as JSON.
    func document(_ file: String) throws(VectorProblem) -> VectorDocument {
        if let root = replaced[file] { return VectorDocument(file: file, root: VectorNode(root)) }
        let bytes = try bytes(of: file)
        do throws(JSONProblem) {
            return VectorDocument(file: file, root: VectorNode(try JSONReader.read(bytes)))
        } catch {
            throw VectorProblem(path: "$", message: "not JSON: \(error.message) at \(error.line):\(error.column)")
        }
    }

    /// The subject of `expected` (`NAME.expected.json`): the file `NAME`, else `NAME` with any extension.
    func subject(of expected: String) -> String? {
        guard expected.hasSuffix(Self.expectedSuffix) else { return nil }
        let name = String(expected.dropLast(Self.expectedSuffix.count))
        if files.contains(name) { return name }
        return files.first { file in
            guard file.hasPrefix("\(name)."), !file.hasSuffix(Self.expectedSuffix) else { return false }
            return !file.dropFirst(name.count + 1).contains(".")
        }
    }

    /// The subject of `document`; a vector without one is unusable.
    func subjectBytes(of document: VectorDocument) throws(VectorProblem) -> [UInt8] {
        guard let subject = subject(of: document.file) else {
            throw VectorProblem(path: "$", message: "its subject is not in the same folder")
        }
        return try bytes(of: subject)
    }

    /// The claim of a document with the expected result of its subject.
    func claim(
        _ document: VectorDocument, kind: String, evidence: VectorCase.Evidence = .values,
        check: @escaping @Sendable () throws(VectorProblem) -> [Difference]
    ) -> VectorClaim {
        let files = [document.file, subject(of: document.file)].compactMap { $0 }
        let vector = VectorCase(kind: kind, file: place(of: document.file), evidence: evidence, check: check)
        return VectorClaim(cases: [vector], files: Set(files))
    }

    /// The case of a file that cannot be run; it fails with the reason.
    func unusable(_ file: String, _ reason: String) -> VectorCase {
        let problem = VectorProblem(path: "$", message: reason)
        return VectorCase(kind: "unusable", file: place(of: file)) { () throws(VectorProblem) in throw problem }
    }

    /// The claim of a document that lists its cases under `member`; `check` receives each case. `suffix` is appended to
    /// their names when one document is run in several ways.
    func claim(
        _ document: VectorDocument, kind: String, evidence: VectorCase.Evidence = .values, casesIn member: String,
        suffix: String = "",
        check: @escaping @Sendable (VectorNode) throws(VectorProblem) -> [Difference]
    ) -> VectorClaim {
        let list = document.root.value[member]?.arrayValue ?? []
        guard !list.isEmpty else {
            let problem = VectorProblem(path: "$.\(member)", message: "no cases")
            return claim(document, kind: kind) { () throws(VectorProblem) in throw problem }
        }
        let cases = list.enumerated().map { index, value in
            let node = VectorNode(value, path: "$.\(member)[\(index)]")
            let name = (value["name"] ?? value["id"])?.stringValue ?? "\(member)[\(index)]"
            return VectorCase(
                kind: kind, file: place(of: document.file), name: name + suffix, evidence: evidence
            ) { () throws(VectorProblem) in
                try check(node)
            }
        }
        return VectorClaim(cases: cases, files: [document.file])
    }
}
