/// VAST 4.2 documents of the ad decision endpoint (VAST-2).
struct VASTText {
    /// Scenario named in beacon URLs.
    let scenario: String
    /// The session in the beacon URLs.
    let session: String
    /// Scheme and authority of beacon URLs.
    let origin: String
    /// Scheme, authority, path prefix and directory of media URLs.
    let mediaRoot: String
    /// Whether beacon URLs also contain macros.
    var hasMacros = false
    /// Whether ads also have a companion, an icon and a verification script.
    var hasExtras = false

    /// The whole document with `body` in it.
    static func document(_ body: String) -> String {
        #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + element(body) + "\n"
    }

    /// The root element with `body` in it, for a VMAP document to embed.
    static func element(_ body: String) -> String {
        #"<VAST version="4.2" xmlns="http://www.iab.com/VAST">"# + "\n\(body)</VAST>"
    }

    /// The ads of a break: a pod when there are several.
    func inline(_ adBreak: PlannedBreak) -> String { inline(adBreak.ads) }

    /// The ads of one document: a pod when there are several.
    func inline(_ ads: [PlannedAd]) -> String {
        ads.enumerated().map { index, ad in
            inline(ad, sequence: ads.count > 1 ? index + 1 : nil)
        }.joined()
    }

    /// The `number`th wrapper around the ads of break `breakId`, 1 being the innermost.
    func wrapper(_ number: Int, breakId: String, tag: String) -> String {
        func url(_ event: String, more: String = "") -> String {
            self.url(BeaconLink(session: session, breakId: breakId, wrapper: number, event: event), more: more)
        }
        let tracking = ["start", "complete"].map { #"<Tracking event="\#($0)">\#(url($0))</Tracking>"# }.joined()
        return """
            <Ad id="wrapper-\(number)-\(breakId)">
            <Wrapper followAdditionalWrappers="true" allowMultipleAds="true">
            <AdSystem version="1">adtop origin, wrapper \(number)</AdSystem>
            <Error>\(url("error", more: "&code=[ERRORCODE]"))</Error>
            <Impression>\(url("impression"))</Impression>
            <Creatives><Creative><Linear><TrackingEvents>\(tracking)</TrackingEvents></Linear></Creative></Creatives>
            <VASTAdTagURI>\(Self.cdata(tag))</VASTAdTagURI>
            </Wrapper>
            </Ad>

            """
    }

    /// No ad: the root Error is for the requesting client (VAST-13, code 303).
    func noAd(breakId: String) -> String {
        let link = BeaconLink(session: session, podOf: breakId, event: "error")
        return "<Error>\(url(link, more: "&code=[ERRORCODE]"))</Error>\n"
    }

    private func inline(_ ad: PlannedAd, sequence: Int?) -> String {
        """
        <Ad id="\(ad.id)"\(sequence.map { #" sequence="\#($0)""# } ?? "") adType="video">
        <InLine>
        <AdSystem version="1">adtop origin</AdSystem>
        <Error>\(url(ad, "error", more: "&code=[ERRORCODE]"))</Error>
        \(urls(ad, "impression").map { "<Impression>\($0)</Impression>" }.joined(separator: "\n"))
        <AdServingId>\(ad.id)-\(session)</AdServingId>
        <AdTitle>\(ad.name)</AdTitle>
        \(hasExtras ? verification(ad) : "")<Creatives>
        <Creative id="\(ad.name)" adId="\(ad.name)">
        <Linear skipoffset="00:00:05">
        \(hasExtras ? icon(ad) : "")<TrackingEvents>
        \(tracking(ad))</TrackingEvents>
        <Duration>\(Self.clock(ad.durationMs))</Duration>
        <MediaFiles>
        \(mediaFiles(ad))</MediaFiles>
        <VideoClicks><ClickThrough>\(url(ad, "clickThrough"))</ClickThrough>\
        <ClickTracking>\(url(ad, "clickTracking"))</ClickTracking></VideoClicks>
        </Linear>
        <UniversalAdId idRegistry="adtop.test">\(ad.name)</UniversalAdId>
        </Creative>
        \(hasExtras ? companion(ad) : "")</Creatives>
        </InLine>
        </Ad>

        """
    }

    /// Events that are not in TrackingEvents.
    private static let notTracked: Set<String> = ["impression", "clickTracking", "clickThrough"]

    private func tracking(_ ad: PlannedAd) -> String {
        ad.events.filter { !Self.notTracked.contains($0.name) }.map { event in
            let offset =
                event.name == AdEvent.progressName ? #" offset="\#(Self.clock(event.startMs - ad.startMs))""# : ""
            return urls(ad, event.name).map { #"<Tracking event="\#(event.name)"\#(offset)>\#($0)</Tracking>"# + "\n" }
                .joined()
        }.joined()
    }

    private func mediaFiles(_ ad: PlannedAd) -> String {
        guard ad.creative.media == .video else {
            return #"<MediaFile id="flv" delivery="progressive" type="video/x-flv" width="640" height="360""#
                + #" bitrate="800">\#(Self.cdata("\(mediaRoot)assets/\(ad.name).flv"))</MediaFile>"# + "\n"
        }
        var text =
            #"<MediaFile id="hls" delivery="streaming" type="application/x-mpegURL" width="1280" height="720""#
            + #" minBitrate="800" maxBitrate="2800">\#(Self.cdata("\(mediaRoot)assets/\(ad.name).m3u8"))</MediaFile>"#
            + "\n"
        for (height, width, bitrate) in [(360, 640, 800), (720, 1_280, 2_800)] {
            text +=
                #"<MediaFile id="mp4-\#(height)" delivery="progressive" type="video/mp4" width="\#(width)""#
                + #" height="\#(height)" bitrate="\#(bitrate)" codec="avc1.4d401e">"#
                + Self.cdata("\(mediaRoot)assets/\(ad.name)-\(height).mp4") + "</MediaFile>\n"
        }
        return text
    }

    private func verification(_ ad: PlannedAd) -> String {
        """
        <AdVerifications><Verification vendor="adtop.test-omid">\
        <JavaScriptResource apiFramework="omid" browserOptional="true">\
        \(Self.cdata("\(mediaRoot)assets/verify.js"))</JavaScriptResource>\
        <TrackingEvents><Tracking event="verificationNotExecuted">\
        \(url(ad, "verificationNotExecuted", more: "&reason=[REASON]"))</Tracking></TrackingEvents>\
        </Verification></AdVerifications>

        """
    }

    private func icon(_ ad: PlannedAd) -> String {
        """
        <Icons><Icon program="AdChoices" width="20" height="20" xPosition="right" yPosition="top">\
        <StaticResource creativeType="image/gif">\(Self.cdata("\(mediaRoot)assets/pixel.gif"))</StaticResource>\
        <IconViewTracking>\(url(ad, "iconView"))</IconViewTracking></Icon></Icons>

        """
    }

    private func companion(_ ad: PlannedAd) -> String {
        """
        <Creative><CompanionAds required="none"><Companion id="banner" width="300" height="60">\
        <StaticResource creativeType="image/gif">\(Self.cdata("\(mediaRoot)assets/pixel.gif"))</StaticResource>\
        <TrackingEvents><Tracking event="creativeView">\(url(ad, "companionView"))</Tracking></TrackingEvents>\
        </Companion></CompanionAds></Creative>

        """
    }

    private func urls(_ ad: PlannedAd, _ event: String) -> [String] {
        let count = ad.events.first { $0.name == event }?.urlCount ?? 1
        return (1...count).map { url(BeaconLink(session: session, ad: ad, event: event, urlIndex: $0)) }
    }

    private func url(_ ad: PlannedAd, _ event: String, more: String = "") -> String {
        url(BeaconLink(session: session, ad: ad, event: event, urlIndex: 1), more: more)
    }

    private func url(_ link: BeaconLink, more: String = "") -> String {
        let macros = hasMacros ? "&cb=[CACHEBUSTING]&t=[TIMESTAMP]&at=[ADPLAYHEAD]&pod=[PODSEQUENCE]" : ""
        return Self.cdata(origin + link.target(scenario: scenario) + macros + more)
    }

    /// A URL in CDATA, as VAST 4.x requires (VAST-2); the three bytes that would end the section are split.
    private static func cdata(_ text: String) -> String {
        "<![CDATA[\(text.replacing("]]>", with: "]]]]><![CDATA[>"))]]>"
    }

    /// `HH:MM:SS.mmm`.
    static func clock(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1_000
        let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { UTCDateText.padded($0, 2) }
        return "\(parts.joined(separator: ":")).\(UTCDateText.padded(milliseconds % 1_000, 3))"
    }
}
