/// The text form of a jar that Netscape introduced and curl, wget and browser extensions read and write: a cookie a
/// line, seven fields with tabs between (curl's docs/HTTP-COOKIES.md).
package enum CookieFile {
    /// Largest file in bytes.
    package static let maximumBytes = 4 << 20
    private static let httpOnly = "#HttpOnly_"

    /// A line that is not a cookie.
    package struct Problem: Error, Hashable, Sendable {
        /// From 1.
        package var line: Int
        /// A clause, without what the line contains: it may be secret.
        package var message: String
    }

    /// Reads the cookies; those that have expired are left out.
    package static func read(_ text: String, at now: UnixTime) throws(Problem) -> CookieJar {
        var jar = CookieJar()
        // Unicode has more line breaks, such as U+2028, which a server may set as part of a value.
        for (index, line) in text.split(ascii: "\n").enumerated() {
            let line = line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line
            guard let cookie = try cookie(line, number: index + 1) else { continue }
            // A file is no way around the list: such a cookie would go to servers of other companies.
            guard cookie.isHostOnly || !PublicSuffix.contains(cookie.domain) else { continue }
            jar.store(cookie, at: now)
        }
        return jar
    }

    private static func cookie(_ line: Substring, number: Int) throws(Problem) -> Cookie? {
        let isHTTPOnly = line.hasPrefix(httpOnly)
        let text = isHTTPOnly ? line.dropFirst(httpOnly.count) : line
        guard isHTTPOnly || !line.hasPrefix("#"), !text.allSatisfy(\.isWhitespace) else { return nil }
        var fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        if fields.count == 6 { fields.append("") }
        guard fields.count == 7 else {
            throw Problem(line: number, message: "\(fields.count) fields, not 7 with tabs between")
        }
        // Some programs write fractions of a second.
        guard let expiry = Int64(fields[4].prefix { $0 != "." }) else {
            throw Problem(line: number, message: "the fifth field is not a time in seconds")
        }
        let isSubdomains = try flag(fields[1], "second", number)
        let domain = fields[0].drop { $0 == "." }.lowercased()
        guard !domain.isEmpty, !fields[5].isEmpty,
            !text.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F })
        else { throw Problem(line: number, message: "no domain, no name, or a control character") }
        return Cookie(
            name: String(fields[5]), value: String(fields[6]), domain: domain, isHostOnly: !isSubdomains,
            path: fields[2].hasPrefix("/") ? String(fields[2]) : "/", isSecure: try flag(fields[3], "fourth", number),
            isHTTPOnly: isHTTPOnly,
            expiry: expiry == 0 ? nil : UnixTime(microseconds: expiry.multipliedSaturating(by: 1_000_000)))
    }

    private static func flag(_ text: Substring, _ place: String, _ line: Int) throws(Problem) -> Bool {
        switch text.uppercased() {
        case "TRUE": true
        case "FALSE": false
        default: throw Problem(line: line, message: "the \(place) field is neither TRUE nor FALSE")
        }
    }

    /// The text of a jar. Cookies that end with their session are in it with the time 0, as other programs write them.
    package static func text(_ jar: CookieJar, at now: UnixTime) -> String {
        var text = "# Netscape HTTP Cookie File\n# Written by adtop; keep it secret.\n\n"
        for cookie in jar.cookies where !cookie.hasExpired(at: now) && !hasTab(cookie) {
            let seconds = cookie.expiry.map { max(1, $0.microseconds.flooringDivision(by: 1_000_000)) } ?? 0
            text += cookie.isHTTPOnly ? httpOnly : ""
            text +=
                [
                    (cookie.isHostOnly ? "" : ".") + cookie.domain, cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path,
                    cookie.isSecure ? "TRUE" : "FALSE", String(seconds), cookie.name, cookie.value,
                ].joined(separator: "\t") + "\n"
        }
        return text
    }

    /// The form has no way to write a tab.
    private static func hasTab(_ cookie: Cookie) -> Bool {
        [cookie.name, cookie.value, cookie.path].contains { $0.utf8.contains(0x09) }
    }
}
