import Ports

/// Families of metrics in the text format of Prometheus 0.0.4.
package struct MetricsWriter: Sendable {
    package private(set) var text = ""

    package init() {}

    /// A family with its samples, each with labels and value; nothing without samples.
    package mutating func family(
        _ name: String, _ type: String, _ help: String, _ samples: [([(String, String)], String)]
    ) {
        guard !samples.isEmpty else { return }
        head(name, type, help)
        for (labels, value) in samples { sample(name, labels, value) }
    }

    /// A histogram in seconds.
    package mutating func histogram(_ name: String, _ help: String, _ histogram: DelayHistogram) {
        head(name, "histogram", help)
        var sum = 0
        for (bound, count) in zip(histogram.ownBounds, histogram.counts) {
            sum += count
            sample(name + "_bucket", [("le", Self.seconds(bound))], "\(sum)")
        }
        sample(name + "_bucket", [("le", "+Inf")], "\(histogram.count)")
        sample(name + "_sum", [], Self.seconds(histogram.sum))
        sample(name + "_count", [], "\(histogram.count)")
    }

    /// `1.5`; a negative span counts as none.
    package static func seconds(_ duration: Duration) -> String {
        let microseconds = max(0, duration.inMicroseconds)
        var fraction = String(String(microseconds % 1_000_000 + 1_000_000).dropFirst())
        while fraction.last == "0" { fraction.removeLast() }
        return "\(microseconds / 1_000_000)\(fraction.isEmpty ? "" : ".\(fraction)")"
    }

    mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
        let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        text += list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
