/// Names of files that are made of names from outside.
enum FileName {
    /// ASCII letters and digits of a name, everything else as a hyphen.
    static func part(_ name: String, maximumLength: Int) -> String {
        let safe = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "-"
        }
        return String(safe.prefix(maximumLength))
    }
}
