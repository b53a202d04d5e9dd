import Ports

/// An error that the server sent: its fields that are not translated, and its words.
package struct ServerError: Hashable, Sendable {
    /// SQLSTATE: five letters and digits (PostgreSQL documentation, appendix A).
    package var state: String
    package var words: String
    /// JSON in the errors of the fleet's own functions.
    package var detail: String?

    package init(state: String, words: String, detail: String? = nil) {
        self.state = state
        self.words = words
        self.detail = detail
    }
}

/// Where a connection leads, for sentences.
package struct StorePlace: Hashable, Sendable {
    /// `db.example.com:5432`, or the path of a socket.
    package var server: String
    package var host: String
    package var user: String
    package var database: String

    package init(server: String, host: String, user: String, database: String) {
        self.server = server
        self.host = host
        self.user = user
        self.database = database
    }
}

extension StoreProblem {
    /// What an error of the server means to a connection that was opened for a task.
    package init(_ error: ServerError, at place: StorePlace, for task: StoreTask) {
        switch error.state {
        case "28P01": self = .passwordRejected(user: place.user)
        case "28000": self = .notAdmitted(user: place.user)
        case "3D000": self = .noDatabase(place.database)
        case "42501": self = .noRights(user: place.user, task: task)
        // Schema, function, table and type that do not exist.
        case "3F000", "42883", "42P01", "42704": self = .noFleet(database: place.database)
        case "53100": self = .diskFull
        case "53300": self = .noSlots(nil)
        case "25006", "57P01", "57P02", "57P03": self = .away(state: error.state)
        case let state where state.hasPrefix("TF"): self = Self.ofFleet(error)
        default: self = .failed(state: error.state, words: Self.line(error.words))
        }
    }

    /// The errors of the fleet's own functions; what they are about is in their detail.
    private static func ofFleet(_ error: ServerError) -> StoreProblem {
        // A detail that is not JSON leaves the words, which are enough for a person.
        let detail = error.detail.flatMap { try? JSONReader.read($0) }?.objectValue
        func text(_ name: String) -> String? { detail?[name]?.stringValue }
        func number(_ name: String) -> Int? { detail?[name]?.integerValue.flatMap(Int.init(exactly:)) }
        switch error.state {
        case "TF001": return .fenced
        case "TF003":
            guard let lowest = number("lowest"), let highest = number("highest") else { break }
            return .protocolNotAdmitted(ProtocolRange(lowest: lowest, highest: highest))
        case "TF004": return .notDurable
        case "TF005": return .observing
        case "TF006":
            guard let name = text("name"), let place = text("place"), let pid = number("pid") else { break }
            return .nameInUse(name: name, place: place, pid: pid)
        case "TF007":
            guard let timeline = text("timeline"), let known = text("known") else { break }
            return .otherServer(timeline: timeline, known: known)
        default: break
        }
        return .failed(state: error.state, words: line(error.words))
    }

    /// Longest words of the server in a sentence.
    private static let longestWords = 300

    /// Words on one line, without secrets of URLs: a message may repeat a value that was stored.
    package static func line(_ words: String) -> String {
        let lines = words.split(whereSeparator: \.isNewline).joined(separator: " ")
        return Redaction.text(String(lines.prefix(longestWords)))
    }
}
