/// Many sessions as their table shows them.
package struct SessionsView: Sendable, Equatable {
    /// In the order of the user's list.
    package var sessions: [SessionHealth]
    /// What all of them have logged, in the order in which it came.
    package var log: LogView

    package init(_ sessions: [SessionHealth], log: LogView = LogView(capacity: 1)) {
        self.sessions = sessions
        self.log = log
    }
}
