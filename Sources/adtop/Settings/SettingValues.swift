import Ports

/// Reads values of types that several settings share.
extension Settings {
    static func flag(_ text: String) throws(SettingProblem) -> Bool {
        switch text.lowercased() {
        case "yes", "true", "on", "1": true
        case "no", "false", "off", "0": false
        default: throw SettingProblem("is neither yes nor no")
        }
    }

    static func mebibytes(_ text: String) throws(SettingProblem) -> Int64 {
        guard let size = Int64(text), (1...1_000_000).contains(size) else {
            throw SettingProblem("is not a number of MiB between 1 and 1000000")
        }
        return size << 20
    }

    static func duration(_ text: String, in range: ClosedRange<Duration>) throws(SettingProblem) -> Duration {
        let duration: Duration
        do throws(Duration.TextProblem) {
            duration = try Duration(text: text)
        } catch {
            throw SettingProblem(error.explanation)
        }
        guard range.contains(duration) else {
            throw SettingProblem("is not between \(range.lowerBound.text) and \(range.upperBound.text)")
        }
        return duration
    }

    static func port(_ text: String) throws(SettingProblem) -> Int {
        guard let port = Int(text), (0...65_535).contains(port) else {
            throw SettingProblem("is not a port between 0 and 65535")
        }
        return port
    }

    /// A header value: visible ASCII and blanks, which prevents header injection.
    static func fieldValue(_ text: String) throws(SettingProblem) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw SettingProblem("is not a header value of printable ASCII")
        }
        return text
    }

    /// The comma-separated members, without surrounding blanks.
    static func list(_ text: String) -> [String] { text.split(separator: ",").map { $0.trimmed } }
}

/// Why a text is not a valid value of its setting; one clause.
struct SettingProblem: Error, Equatable {
    var explanation: String

    init(_ explanation: String) {
        self.explanation = explanation
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
