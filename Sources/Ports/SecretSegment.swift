/// The rule of which segments of a path are secret. ``Redaction`` masks what it finds, a recording replaces it.
///
/// A secret is a web token, an identifier after a word such as `session`, or the session in an address of a service:
/// `/v1/tracking/ACCOUNT/CONFIGURATION/ID`, `/linear/…/stream/ID:ATL/` and `/session/ping/ID.json`. The account is none, nor in
/// `/v1/session/ACCOUNT/CONFIGURATION/…`, where sessions are opened.
package enum SecretSegment {
    /// Words (lower case) after which an identifier or a token follows: `/session/1f0c…/`.
    private static let words: Set<String> = [
        "session", "sessions", "sess", "sessid", "sessionid", "sid", "token", "tokens", "auth", "jwt", "sig",
        "signature", "hdntl", "hdnts", "hdnea",
    ]
    /// Shortest identifier.
    package static let shortest = 12
    /// Number of segments before one that say what it is.
    package static let reach = 8
    /// What an address after `v1` is for, where the session is in its path (AWS Elemental MediaTailor).
    private static let roles: Set<String> = ["manifest", "tracking", "segment", "i-media", "interstitials"]
    /// Shortest account of that service: a longer hexadecimal number is no coincidence.
    private static let accountDigits = 8
    private static let fileEndings: Set<String> = [
        "m3u8", "mpd", "json", "xml", "vmap", "ts", "m4s", "mp4", "m4a", "m4v", "aac", "vtt",
    ]

    /// The bytes of a segment that are secret; nil for an ordinary one. The ending of a file and the name of a place are
    /// no part of an identifier, so that it is the same wherever it is.
    /// - Parameters:
    ///   - segment: what is between two slashes, as it is written.
    ///   - earlier: the segments before it in lower case, the nearest last; called only where they matter.
    ///   - precedesTwo: whether two segments follow it; called only where that matters.
    package static func secret(
        of segment: ArraySlice<UInt8>, after earlier: () -> [String], precedesTwo: () -> Bool = { false }
    ) -> Range<Int>? {
        let name = withoutFileEnding(segment)
        if isWebToken(name) { return name.indices }
        let identifier = withoutPlace(name)
        guard isIdentifier(identifier) else { return nil }
        let earlier = earlier()
        guard let before = earlier.last, words.contains(before) || isFollowedBySession(earlier) else { return nil }
        if earlier.suffix(2) == ["v1", "session"], isAccount(segment), precedesTwo() { return nil }
        return identifier.indices
    }

    private static func isAccount(_ segment: some Collection<UInt8>) -> Bool {
        segment.count >= accountDigits && segment.allSatisfy(\.isHexDigit)
    }

    /// Whether the session is next in an address of a service.
    private static func isFollowedBySession(_ segments: [String]) -> Bool {
        switch segments.last {
        case "ping": return segments.dropLast().last == "session"
        case "stream", "streams": return segments.contains { ["linear", "ondemand", "ssai"].contains($0) }
        default:
            let place = segments.suffix(3)
            guard place.count == 3, let role = place.first, roles.contains(role) else { return false }
            // Playlists have relative addresses, as in `../../manifest/ACCOUNT/CONFIGURATION/ID/0.m3u8`.
            guard ["v1", "..", nil].contains(segments.dropLast(3).last) else { return false }
            return isAccount(place[place.startIndex + 1].utf8)
        }
    }

    /// Long enough, and with a digit: a word such as `configuration` is none.
    package static func isIdentifier(_ text: ArraySlice<UInt8>) -> Bool {
        text.count >= shortest && text.contains { (0x30...0x39).contains($0) }
    }

    /// A JSON Web Token (RFC 7519): three parts in Base64, of which the first begins with `{"`.
    package static func isWebToken(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.starts(with: "eyJ".utf8) && segment.split(separator: UInt8(ascii: ".")).count == 3
    }

    private static func withoutFileEnding(_ segment: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let dot = segment.lastIndex(of: UInt8(ascii: ".")), segment.endIndex - dot <= 5 else { return segment }
        let ending = String(decoding: segment[(dot + 1)...], as: UTF8.self).lowercased()
        return fileEndings.contains(ending) ? segment[..<dot] : segment
    }

    /// An identifier of a live stream of Google without the place that serves it: `ID` of `ID:ATL`.
    package static func withoutPlace(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for mark in [":", "%3A", "%3a"] {
            for letters in 2...4 where text.suffix(letters).allSatisfy({ (0x41...0x5A).contains($0) }) {
                let front = text.dropLast(letters)
                guard front.suffix(mark.utf8.count).elementsEqual(mark.utf8) else { continue }
                let identifier = front.dropLast(mark.utf8.count)
                return isIdentifier(identifier) ? identifier : text
            }
        }
        return text
    }
}
