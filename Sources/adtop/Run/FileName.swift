/// File names that contain names from outside.
enum FileName {
    /// The ASCII letters and digits of a name, with a hyphen for every other character.
    static func part(_ name: String, maximumLength: Int) -> String {
        let safe = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "-"
        }
        return String(safe.prefix(maximumLength))
    }
}
