import Screen

/// Keys as help and footer write them: `^D` for Control, arrows and the rest by name.
enum KeyName {
    /// The short name of a key.
    static func short(_ key: KeyPress) -> String {
        if case .char(let scalar) = key.key, key.modifiers == .control, scalar.isASCII {
            return "^" + String(Character(scalar)).uppercased()
        }
        return key.description
    }
}
