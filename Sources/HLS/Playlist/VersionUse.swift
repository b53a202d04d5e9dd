/// The protocol versions that the features of a playlist need (rfc8216bis-22 section 8).
struct VersionUse {
    /// The newest protocol version supported.
    static let newest = 13

    private var uses: [(rule: PlaylistRule, version: Int, feature: String, line: Int)] = []
    private var fractionalDurationLine: Int?
    private var mapLine: Int?

    /// Records a feature; only the first use of each counts.
    mutating func note(_ feature: String, needs version: Int, line: Int) {
        note(feature, needs: version, line: line, rule: .versionTooLow)
    }

    /// The same for a feature that rule `version-too-low` of schema `adtop-hls-golden/1` does not name.
    mutating func noteInstreamID(_ feature: String, needs version: Int, line: Int) {
        note(feature, needs: version, line: line, rule: .instreamIDVersion)
    }

    private mutating func note(_ feature: String, needs version: Int, line: Int, rule: PlaylistRule) {
        guard !uses.contains(where: { $0.feature == feature }) else { return }
        uses.append((rule, version, feature, line))
    }

    /// An EXTINF with a fraction, which has a rule of its own.
    mutating func noteFractionalDuration(line: Int) {
        if fractionalDurationLine == nil { fractionalDurationLine = line }
    }

    /// EXT-X-MAP needs version 5 in an I-frame playlist and 6 elsewhere; which one applies may only be known later.
    mutating func noteMap(line: Int) {
        if mapLine == nil { mapLine = line }
    }

    /// Adds findings for a playlist that states `version`; nil means 1.
    func check(version: Int?, isIFramesOnly: Bool, findings: inout PlaylistFindings) {
        let stated = version ?? 1
        if let fractionalDurationLine, stated < 3 {
            findings.add(
                .floatEXTINFVersion, line: fractionalDurationLine, "decimal EXTINF needs version 3, this is \(stated)")
        }
        var uses = uses
        if let mapLine { uses.append((.versionTooLow, isIFramesOnly ? 5 : 6, "EXT-X-MAP", mapLine)) }
        for use in uses where use.version > stated {
            findings.add(
                use.rule, line: use.line, "\(use.feature) needs version \(use.version), this is \(stated)")
        }
        if stated > Self.newest {
            findings.add(
                .unsupportedVersion, line: nil, "version \(stated) is newer than \(Self.newest), the newest known")
        }
    }
}
