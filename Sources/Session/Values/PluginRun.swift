/// One run of a plugin's process: a plugin that ended is started again under the next number.
package struct PluginRun: Sendable, Hashable {
    /// The plugin's identifier from its manifest.
    package var identifier: String
    /// Number of the run, from 1.
    package var number: Int

    package init(_ identifier: String, _ number: Int) {
        self.identifier = identifier
        self.number = number
    }
}

/// A report about a plugin's process.
package enum PluginNews: Sendable, Hashable {
    case started
    /// The process did not start; the reason is a clause.
    case notStarted(String)
    /// Bytes of its standard output: whole lines, unless a line exceeds the limit.
    case output([UInt8])
    /// Bytes of its standard error, in the same form.
    case complaint([UInt8])
    /// The process does not read its standard input.
    case deaf
    /// The last report; a clause describes how the process ended.
    case exited(String)
}
