import Ports

/// One thing that a vector says about the code.
struct VectorCase: Sendable, CustomStringConvertible {
    /// The documented schema or layout, e.g. `adtop-hls-golden/1`.
    let kind: String
    /// The file that says it, as a path that can be opened.
    let file: String
    /// Which of the file's cases it is; nil when it is the only one.
    let name: String?
    /// Runs the code and compares.
    private let check: @Sendable () throws(VectorProblem) -> [Difference]

    init(
        kind: String, file: String, name: String? = nil,
        check: @escaping @Sendable () throws(VectorProblem) -> [Difference]
    ) {
        self.kind = kind
        self.file = file
        self.name = name
        self.check = check
    }

    /// What exceptions and lists call it.
    var id: String { name.map { "\(file)#\($0)" } ?? file }

    var description: String { id }

    /// Where the code departs from the vector; empty when it does as the vector says.
    func differences() -> [Difference] {
        do throws(VectorProblem) {
            return try check()
        } catch {
            return [error.difference]
        }
    }
}

/// What one kind of vectors makes of a file: the cases in it, and the files that they read.
struct VectorClaim: Sendable {
    var cases: [VectorCase]
    /// Names in the same folder, the file itself included, and paths below it.
    var files: Set<String>
    /// Members of the document that the schema does not have: nobody checks what they say, and that is said.
    var unknownMembers: [String] = []
}

/// A documented kind of vectors.
struct VectorKind: Sendable {
    /// The schema, or the layout where a file names none.
    let name: String
    /// The claim on a JSON document of a folder; nil when it is of another kind.
    let claim: @Sendable (VectorDocument, VectorFolder) -> VectorClaim?

    /// Every kind this program runs. The first that claims a document has it.
    static let all: [VectorKind] = [
        .sequence, .playlist, .bench, .schedule, .splice, .parserSurvey,
        .scenario, .document, .macros, .adTimeline, .mediaSelection, .generatedDocuments, .manifest,
        .cacheStore, .qualitySelection, .mediaMapping, .zoneCache, .loopback,
        .adState, .nativeCase, .rewardedCase,
        .auction, .priceBuckets, .targetingKeys, .prebidAnswers, .auctionMacros, .currencies, .keywordMatches,
        .amazonAnswers, .requests,
    ]
}

/// A JSON file of a folder.
struct VectorDocument: Sendable {
    /// Its name in the folder.
    let file: String
    let root: VectorNode

    var schema: String? { root.value["schema"]?.stringValue }
}
