extension Linter {
    /// Checks attributes whose values are whole numbers (VAST-5). Text behind the digits is ignored, so `1,500` is 1.
    mutating func checkNumbers(_ names: [AttributeName], of node: XMLTree.Index) {
        for name in names {
            guard let text = tree.value(name, of: node), !ValueReader.isInteger(text) else { continue }
            let reading = ValueReader.integer(text).map { "is read as \($0)" } ?? "has no value"
            report(.valueFormat, "\(name.rawValue) is \(text), not a whole number; it \(reading).", at: node)
        }
    }

    /// Checks attributes whose values are times.
    mutating func checkTimes(_ names: [AttributeName], of node: XMLTree.Index) {
        for name in names {
            guard let text = tree.value(name, of: node), ValueReader.milliseconds(text) == nil else { continue }
            report(.valueFormat, "\(name.rawValue) is \(text), not HH:MM:SS; it has no value.", at: node)
        }
    }

    /// Checks attributes that are flags.
    mutating func checkFlags(_ names: [AttributeName], of node: XMLTree.Index) {
        for name in names {
            guard let text = tree.value(name, of: node), ValueReader.bool(text) == nil else { continue }
            report(.valueFormat, "\(name.rawValue) is \(text), not true or false; it has no value.", at: node)
        }
    }
}
