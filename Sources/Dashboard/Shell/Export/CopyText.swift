import Ports
import Screen
import Session

/// Text for the clipboard, quoted so that pasting it into a shell never runs outside text.
package enum CopyText {
    /// A URL with everything outside U+0021–U+007E percent-encoded: a line end pasted into a shell would run a command.
    package static func url(_ text: String) -> String {
        text.percentEncoded { $0 > 0x20 && $0 < 0x7F }
    }

    /// The request as a curl command, the URL in single quotes for any POSIX shell.
    package static func curl(_ text: String) -> String {
        // A URL that starts with a dash would be read as an option, and curl expands [] and {} unless globbing is off.
        "curl --globoff --include --url " + TerminalSequence.shellQuoted(url(text))
    }
}

extension CopyText {
    /// A request of the opening as a curl command that people may pass on: what the user gave is `***`, and so are secrets of
    /// the URL and of a body.
    /// - Parameter typed: the URL that the user typed, whose origin gets credentials.
    static func curl(
        _ request: OpeningView.Request, typed: String, adding additions: [RequestAddition]
    ) -> String {
        var words = ["curl --globoff --include"]
        if request.method != .get { words.append("--request \(request.method.rawValue)") }
        let given = additions.filter { applies($0, to: request.url, typed) }.map(\.text)
        let names = Set(given.map(name(ofField:)))
        let own = request.fields.filter { !names.contains($0.name.lowercased()) }.map { "\($0.name): \(shown($0))" }
        words += (own + given).map { "--header " + TerminalSequence.shellQuoted(printable($0)) }
        if !request.body.isEmpty {
            words.append("--data-raw " + TerminalSequence.shellQuoted(printable(body(request))))
        }
        words.append("--url " + TerminalSequence.shellQuoted(url(Redaction.url(request.url))))
        return words.joined(separator: " ")
    }

    private static func applies(_ addition: RequestAddition, to url: String, _ typed: String) -> Bool {
        // A text that is no URL is never requested.
        guard let target = try? WebURL(url) else { return false }
        return switch addition.scope {
        case .stream: true
        case .typed: (try? WebURL(typed))?.origin == target.origin
        case .host(let pattern): pattern.matches(target)
        // The jar is a file, and the proxy has a login of its own.
        case .cookies, .proxy: false
        }
    }

    private static func name(ofField text: String) -> String { text.prefix { $0 != ":" && $0 != ";" }.lowercased() }

    /// Fields whose values say nothing about the viewer.
    private static let open: Set<String> = ["user-agent", "accept", "content-type"]

    private static func shown(_ field: HTTPField) -> String {
        open.contains(field.name.lowercased()) ? field.value : Redaction.mask
    }

    /// A form with its secrets masked; any other body is masked as a whole.
    private static func body(_ request: OpeningView.Request) -> String {
        let type = request.fields.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") else { return Redaction.mask }
        return String(Redaction.url("?" + String(decoding: request.body, as: UTF8.self)).dropFirst())
    }

    /// Only characters that do nothing in a terminal into which the command is pasted.
    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? $0 : "?" }))
    }
}
