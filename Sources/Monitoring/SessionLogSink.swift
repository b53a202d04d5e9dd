/// Receives the log lines of one session, in addition to the log that the session keeps for its screen. Must return
/// quickly: it is called where the session decides.
package protocol SessionLogSink: Sendable {
    func append(_ entry: LogEntry)
}
