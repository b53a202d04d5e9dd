extension AdServer {
    /// The default `breaks` of `/ads/vmap`: before, within and after the content.
    private static let offsets = ["start", "00:00:20.000", "end"]
    /// Most breaks of one document.
    private static let breakLimit = 32

    /// `GET /ads/vmap`. The breaks have the scenario's pods in turn, from the first.
    func vmap(_ state: inout OriginState) -> OriginResponse {
        let offsets = query["breaks"].map { $0.split(separator: ",").map(String.init) } ?? Self.offsets
        guard offsets.count <= Self.breakLimit, offsets.allSatisfy(Self.isPlain), Self.isPlain(query["repeat"] ?? "")
        else {
            return .plain(400, "breaks: must be at most \(Self.breakLimit) offsets such as start,00:00:20,50%,#2,end")
        }
        guard let pods = stream.scenario.breaks?.pods, !pods.isEmpty else {
            return .plain(404, "this scenario has no ads")
        }
        var breaks: [VMAPText.AdBreak] = []
        for (index, offset) in offsets.enumerated() {
            breaks.append(adBreak(offset, index: index, ads: pods[index % pods.count].ads))
        }
        let text = VMAPText(scenario: stream.scenario.name, session: session, origin: base).document(breaks)
        let decision = Decision(endpoint: .vmap, breakId: "", pod: nil)
        switch query["answer"] {
        case "empty": return decide(decision, OriginResponse(status: 204), &state)
        case "malformed": return decide(decision, .xml(String(text.prefix { $0 != "]" })), &state)
        default: return decide(decision, .xml(text), &state)
        }
    }

    private func adBreak(_ offset: String, index: Int, ads: [String]) -> VMAPText.AdBreak {
        let id = offset == "start" ? "pre" : offset == "end" ? "post" : "mid-\(index)"
        var entry = VMAPText.AdBreak(id: id, offset: offset)
        if id.hasPrefix("mid") { entry.repeatAfter = query["repeat"] }
        if query["inline"] == "1", let made = madeBreak(ads, id: id) {
            entry.inline = VASTText.element(vastText.inline(made))
        } else {
            entry.tag =
                "\(answering.root)/ads/vast?sessid=\(session)&id=\(id)&ads=\(ads.joined(separator: ","))"
                + "&break=[BREAKPOSITION]&duration=[BREAKMAXDURATION]&playhead=[MEDIAPLAYHEAD]&txn=[TRANSACTIONID]"
        }
        return entry
    }

    /// Whether the text has only characters of offsets; the reader of the document checks the offset itself.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 24
            && text.utf8.allSatisfy { (0x23...0x3A).contains($0) && $0 != 0x26 || (0x61...0x7A).contains($0) }
    }
}
