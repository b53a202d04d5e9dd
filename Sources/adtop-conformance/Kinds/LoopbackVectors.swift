import CreativeCache
import CreativeServer
import Foundation
import Locks
import Ports

/// Vectors of the loopback server.
enum LoopbackVectors {
    /// Raw requests to the loopback server over real sockets, each one plain and over TLS.
    static let loopback = VectorKind(name: "adtop/loopback-http/1") { document, folder in
        guard document.schema == "adtop/loopback-http/1" else { return nil }
        let root = document.root
        let plain = folder.claim(document, kind: "adtop/loopback-http/1", casesIn: "cases") {
            node throws(VectorProblem) in
            try LoopbackCase(root: root, node: node).differences(identity: nil)
        }
        let secure = folder.claim(document, kind: "adtop/loopback-http/1", casesIn: "cases", suffix: "-tls") {
            node throws(VectorProblem) in
            try LoopbackCase(root: root, node: node).differences(identity: try LoopbackCase.identity.get())
        }
        return VectorClaim(cases: plain.cases + secure.cases, files: plain.files)
    }
}

/// One request on a fresh connection to a fresh server.
private struct LoopbackCase {
    /// The servers of all cases share one certificate, created on first use.
    static let identity: Result<TLSIdentity, VectorProblem> = Result { () throws(VectorProblem) in
        let folder = NSTemporaryDirectory() + "adtop-conformance-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do throws(CreativeServerError) {
            return try LocalCertificates(folder: folder, wallClock: wallClock).identity()
        } catch {
            throw VectorProblem(path: "$", message: "\(error)")
        }
    }

    private static let wallClock = { @Sendable in UnixTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
    private static let freshID = "<uuid-v4>"

    private let now = Locked(wallClock())
    private let shelf: CreativeShelf
    private let port: String
    private let node: VectorNode

    init(root: VectorNode, node: VectorNode) throws(VectorProblem) {
        self.node = node
        port = String(try root.member("port").integer())
        var rules = LoopbackRules()
        if let config = node.optional("config") {
            try config.require(members: ["allowKeys", "maxValues", "maxBytes", "allowedOrigins", "extraHosts"])
            rules.allowsOwnKeys = try config.optional("allowKeys")?.flag() ?? false
            rules.maximumValues = try config.optional("maxValues")?.count() ?? rules.maximumValues
            rules.maximumValueBytes = try config.optional("maxBytes")?.count() ?? rules.maximumValueBytes
            rules.allowedOrigins = Set(try config.texts("allowedOrigins") ?? [])
            rules.extraHosts = Set(try config.texts("extraHosts") ?? [])
        }
        let now = now
        shelf = CreativeShelf(limits: StoreLimits(), rules: rules, wallClock: { now.withLock { $0 } })
        for kind in ["creatives", "prebidCache"] {
            for (id, entry) in try root.member("preloaded").member(kind).members() {
                try entry.require(members: ["contentType", "body", "expired"])
                try preload(id, entry, isPrebidCache: kind == "prebidCache")
            }
        }
        now.withLock { $0 = $0 + Self.expiredLife + .seconds(1) }
    }

    /// The life of an entry that is expired when the request arrives.
    private static let expiredLife: Duration = .seconds(1)

    /// Puts an entry into the server.
    private func preload(_ text: String, _ entry: VectorNode, isPrebidCache: Bool) throws(VectorProblem) {
        let isExpired = try entry.optional("expired")?.flag() ?? false
        guard let id = CreativeID(text) else { throw VectorProblem(path: entry.path, message: "the name is not an id") }
        let type = try entry.member("contentType").text()
        let isXML = type.hasSuffix("xml")
        let kind: CachedCreative.Kind =
            isPrebidCache ? (isXML ? .prebidXML : .prebidJSON) : CachedCreative.Kind(contentType: type)
        let body = try entry.member("body").text()
        let creative = CachedCreative(
            id: id, kind: kind, contentType: type, content: CachedCreative.Content(body: Array(body.utf8)))
        guard case .stored = shelf.put(creative, life: isExpired ? Self.expiredLife : nil) else {
            throw VectorProblem(path: entry.path, message: "the store rejects the entry")
        }
    }

    func differences(identity: TLSIdentity?) throws(VectorProblem) -> [Difference] {
        var configuration = LoopbackServer.Configuration()
        configuration.port = 0
        configuration.identity = identity
        let server = LoopbackServer(shelf, configuration: configuration)
        let loops = ProbeLoops()
        defer {
            loops.stop()
            server.stop()
        }
        do {
            let address = try server.start()
            let scheme: LoopbackProbe.Scheme =
                identity.map { .secure(authority: $0.authority, name: LocalCertificates.name) } ?? .plain
            let connect = { try LoopbackProbe(port: address.port, scheme: scheme, on: loops) }
            let request = try node.member("request").text()
            // The port in the vector may be in use; a Host with it means the port of the server.
            let sent = request.replacing(":\(port)", with: ":\(address.port)")
            let answer = try connect().exchange(Array(sent.utf8), isHead: request.hasPrefix("HEAD "))
            return try compare(answer) { id in
                try connect().exchange(
                    Array("GET /cache?uuid=\(id) HTTP/1.1\r\nHost: localhost:\(address.port)\r\n\r\n".utf8)
                ).status
            }
        } catch let problem as VectorProblem {
            throw problem
        } catch {
            throw VectorProblem(path: node.path, message: "\(error)")
        }
    }

    private func compare(
        _ answer: LoopbackProbe.Answer, status read: (String) throws -> Int
    ) throws -> [Difference] {
        let expect = try node.member("expect")
        try expect.require(members: ["status", "reason", "headers", "absentHeaders", "body"])
        func check(_ name: String, _ actual: JSONValue) throws(VectorProblem) -> [Difference] {
            let member = try expect.member(name)
            return Difference.check(member.path, expected: member.value, actual: actual)
        }
        var differences = try check("status", .integer(Int64(answer.status)))
        differences += try check("reason", .string(answer.reason))
        for (name, field) in try expect.member("headers").members() {
            differences += Difference.check(
                field.path, expected: field.value, actual: .optional(answer.fields[name]))
        }
        for name in try expect.texts("absentHeaders") ?? [] where answer.fields[name] != nil {
            differences += Difference.check("\(expect.path).absentHeaders", expected: nil, actual: .string(name))
        }
        let body = try expect.member("body").text()
        let actual = String(decoding: answer.body, as: UTF8.self)
        guard body.contains(Self.freshID) else { return differences + (try check("body", .string(actual))) }
        return differences + (try compareIDs(body, actual, path: "\(expect.path).body", status: read))
    }

    /// Checks that each new id is a version 4 UUID and that its value can be read.
    private func compareIDs(
        _ body: String, _ actual: String, path: String, status read: (String) throws -> Int
    ) throws -> [Difference] {
        let pattern = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        let ids = actual.matches(of: pattern).map { String($0.output) }
        var differences = Difference.check(
            path, expected: .string(body), actual: .string(actual.replacing(pattern, with: Self.freshID)))
        for id in ids {
            differences += Difference.check("\(path) of \(id)", expected: 200, actual: .integer(Int64(try read(id))))
        }
        return differences
    }
}
