/// Checks EXT-X-MEDIA tags one by one and within their groups (rfc8216bis-22 sections 4.4.6.1 and 4.4.6.1.1).
struct RenditionLint {
    /// TYPE and GROUP-ID.
    private struct Group: Hashable {
        var kind: Rendition.Kind
        var id: String
    }

    private var names: [Group: Set<String>] = [:]
    private var defaults: Set<Group> = []

    /// Adds a finding at the current line for each violation.
    mutating func check(_ rendition: Rendition, _ list: AttributeList, context: inout ParseContext) {
        if let uri = rendition.uri { context.checkScheme(of: uri) }
        checkCaptions(rendition, context: &context)
        if rendition.kind != .subtitles, list["FORCED"] != nil {
            context.report(.renditionInvalid, "FORCED on \(rendition.kind.rawValue); only SUBTITLES have it")
        }
        if rendition.isDefault, list["AUTOSELECT"] != nil, !rendition.isAutoselect {
            context.report(.renditionInvalid, "'\(rendition.name)' has DEFAULT=YES, so AUTOSELECT must be YES")
        }
        checkGroup(rendition, context: &context)
    }

    private func checkCaptions(_ rendition: Rendition, context: inout ParseContext) {
        guard rendition.kind == .closedCaptions else { return }
        if rendition.uri != nil {
            context.report(.renditionInvalid, "CLOSED-CAPTIONS '\(rendition.name)' with URI; they are in the video")
        }
        if let id = rendition.instreamID, !Self.isCaptionChannel(id) {
            context.report(
                .renditionInvalid, "INSTREAM-ID '\(id.prefix(40))' is neither CC1 to CC4 nor SERVICE1 to SERVICE63")
        }
    }

    private mutating func checkGroup(_ rendition: Rendition, context: inout ParseContext) {
        // Without them there is another finding.
        guard !rendition.groupID.isEmpty, !rendition.name.isEmpty else { return }
        let group = Group(kind: rendition.kind, id: rendition.groupID)
        if !names[group, default: []].insert(rendition.name).inserted {
            context.report(
                .renditionDuplicate, "group '\(group.id)' has a second rendition with the name '\(rendition.name)'")
        }
        if rendition.isDefault, !defaults.insert(group).inserted {
            context.report(.renditionDuplicate, "group '\(group.id)' has a second rendition with DEFAULT=YES")
        }
    }

    private static func isCaptionChannel(_ id: String) -> Bool {
        if ["CC1", "CC2", "CC3", "CC4"].contains(id) { return true }
        guard id.hasPrefix("SERVICE") else { return false }
        let digits = id.dropFirst("SERVICE".count)
        guard digits.utf8.allSatisfy(\.isDigit), digits.first != "0", let number = Int(digits) else { return false }
        return number <= 63
    }
}
