import Ports

/// Reads `NAME=VALUE` flags.
enum NameValue {
    /// The pairs of a repeatable flag; when a name repeats, its last value counts.
    static func pairs(_ texts: [String], flag: String) throws(CommandFailure) -> [String: String] {
        var values: [String: String] = [:]
        for text in texts {
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw CommandFailure(.usage, "\(flag): '\(text)' is not NAME=VALUE")
            }
            values[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        return values
    }
}

/// Reads durations of flags.
enum DurationFlag {
    /// At least one millisecond.
    static func positive(_ text: String, flag: String) throws(CommandFailure) -> Duration {
        let span = try read(text, flag: flag)
        guard span >= .milliseconds(1) else { throw CommandFailure(.usage, "\(flag): '\(text)' is not at least 1ms") }
        return span
    }

    /// `4s`, `1h30m` or `HH:MM:SS`, not negative.
    static func position(_ text: String, flag: String) throws(CommandFailure) -> Duration {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let span = try read(parts.count == 3 ? "\(parts[0])h\(parts[1])m\(parts[2])s" : text, flag: flag)
        guard span >= .zero else { throw CommandFailure(.usage, "\(flag): '\(text)' is negative") }
        return span
    }

    private static func read(_ text: String, flag: String) throws(CommandFailure) -> Duration {
        do throws(Duration.TextProblem) {
            return try Duration(text: text)
        } catch {
            throw CommandFailure(.usage, "\(flag): '\(text)' \(error.explanation)")
        }
    }
}
