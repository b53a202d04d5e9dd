/// Many sessions in the form of their table.
package struct SessionsView: Sendable, Equatable {
    /// Sessions in the order of the user's list.
    package var sessions: [SessionHealth]
    /// Log of all sessions in order of arrival.
    package var log: LogView

    package init(_ sessions: [SessionHealth], log: LogView = LogView(capacity: 1)) {
        self.sessions = sessions
        self.log = log
    }
}
