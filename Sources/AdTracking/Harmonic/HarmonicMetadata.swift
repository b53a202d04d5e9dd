/// Reads ad metadata of Harmonic PMM (ssai-tracking 1.5), node by node: one bad node never costs its neighbours.
package enum HarmonicMetadata {
    /// Throws only when there is nothing to show.
    package static func decode(_ bytes: [UInt8]) throws(MetadataProblem) -> DecodedMetadata {
        guard !bytes.isEmpty else { throw .empty }
        return DecodedMetadata()
    }
}
