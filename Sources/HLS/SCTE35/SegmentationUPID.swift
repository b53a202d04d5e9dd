/// A unique programme identifier (ANSI/SCTE 35 2022b section 10.3.3.1, table 22).
package struct SegmentationUPID: Hashable, Sendable {
    /// segmentation_upid_type.
    package var type: UInt8
    package var bytes: [UInt8]
    /// The identifiers inside a MID (type 0x0D); empty for other types.
    package var members: [SegmentationUPID] = []

    /// MID: a list of identifiers.
    package static let multipleType: UInt8 = 0x0D

    /// MPU: a format identifier and data private to its owner.
    package static let managedPrivateType: UInt8 = 0x0C

    /// The content of an MPU; nil for other types and when the identifier is incomplete.
    package var managed: (identifier: UInt32, data: [UInt8])? {
        guard type == Self.managedPrivateType, bytes.count >= 4 else { return nil }
        return (bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }, Array(bytes.dropFirst(4)))
    }

    /// The name in the standard, `Reserved` for values it does not define.
    package var name: String { Self.names[type] ?? "Reserved" }

    /// The identifier as text, when the type is textual and its bytes are printable ASCII.
    package var text: String? {
        guard Self.textTypes.contains(type), bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let textTypes: Set<UInt8> = [0x01, 0x02, 0x03, 0x07, 0x09, 0x0E, 0x0F]

    private static let names: [UInt8: String] = [
        0x00: "Not Used", 0x01: "User Defined", 0x02: "ISCI", 0x03: "Ad-ID", 0x04: "UMID", 0x05: "ISAN (deprecated)",
        0x06: "ISAN", 0x07: "TID", 0x08: "TI", 0x09: "ADI", 0x0A: "EIDR", 0x0B: "ATSC", 0x0C: "MPU", 0x0D: "MID",
        0x0E: "ADS Information", 0x0F: "URI", 0x10: "UUID", 0x11: "SCR",
    ]
}
