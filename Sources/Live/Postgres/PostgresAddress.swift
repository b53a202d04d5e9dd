import CPostgres
package import Fleet
import Ports

/// The address of a store as a user writes it: a URL of PostgreSQL, or `service=NAME` for an entry of the service file. It holds no
/// password, because everybody on a machine can read the arguments of a process.
package struct PostgresAddress: Hashable, Sendable {
    /// Whether libpq is installed; it is loaded for this.
    package static var isLibraryThere: Bool { adtop_pq_load() != 0 }

    /// As it was given.
    package let text: String
    /// The name of the entry in the service file; nil for a URL.
    package let service: String?

    /// Checks the form with libpq's own parser; nothing is resolved or connected.
    package init(_ text: String) throws(StoreProblem) {
        service = text.hasPrefix("service=") ? String(text.dropFirst("service=".count)) : nil
        self.text = text
        guard service.map(Self.isName) ?? Self.isURL(text) else { throw .wrongAddress(Self.shown(text)) }
        guard Self.isLibraryThere else { throw .noLibrary }
        guard let list = adtop_pq_parse(text) else { throw .wrongAddress(Self.shown(text)) }
        let settings = PostgresSettings(taking: list)
        guard settings["password"] == nil, settings["sslpassword"] == nil else { throw .passwordInAddress }
    }

    private static func isURL(_ text: String) -> Bool {
        ["postgres://", "postgresql://"].contains { text.hasPrefix($0) } && !text.utf8.contains(0)
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.contains { $0.isWhitespace || "'\\=".contains($0) || $0 == "\0" }
    }

    /// For errors: without what may be a password.
    private static func shown(_ text: String) -> String {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] }
        guard rest != nil else {
            let at = text.utf8.lastIndex(of: UInt8(ascii: "@"))
            let words = (at.map { Redaction.mask + text[$0...] } ?? text).split(separator: " ")
            return words.map { $0.lowercased().contains("password") ? Redaction.mask : String($0) }
                .joined(separator: " ")
        }
        var reference = URIReference(Redaction.url(text))
        if reference.query?.lowercased().contains("password") == true { reference.query = Substring(Redaction.mask) }
        return reference.text
    }
}
