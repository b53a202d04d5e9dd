package import Ports

/// Checks a document against the rules of `LintRule` (VAST-26): everything from well-formedness to single URLs.
struct Linter {
    let tree: XMLTree
    let reader: DocumentReader
    /// The declared version, or the newest when none is declared, so that no feature is too new. In VMAP, the version
    /// of the VAST document being checked.
    var version: VASTVersion
    private var kept = KeptFindings()
    private var paths: ElementPaths
    /// Whether an element or attribute of the last checked document is newer than ``version``.
    var usesNewerVersion = false

    /// The findings in the order in which they were reported.
    var findings: [Finding] { kept.all }

    init(tree: XMLTree, version: VASTVersion?) {
        self.tree = tree
        paths = ElementPaths(tree)
        reader = DocumentReader(tree: tree)
        self.version = version ?? .v43
    }

    mutating func report(_ rule: LintRule, _ message: String, at node: XMLTree.Index, severity: Severity? = nil) {
        guard kept.hasRoom(for: rule, severity ?? rule.severity) else { return }
        kept.append(
            rule.finding(message, at: tree.position(node), path: paths.path(of: node), severity: severity), of: rule)
    }

    /// All children with that name.
    func all(_ name: ElementName, in node: XMLTree.Index) -> [XMLTree.Index] {
        tree.children(node).filter { tree.element($0) == name }
    }
}

extension VASTReading {
    /// All findings; those with a position are in document order.
    package func findings() -> [Finding] {
        var findings = xmlFindings
        guard let tree = xml.tree else { return findings }
        var linter = Linter(tree: tree, version: vast?.versionNumber)
        linter.checkTexts()
        switch content {
        case .vast(let document) where document.legacyAds != nil:
            linter.report(.vast1, "The document is VAST 1.0; players reject it with error 102.", at: XMLTree.root)
        case .vast(let document):
            linter.checkStructure(from: XMLTree.root)
            linter.checkVAST(document, at: XMLTree.root)
            linter.checkURLs(from: XMLTree.root)
        case .vmap(let document):
            linter.checkVMAP(document)
        case nil:
            linter.report(
                .rootNotVast, "The root is <\(tree.name(XMLTree.root))>, not VAST or VMAP.", at: XMLTree.root)
        }
        findings += linter.findings
        var paths = ElementPaths(tree)
        for entry in embedded {
            let holder = paths.path(of: entry.holder)
            for finding in entry.reading.findings() {
                var moved = finding
                // Lines of the embedded document count from its own start; the finding gets the line of the element
                // that contains it.
                moved.line = Int(tree.position(entry.holder).line)
                moved.column = Int(tree.position(entry.holder).column)
                moved.path = "\(holder)//\(finding.path ?? "")"
                findings.append(moved)
            }
        }
        return findings.sortedByPlace()
    }

    /// The findings about the XML itself.
    private var xmlFindings: [Finding] {
        var findings: [Finding] = []
        if let problem = xml.problem {
            let rule = problem.rule
            findings.append(rule.finding("The document \(problem.message).", at: problem.position))
        }
        if xml.hasLeadingSpace {
            findings.append(
                LintRule.leadingWhitespace.finding(
                    "White space precedes the document; strict parsers reject it.", at: .start))
        }
        if xml.hasDoctype, xml.problem?.kind != .entities {
            findings.append(
                LintRule.doctypePresent.finding("The document has a DOCTYPE, which is ignored.", at: .start))
        }
        if xml.text.isMismatch, let declared = xml.text.declared {
            let message = "The declared encoding is \(declared); the bytes are \(xml.text.encoding.rawValue)."
            findings.append(LintRule.encodingMismatch.finding(message, at: .start))
        }
        return findings
    }
}

extension XMLProblem {
    /// The rule that the problem violates.
    fileprivate var rule: LintRule {
        switch kind {
        case .empty: .emptyResponse
        case .encoding: .encodingInvalid
        case .notWellFormed: .notWellFormed
        case .contentAfterRoot: .contentAfterRoot
        case .entities: .doctypeWithEntities
        case .limit(.depth): .nestingTooDeep
        case .limit: .limitExceeded
        }
    }
}

extension [Finding] {
    /// Sorted by line and column; findings at one place keep their order.
    fileprivate func sortedByPlace() -> [Finding] {
        enumerated().sorted {
            ($0.element.line ?? 0, $0.element.column ?? 0, $0.offset)
                < ($1.element.line ?? 0, $1.element.column ?? 0, $1.offset)
        }.map(\.element)
    }
}
