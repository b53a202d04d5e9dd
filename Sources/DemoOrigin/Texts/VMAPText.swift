/// VMAP 1.0 documents of the ad decision endpoint (VMAP-1).
struct VMAPText {
    /// One break of the document.
    struct AdBreak {
        /// breakId.
        var id: String
        /// timeOffset, in any of its forms.
        var offset: String
        /// repeatAfter; nil is none.
        var repeatAfter: String?
        /// The tag for its ads; nil when they are inline.
        var tag: String?
        /// The inline VAST element, when there is no tag.
        var inline: String?
        /// The length that an extension of Yospace has; nil for none.
        var length: String?
        /// Whether its start and end are reported.
        var isTracked = true
    }

    /// Scenario named in beacon URLs.
    let scenario: String
    /// The session in the beacon URLs.
    let session: String
    /// Scheme and authority of beacon URLs.
    let origin: String

    /// The document with `breaks`.
    /// - Parameter manifest: the address of the stream, as Brightcove names it; nil for none.
    func document(_ breaks: [AdBreak], manifest: String? = nil) -> String {
        #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
            + #"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">"# + "\n"
            + breaks.map(element).joined() + (manifest.map(Self.unicornOnce) ?? "") + "</vmap:VMAP>\n"
    }

    private static func unicornOnce(_ manifest: String) -> String {
        #"<vmap:Extensions><uo:unicornOnce xmlns:uo="uo" contenturi="\#(manifest)"/></vmap:Extensions>"# + "\n"
    }

    private func element(_ adBreak: AdBreak) -> String {
        let source =
            adBreak.tag.map { #"<vmap:AdTagURI templateType="vast4"><![CDATA[\#($0)]]></vmap:AdTagURI>"# }
            ?? "<vmap:VASTAdData>\n\(adBreak.inline ?? "")\n</vmap:VASTAdData>"
        let repeatAfter = adBreak.repeatAfter.map { #" repeatAfter="\#($0)""# } ?? ""
        let tracking = ["breakStart", "breakEnd", "error"].map { event in
            let link = BeaconLink(session: session, podOf: adBreak.id, event: event)
            let code = event == "error" ? "&code=[ERRORCODE]" : ""
            return #"<vmap:Tracking event="\#(event)">"#
                + "<![CDATA[\(origin)\(link.target(scenario: scenario))\(code)]]></vmap:Tracking>\n"
        }.joined()
        let trackers = adBreak.isTracked ? "<vmap:TrackingEvents>\n\(tracking)</vmap:TrackingEvents>\n" : ""
        let extensions =
            adBreak.length.map {
                #"<vmap:Extensions><vmap:Extension><yospace:AdBreak xmlns:yospace="yospace" duration="\#($0)"/>"#
                    + "</vmap:Extension></vmap:Extensions>\n"
            } ?? ""
        return """
            <vmap:AdBreak timeOffset="\(adBreak.offset)" breakType="linear" breakId="\(adBreak.id)"\(repeatAfter)>
            <vmap:AdSource id="\(adBreak.id)-source" allowMultipleAds="true" followRedirects="true">
            \(source)
            </vmap:AdSource>
            \(trackers)\(extensions)</vmap:AdBreak>

            """
    }
}
