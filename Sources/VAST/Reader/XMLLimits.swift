/// Limits on a document; one that exceeds them is rejected (VAST-27).
package enum XMLLimits {
    /// Depth of nested elements.
    package static let depth = 256
    package static let attributesPerElement = 256
    /// Namespace declarations in scope at once: libxml2 searches them linearly for each prefix.
    package static let namespacesInScope = 256
    package static let elements = 1_000_000
    /// Depth of nested documents, such as VAST as text inside VMAP.
    package static let nestedDocuments = 1
    /// A longer value is reported as too long, but kept.
    package static let longValueBytes = 64 << 10
}
