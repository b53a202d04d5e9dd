/// Why bytes are not a splice_info_section, with the position of the error.
package struct SpliceInfoProblem: Error, Hashable, Sendable {
    /// The kind of error; the raw value is the `error` of the conformance vectors.
    package enum Kind: String, Sendable {
        /// The text is neither base64 nor hexadecimal.
        case transport
        /// The first byte is not 0xFC.
        case tableID = "table_id"
        /// The bytes end before the section does, or a length inside the section exceeds it.
        case truncated
        /// The section is too short for its fixed fields.
        case sectionLength = "section_length"
        /// The section is longer than the standard allows.
        case tooLong = "too_long"
    }

    package var kind: Kind
    /// Position in bytes from the start of the section.
    package var offset: Int

    package init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The problem as a clause for messages.
    package var explanation: String {
        switch kind {
        case .transport: "neither base64 nor hexadecimal"
        case .tableID: "the first byte is not 0xFC"
        case .truncated: "cut off at byte \(offset)"
        case .sectionLength: "the section length is too small at byte \(offset)"
        case .tooLong: "longer than \(SpliceInfo.longestSection) bytes"
        }
    }
}
