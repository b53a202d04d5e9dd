import Ports

/// Whether two listings name the same resource (HLS-28). Query strings may differ, because they contain tokens, and so may the servers: a
/// load balancer sends each request to another edge, and an edge may put its own name before each path.
extension TimelineSegment {
    func hasSameResource(as listed: MediaSegment) -> Bool {
        if uri == listed.uri { return true }
        let (path, listedPath) = (Self.withoutQuery(uri), Self.withoutQuery(listed.uri))
        if path.elementsEqual(listedPath) { return true }
        // The names alone tell most resources apart, and are quickly compared.
        guard Self.name(path).elementsEqual(Self.name(listedPath)) else { return false }
        let known = URIReference(uri)
        let other = URIReference(listed.uri)
        if base != listed.base, let relative = Self.relativePath(of: known, base: base),
            relative == Self.relativePath(of: other, base: listed.base)
        {
            return true
        }
        // Two hosts may each have a file of one name; a length of its own makes it likelier that it is one medium.
        return Self.server(of: known) != Self.server(of: other) && known.path == other.path
            && duration == max(.zero, listed.duration)
    }

    /// The path as a playlist at `base` may write it, without regard to how it does: how many folders up, and the rest. Nil on another
    /// server.
    private static func relativePath(of uri: URIReference, base: String) -> RelativePath? {
        let base = URIReference(base)
        guard server(of: uri) == server(of: base) else { return nil }
        let shared = zip(uri.path.utf8, base.path.utf8).prefix { $0 == $1 }.count
        guard let slash = uri.path.utf8.prefix(shared).lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let rest = uri.path[uri.path.utf8.index(after: slash)...]
        let folders = base.path.utf8.dropFirst(uri.path.utf8.distance(from: uri.path.startIndex, to: slash) + 1)
        return RelativePath(levelsUp: folders.count(where: { $0 == UInt8(ascii: "/") }), rest: rest)
    }

    private struct RelativePath: Equatable {
        let levelsUp: Int
        let rest: Substring
    }

    private static func server(of uri: URIReference) -> [Substring?] {
        [uri.scheme, uri.authority]
    }

    /// What follows the last slash.
    private static func name(_ path: Substring.UTF8View.SubSequence) -> Substring.UTF8View.SubSequence {
        path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path
    }

    private static func withoutQuery(_ uri: String) -> Substring.UTF8View.SubSequence {
        uri.utf8.prefix { $0 != UInt8(ascii: "?") }
    }
}
