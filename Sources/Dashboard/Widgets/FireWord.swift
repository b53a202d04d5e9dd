import Screen

/// The word for the mode in which beacons are sent, the same in the headers of a session and of the table of sessions, in
/// the session pane and in plain lines.
enum FireWord {
    /// That beacons go to collectors on this machine only is part of the word.
    static func word(isLocal: Bool) -> SafeText { isLocal ? "FIRE local" : "FIRE" }

    /// The same where there is little room: `FIRE` alone means beacons to public trackers.
    static func short(isLocal: Bool) -> SafeText { isLocal ? "LOCAL" : "FIRE" }

    /// The forms of a header's item, the fullest first. Where there is no room, the word is the short one, and what follows it stays.
    /// - Parameters:
    ///   - rest: what follows the word.
    ///   - short: the same where there is less room.
    static func forms(isLocal: Bool, rest: SafeText = "", short: SafeText? = nil) -> [StyledLine] {
        let word = word(isLocal: isLocal)
        var forms = [" " + word + rest + " ", word + (short ?? rest)]
        if isLocal { forms.append(Self.short(isLocal: true) + (short ?? rest)) }
        return forms.map { StyledLine($0, .headerArmed) }
    }
}
