import Ports

extension LoopbackResponder {
    /// The parsed request target. Only an origin-form target with an id is accepted, so no target can refer to a path
    /// outside the folder (CACHE-2).
    struct Target: Hashable {
        enum Place: Hashable {
            case root, status, cache
            case creative(CreativeID)
        }

        var place: Place
        /// The `uuid` of the query, percent-decoded.
        var uuid: String?

        init(_ text: String) throws(LoopbackRefusal) {
            guard text.utf8.first == UInt8(ascii: "/") else { throw .badRequest }
            let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            guard let path = parts.first.flatMap({ String($0).percentDecoded }) else { throw .badRequest }
            place = try Self.place(path)
            guard place == .cache, parts.count == 2 else { return }
            guard let encoded = QueryItems(String(parts[1]))["uuid"] else { return }
            guard let uuid = encoded.percentDecoded else { throw .badRequest }
            self.uuid = uuid
        }

        private static func place(_ path: String) throws(LoopbackRefusal) -> Place {
            switch path {
            case "/": return .root
            case "/status": return .status
            case "/cache", "/pbc/v1/cache": return .cache
            default:
                guard let id = CreativeID(path.dropFirst()) else { throw .badRequest }
                return .creative(id)
            }
        }
    }
}
