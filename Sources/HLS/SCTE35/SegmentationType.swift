/// segmentation_type_id (ANSI/SCTE 35 2022b table 23).
package struct SegmentationType: Hashable, Sendable {
    package var id: UInt8

    package init(id: UInt8) {
        self.id = id
    }

    /// The name in the standard; nil for reserved values.
    package var name: String? { Self.names[id] }

    /// Whether it starts a break, placement opportunity, ad block, advertisement or promo.
    package var startsAdBreak: Bool { Self.starts.contains(id) }
    /// Whether it ends one of those: its number is one above that of the start.
    package var endsAdBreak: Bool { id > 0 && Self.starts.contains(id - 1) }

    /// Whether sub-segment fields may follow the segment numbers: advertisements and ad blocks have had them since SCTE 35 2023r1
    /// (table 23), placement opportunities before (2022b table 20).
    var mayHaveSubSegments: Bool { [0x30, 0x32, 0x34, 0x36, 0x38, 0x3A, 0x44, 0x46].contains(id) }

    /// Whether it starts or ends an advertisement or promo: the innermost segments, of which a break may have several (ANSI/SCTE 35 2022b
    /// section 10.3.3).
    var isAdvertisement: Bool { (0x30...0x33).contains(id) || (0x3C...0x3F).contains(id) }

    private static let starts: Set<UInt8> = [0x22, 0x30, 0x32, 0x34, 0x36, 0x38, 0x3A, 0x3C, 0x3E, 0x44, 0x46]

    private static let names: [UInt8: String] = [
        0x00: "Not Indicated", 0x01: "Content Identification", 0x02: "Call Ad Server",
        0x10: "Program Start", 0x11: "Program End", 0x12: "Program Early Termination",
        0x13: "Program Breakaway", 0x14: "Program Resumption",
        0x15: "Program Runover Planned", 0x16: "Program Runover Unplanned", 0x17: "Program Overlap Start",
        0x18: "Program Blackout Override", 0x19: "Program Join",
        0x20: "Chapter Start", 0x21: "Chapter End", 0x22: "Break Start", 0x23: "Break End",
        0x24: "Opening Credit Start", 0x25: "Opening Credit End",
        0x26: "Closing Credit Start", 0x27: "Closing Credit End",
        0x30: "Provider Advertisement Start", 0x31: "Provider Advertisement End",
        0x32: "Distributor Advertisement Start", 0x33: "Distributor Advertisement End",
        0x34: "Provider Placement Opportunity Start", 0x35: "Provider Placement Opportunity End",
        0x36: "Distributor Placement Opportunity Start", 0x37: "Distributor Placement Opportunity End",
        0x38: "Provider Overlay Placement Opportunity Start", 0x39: "Provider Overlay Placement Opportunity End",
        0x3A: "Distributor Overlay Placement Opportunity Start",
        0x3B: "Distributor Overlay Placement Opportunity End",
        0x3C: "Provider Promo Start", 0x3D: "Provider Promo End",
        0x3E: "Distributor Promo Start", 0x3F: "Distributor Promo End",
        0x40: "Unscheduled Event Start", 0x41: "Unscheduled Event End",
        0x42: "Alternate Content Opportunity Start", 0x43: "Alternate Content Opportunity End",
        0x44: "Provider Ad Block Start", 0x45: "Provider Ad Block End",
        0x46: "Distributor Ad Block Start", 0x47: "Distributor Ad Block End",
        0x50: "Network Start", 0x51: "Network End",
    ]
}
