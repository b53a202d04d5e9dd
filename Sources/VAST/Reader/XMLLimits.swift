/// Bounds on a document; beyond them it is refused (DESIGN, "Limits"; vast-vmap 9).
package enum XMLLimits {
    /// Elements inside each other.
    package static let depth = 64
    package static let attributesPerElement = 256
    /// Declarations in scope at once: libxml2 looks a prefix up by walking through them.
    package static let namespacesInScope = 256
    package static let elements = 1_000_000
    /// Documents inside documents: VAST as text inside VMAP.
    package static let nestedDocuments = 1
    /// From here on a value is reported as too long; it is kept all the same.
    package static let longValueBytes = 64 << 10
}
