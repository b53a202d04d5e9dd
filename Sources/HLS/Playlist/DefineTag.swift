import Ports

/// EXT-X-DEFINE (rfc8216bis-22 section 4.4.2.3): any error in it makes the playlist invalid.
struct DefineTag {
    /// Variables of the multivariant playlist.
    let importable: [String: String]
    /// Query parameters of the playlist's own URI.
    let query: QueryItems
    /// Line of the first IMPORT, which a multivariant playlist must not have.
    private(set) var importLine: Int?
    /// Name of an IMPORT that is not defined, which makes the playlist invalid.
    private(set) var missingImport: String?

    init(importable: [String: String], uri: String) {
        self.importable = importable
        query = QueryItems(URIReference(uri).query.map(String.init))
    }

    /// Defines one variable, or rejects the playlist.
    mutating func read(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value) else { return }
        context.versions.note("EXT-X-DEFINE", needs: 8, line: context.line)
        let sources = (["NAME", "IMPORT", "QUERYPARAM"] as [StaticString]).compactMap { name in
            list[name].map { (name, $0.value) }
        }
        guard sources.count == 1, let (kind, name) = sources.first else {
            context.refuse(.defineInvalid, "exactly one of NAME, IMPORT and QUERYPARAM is required")
            return
        }
        guard VariableTable.isName(name) else {
            context.refuse(.defineInvalid, "'\(name.excerpt)' is not a variable name")
            return
        }
        guard context.variables.definitions.count < PlaylistLimits.definitions else {
            context.report(.limitReached, "more than \(PlaylistLimits.definitions) variables; the rest is not read")
            return
        }
        guard let text = definition(kind.description, name.string, list: list, context: &context) else { return }
        if !context.variables.define(name.string, as: text) {
            context.refuse(.defineDuplicate, "\(name.excerpt) is defined twice")
        }
    }

    private mutating func definition(
        _ kind: String, _ name: String, list: AttributeList, context: inout ParseContext
    ) -> String? {
        switch kind {
        case "NAME":
            guard let value = list["VALUE"] else {
                context.refuse(.defineInvalid, "NAME=\(name) without VALUE")
                return nil
            }
            return context.string(value)
        case "IMPORT":
            if importLine == nil { importLine = context.line }
            guard let value = importable[name] else {
                missingImport = name
                return nil
            }
            return value
        default:
            context.versions.note("QUERYPARAM", needs: 11, line: context.line)
            guard let value = query[name], !value.isEmpty else {
                context.refuse(.defineQueryParameterMissing, "the playlist URI has no query parameter \(name)")
                return nil
            }
            return value.percentDecoded ?? value
        }
    }
}
