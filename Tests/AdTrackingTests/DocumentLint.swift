import Ports

@testable import AdTracking

/// The lint of a document alone, without earlier ones.
enum DocumentLint {
    static func findings(in document: DecodedMetadata, _ context: LintContext) -> [Finding] {
        var memory = DocumentLintMemory()
        return memory.findings(in: document, context)
    }
}
