import Crypto
import Foundation
import Ports

/// Seals what agents hand on of sessions with a key that all of them have and the store does not: AES-256-GCM. A sealed state begins with the
/// id of its key, so that an agent with another one can say which is missing; nonce, text and tag follow. It belongs to its viewer.
package struct SessionSeal: Sendable {
    package static let keyBytes = 32
    private static let idBytes = 4

    private let key: SymmetricKey
    private let id: [UInt8]

    /// Nil unless the key has ``keyBytes``.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.keyBytes else { return nil }
        key = SymmetricKey(data: bytes)
        id = Array(SHA256.hash(data: bytes).prefix(Self.idBytes))
    }

    /// Nil where it cannot be sealed.
    package func seal(_ state: [UInt8], of viewer: Int) -> [UInt8]? {
        // A key of this size seals everything; without a seal nothing is stored.
        guard let box = try? AES.GCM.seal(state, using: key, authenticating: Self.context(of: viewer)),
            let combined = box.combined
        else { return nil }
        return id + combined
    }

    /// Nil for what another key sealed, for another viewer's, and for what was changed.
    package func open(_ sealed: [UInt8], of viewer: Int) -> [UInt8]? {
        // Whatever is wrong with it, a new session is opened.
        guard sealed.starts(with: id), let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(Self.idBytes)),
            let state = try? AES.GCM.open(box, using: key, authenticating: Self.context(of: viewer))
        else { return nil }
        return Array(state)
    }

    /// The id of the key of a sealed state, as hexadecimal digits.
    package static func keyID(of sealed: [UInt8]) -> String {
        sealed.prefix(idBytes).hexadecimal
    }

    private static func context(of viewer: Int) -> Data { Data("adtop-handover/1 \(viewer)".utf8) }
}
