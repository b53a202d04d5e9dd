import Ports

/// One case of a vector.
struct VectorCase: Sendable, CustomStringConvertible {
    /// What a case without differences shows.
    enum Evidence: Sendable {
        /// The code computes the expected values; the case counts as passed.
        case values
        /// Files exist, have their hash, or can be read. No value of the code was compared, so the case does not count
        /// as passed.
        case files
    }

    /// The documented schema or layout, e.g. `adtop-hls-golden/1`.
    let kind: String
    /// The file of the case, as a path that can be opened.
    let file: String
    /// Name of the case within the file; nil when it is the only one.
    let name: String?
    /// What a case without differences shows.
    let evidence: Evidence
    /// Runs the code and compares.
    private let check: @Sendable () throws(VectorProblem) -> [Difference]

    init(
        kind: String, file: String, name: String? = nil, evidence: Evidence = .values,
        check: @escaping @Sendable () throws(VectorProblem) -> [Difference]
    ) {
        self.kind = kind
        self.file = file
        self.name = name
        self.evidence = evidence
        self.check = check
    }

    /// The id of the case in exceptions and lists.
    var id: String { name.map { "\(file)#\($0)" } ?? file }

    var description: String { id }

    /// The differences from the vector; empty when the case passes.
    func differences() -> [Difference] {
        do throws(VectorProblem) {
            return try check()
        } catch {
            return [error.difference]
        }
    }
}

/// The cases that one kind finds in a file, and the files that they read.
struct VectorClaim: Sendable {
    var cases: [VectorCase]
    /// Names in the same folder, the file itself included, and paths below it.
    var files: Set<String>
    /// Cases that this program cannot run, each with its reason.
    var skipped: [VectorSearch.Skipped] = []
}

/// A JSON file of a folder.
struct VectorDocument: Sendable {
    /// File name in the folder.
    let file: String
    let root: VectorNode

    var schema: String? { root.value["schema"]?.stringValue }
}
