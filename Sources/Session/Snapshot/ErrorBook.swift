package import Ports

/// The three kinds of error of the reference library (TRK-21), and a recording that failed.
package enum ErrorKind: String, Sendable, CaseIterable, Codable {
    case network, metadata, beacon, recording
}

package struct ErrorView: Sendable, Equatable {
    package var kind: ErrorKind
    package var at: Moment
    package var message: String
}

/// The newest error of each kind, as in the reference library (TRK-21), and the newest of all.
package struct ErrorBook: Sendable, Equatable {
    package private(set) var byKind: [ErrorKind: ErrorView] = [:]
    package private(set) var latest: ErrorView?

    package init() {}

    /// Keeps an error as the newest of its kind and of all.
    package mutating func note(_ kind: ErrorKind, _ message: String, at moment: Moment) {
        let error = ErrorView(kind: kind, at: moment, message: message)
        byKind[kind] = error
        latest = error
    }
}
