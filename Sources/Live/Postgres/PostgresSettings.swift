import CPostgres
import Fleet
import Ports

/// The settings of a connection by keyword (PostgreSQL documentation, section 34.1.2), without those that have no value.
struct PostgresSettings {
    private var values: [String: String] = [:]

    /// Reads a list of libpq's and frees it.
    init(taking list: UnsafeMutablePointer<adtop_pq_option>) {
        defer { adtop_pq_free_settings(list) }
        var place = list
        while let keyword = place.pointee.keyword {
            if let value = place.pointee.val, value.pointee != 0 {
                values[String(cString: keyword)] = String(cString: value)
            }
            place += 1
        }
    }

    /// The value of a keyword; nil without one.
    subscript(keyword: String) -> String? { values[keyword] }

    /// The hosts in the order in which they are tried.
    var hosts: [PostgresHost] {
        let names = list("host")
        let addresses = list("hostaddr")
        let ports = list("port")
        return (0..<max(names.count, addresses.count, 1)).map { index in
            PostgresHost(
                name: index < names.count ? names[index] : "",
                address: index < addresses.count ? addresses[index] : "",
                port: (index < ports.count ? ports[index] : ports.count == 1 ? ports[0] : "").nonEmpty ?? "5432")
        }
    }

    private func list(_ keyword: String) -> [String] {
        values[keyword]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    /// Whoever can answer for a host can grant claims and read what is in the store, so its certificate is verified, except where
    /// nothing leaves the machine.
    func requireTLS() throws(StoreProblem) {
        let given = values["sslmode"] ?? "prefer"
        guard given != "verify-full", let remote = hosts.first(where: { !$0.isOfThisMachine }) else { return }
        throw .weakTLS(host: remote.label, given: given)
    }
}

/// One host of an address.
struct PostgresHost: Hashable, Sendable {
    /// A name, an address, a folder of sockets, or empty for the usual folder.
    var name: String
    /// An address to use in place of the name's; empty without one.
    var address: String
    var port: String

    /// Whether a socket of this machine is used.
    var isSocket: Bool { address.isEmpty && (name.isEmpty || name.hasPrefix("/") || name.hasPrefix("@")) }

    /// Whether nothing leaves the machine.
    var isOfThisMachine: Bool {
        isSocket || WebURL.literalReach(of: (address.isEmpty ? name : address).lowercased()) == .loopback
    }

    /// For sentences.
    var label: String { name.isEmpty ? (address.isEmpty ? "the local socket" : address) : name }

    /// With the port; a socket's path.
    var server: String {
        guard !isSocket else { return name.isEmpty ? "the local socket of port \(port)" : "\(name)/.s.PGSQL.\(port)" }
        return label.contains(":") ? "[\(label)]:\(port)" : "\(label):\(port)"
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
