/// The ads of zones: HTML, OpenRTB Native 1.2 and a rewarded VAST document (FMT-20, FMT-22).
struct ZoneText {
    /// The requested zone.
    let zone: String
    /// Number of the ad within its zone, so that a refresh shows another one.
    let turn: Int
    /// Scheme and authority of beacon URLs.
    let origin: String
    /// Scheme, authority, path prefix and directory of media URLs.
    let mediaRoot: String
    /// Scenario and session in beacon URLs.
    let scenario: String
    let session: String

    private static let offers = ["Mountain bikes", "Rain jackets", "Head torches", "Tents for two"]

    private var offer: String { Self.offers[turn % Self.offers.count] }

    /// The URL of a beacon at the collector.
    private func beacon(_ event: String) -> String {
        var link = BeaconLink(session: session, podOf: zone, event: event)
        link.adId = "zone-\(zone)"
        return origin + link.target(scenario: scenario)
    }

    /// A banner: text, an image and a link.
    var banner: String {
        """
        <!doctype html><html><body style="margin:0"><div id="ad"><img src="\(mediaRoot)assets/pixel.gif" alt="\(offer)">
        <p><b>\(offer)</b> from 20 EUR</p><p><a href="https://shop.example/\(zone)">See all</a></p></div>
        <script src="mraid.js"></script>
        <script>mraid.addEventListener('ready', function () { mraid.useCustomClose(false); });</script>
        </body></html>
        """
    }

    /// A full page that uses MRAID 2.
    var interstitial: String {
        """
        <!doctype html><html><head><title>\(offer)</title><script src="mraid.js"></script></head>
        <body><h1>\(offer)</h1><p>Three days only.</p><p><a href="https://shop.example/\(zone)/sale">To the sale</a></p>
        <script>
        mraid.addEventListener('ready', function () { if (mraid.supports('calendar')) { \
        mraid.createCalendarEvent({}); } });
        function leave() { mraid.close(); }
        </script></body></html>
        """
    }

    /// Six fields, trackers for impression, viewability and click, and one tracker that needs a script.
    var native: JSONText {
        func asset(_ id: Int, _ kind: String, _ members: [JSONText.Member]) -> JSONText {
            .object([.init("id", .integer(id)), .init(kind, .object(members))])
        }
        func data(_ id: Int, _ type: Int, _ value: String) -> JSONText {
            asset(id, "data", [.init("type", .integer(type)), .init("value", .string(value))])
        }
        func image(_ id: Int, _ type: Int, _ width: Int, _ height: Int) -> JSONText {
            asset(
                id, "img",
                [
                    .init("type", .integer(type)), .init("url", .string("\(mediaRoot)assets/pixel.gif")),
                    .init("w", .integer(width)), .init("h", .integer(height)),
                ])
        }
        func tracker(_ event: Int, _ method: Int, _ name: String) -> JSONText {
            .object([
                .init("event", .integer(event)), .init("method", .integer(method)), .init("url", .string(beacon(name))),
            ])
        }
        let link: [JSONText.Member] = [
            .init("url", .string("https://shop.example/\(zone)")),
            .init("clicktrackers", .array([.string(beacon("clickTracking"))])),
        ]
        return .object([
            .init("ver", .string("1.2")),
            .init(
                "assets",
                .array([
                    asset(1, "title", [.init("text", .string("Ride further"))]),
                    data(2, 2, "\(offer), tested in rain."),
                    data(3, 3, "4.5"), image(4, 1, 80, 80), image(5, 3, 1_200, 627), data(6, 12, "Download Now"),
                ])),
            .init("link", .object(link)), .init("imptrackers", .array([.string(beacon("impression"))])),
            .init("eventtrackers", .array([tracker(2, 1, "viewable"), tracker(1, 2, "script")])),
        ])
    }

    /// A rewarded video of ten seconds in three qualities, with an end card and a reward.
    var rewarded: String {
        func cdata(_ text: String) -> String { "<![CDATA[\(text)]]>" }
        let tracking = [
            "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "pause", "resume", "mute",
            "unmute",
        ]
        .map { "<Tracking event=\"\($0)\">\(cdata(beacon($0)))</Tracking>" }.joined(separator: "\n")
        let files = [("low", 596, 426, 240), ("mid", 1_128, 854, 480), ("high", 1_628, 1_280, 720)].map {
            name, rate, width, height in
            "<MediaFile delivery=\"progressive\" type=\"video/mp4\" bitrate=\"\(rate)\" width=\"\(width)\" height=\"\(height)\">"
                + cdata("\(mediaRoot)assets/\(zone)-\(name).mp4") + "</MediaFile>"
        }.joined(separator: "\n")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <VAST version="3.0"><Ad id="\(zone)"><InLine><AdSystem>adtop origin</AdSystem><AdTitle>\(offer)</AdTitle>
            <Error>\(cdata(beacon("error") + "&code=[ERRORCODE]"))</Error>
            <Impression>\(cdata(beacon("impression")))</Impression>
            <Creatives><Creative><Linear skipoffset="00:00:08"><Duration>00:00:10</Duration><TrackingEvents>
            \(tracking)
            </TrackingEvents><VideoClicks><ClickThrough>\(cdata("https://shop.example/\(zone)"))</ClickThrough>
            <ClickTracking>\(cdata(beacon("clickTracking")))</ClickTracking></VideoClicks><MediaFiles>
            \(files)
            </MediaFiles></Linear></Creative><Creative><CompanionAds><Companion width="768" height="1024">
            <HTMLResource>\(cdata("<h1>\(offer)</h1>"))</HTMLResource>
            <CompanionClickThrough>\(cdata("https://shop.example/\(zone)/card"))</CompanionClickThrough>
            <TrackingEvents><Tracking event="creativeView">\(cdata(beacon("creativeView")))</Tracking></TrackingEvents>
            </Companion></CompanionAds></Creative></Creatives>
            <Extensions><Extension name="RewardedVideo"><RewardedVideoOn>\(cdata("1"))</RewardedVideoOn>
            <VirtualCurrency>\(cdata("Lives"))</VirtualCurrency><RewardPerView>\(cdata("12.000000"))</RewardPerView>
            <PreRollMessageOn>\(cdata("1"))</PreRollMessageOn><PostRollMessageOn>\(cdata("1"))</PostRollMessageOn>
            </Extension></Extensions></InLine></Ad></VAST>

            """
    }
}
