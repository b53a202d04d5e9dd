import Ports

/// The newest error of each kind.
struct ErrorBook {
    private(set) var byKind: [ErrorKind: ErrorView] = [:]
    private(set) var latest: ErrorView?

    mutating func note(_ kind: ErrorKind, _ message: String, at moment: Moment) {
        let error = ErrorView(kind: kind, at: moment, message: message)
        byKind[kind] = error
        latest = error
    }
}
