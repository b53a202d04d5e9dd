/// Gets the log lines of one session as they come, beside the log that the session keeps for its screen. Must return
/// soon: it is called where the session decides.
package protocol SessionLogSink: Sendable {
    func append(_ entry: LogEntry)
}
