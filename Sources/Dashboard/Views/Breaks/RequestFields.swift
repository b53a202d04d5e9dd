import Ports
import Session

/// The header fields of a beacon's request: the program's own, and what the user gave for the host. Those given for the stream never
/// go to a tracker.
enum RequestFields {
    /// Each as `Name: value`; values that the user gave are masked.
    static func all(of url: URLView, _ session: SessionView) -> [String] {
        let given = given(for: url, session)
        let names = Set(given.map(name(of:)))
        // What is given takes the place of the program's own.
        let own = session.beaconFields.filter { !names.contains($0.name.lowercased()) }
        return own.map { "\($0.name): \($0.value)" } + given
    }

    /// Those that the user gave alone.
    static func given(for url: URLView, _ session: SessionView) -> [String] {
        // A text that is no URL is never requested.
        guard !session.additions.isEmpty, let target = try? WebURL(written: url.requested ?? url.url) else { return [] }
        return session.additions.compactMap { addition in
            guard case .host(let pattern) = addition.scope, pattern.matches(target) else { return nil }
            return addition.text
        }
    }

    private static func name(of field: String) -> String { field.prefix { $0 != ":" && $0 != ";" }.lowercased() }
}
