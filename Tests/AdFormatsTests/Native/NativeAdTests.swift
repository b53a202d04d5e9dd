import AdFormats
import Ports
import TestSupport
import Testing

/// Native markup and the ad that a publisher receives (FMT-22).
@Suite struct NativeAdTests {
    @Test(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
    func sharedVectors() throws {
        let bytes = try #require(ConformanceFolder.files(in: "bidding")["native-cases.json"])
        let document = try JSONReader.read(bytes)
        let cases = try #require(document["cases"]?.arrayValue)
        #expect(cases.count >= 6)
        for vector in cases {
            let id = vector["id"]?.stringValue ?? ""
            let expected = try #require(vector["expect"])
            let request = vector["request"].flatMap { $0 == .null ? nil : $0 }
            let response = try #require(vector["response"])
            let markup = NativeMarkup(response, request: request)
            #expect(
                markup.warnings == expected["warnings"]?.arrayValue?.compactMap(\.stringValue), "\(id)")
            guard expected["error"] == nil else {
                let error = #expect(throws: AdError.self) { try NativeAd(markup) }
                #expect(error?.reason.rawValue == expected["error"]?.stringValue, "\(id)")
                continue
            }
            var ad = try NativeAd(markup)
            try check(&ad, expected, id)
        }
    }

    /// An asset that was not requested has no type; a tracker needs event, method and URL (OpenRTB Native 1.2 section 5.8).
    @Test func unrequestedAssetsAndIncompleteTrackersAreNamed() throws {
        let request = try JSONReader.read(#"{"assets":[{"id":1,"title":{"len":25}}]}"#)
        let response = try JSONReader.read(
            """
            {"link":{"url":"https://l.example/"},"assets":[{"id":1,"title":{"text":"t"}},{"id":7,"data":{"value":"x"}},
            {"id":8,"img":{"url":"https://i.example/"}}],"eventtrackers":[{"event":1,"method":1},
            {"event":1,"method":1,"url":"https://t.example/"}]}
            """)
        let markup = NativeMarkup(response, request: request)
        #expect(markup.warnings == ["unrequestedAsset:7", "unrequestedAsset:8", "incompleteTracker"])
        #expect(markup.eventTrackers.map(\.url) == ["https://t.example/"] && !markup.isInvalid)
        #expect(NativeMarkup(response, request: nil).warnings.contains("unknownDataType"))
    }

    @Test(arguments: [
        #"{"id":5}"#, #"{"id":5,"img":{}}"#, #"{"id":5,"img":{"url":""}}"#, #"{"id":5,"data":{"value":null}}"#,
    ])
    func aRequiredAssetWithoutContentIsMissing(asset: String) throws {
        let request = try JSONReader.read(#"{"assets":[{"id":5,"required":1,"img":{"type":3}}]}"#)
        let response = try JSONReader.read(#"{"link":{"url":"https://l.example/"},"assets":[\#(asset)]}"#)
        let markup = NativeMarkup(response, request: request)
        #expect(markup.warnings == ["missingRequiredAsset:5"] && markup.isInvalid)
    }

    /// OpenRTB transports the request as a string, in an object of its own before version 1.1.
    @Test(arguments: [false, true])
    func aRequestMayBeText(isWrapped: Bool) throws {
        let assets = #"{"assets":[{"id":5,"required":1,"img":{"type":3}}]}"#
        let text = isWrapped ? #"{"native":\#(assets)}"# : assets
        let markup = NativeMarkup(
            ["link": ["url": "https://l.example/"], "assets": [["id": 5, "img": ["url": "https://i.example/"]]]],
            request: .string(text))
        #expect(markup.image?.url == "https://i.example/" && markup.warnings.isEmpty)
    }

    @Test func addressesThatRunCodeOrCannotBeRequestedAreNamed() throws {
        let response = try JSONReader.read(
            """
            {"link":{"url":" JavaScript:x","clicktrackers":["https://t.example/"]},"assets":[],
            "imptrackers":["javascript:x","//t/i","${MACRO}/i","HTTPS://t.example/"],
            "eventtrackers":[{"event":1,"method":1,"url":"/e"}]}
            """)
        let markup = NativeMarkup(response, request: nil)
        #expect(
            markup.warnings == [
                "linkScheme:javascript", "badTracker:javascript:x", "badTracker://t/i", "badTracker:/e",
            ])
        #expect(markup.isInvalid)
        let app = try JSONReader.read(#"{"link":{"url":"shop://item/1","fallback":"https://l.example/"},"assets":[]}"#)
        #expect(NativeMarkup(app, request: nil).warnings.isEmpty)
    }

    private func check(_ ad: inout NativeAd, _ expected: JSONValue, _ id: String) throws {
        let fields = try #require(expected["fields"])
        #expect(ad.title == fields["title"]?.stringValue, "\(id)")
        #expect(ad.description == fields["description"]?.stringValue, "\(id)")
        #expect(ad.rating == fields["rating"]?.stringValue, "\(id)")
        #expect(ad.iconURL == fields["iconURL"]?.stringValue, "\(id)")
        #expect(ad.imageURL == fields["imageURL"]?.stringValue, "\(id)")
        #expect(ad.buttonText == fields["buttonText"]?.stringValue, "\(id)")
        func texts(_ name: String) -> [String] { expected[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        #expect(ad.trackImpression() == .due(texts("onImpression")), "\(id)")
        #expect(ad.trackViewable50() == .due(texts("onViewable50")), "\(id)")
        #expect(ad.openClick().trackers == texts("onClick"), "\(id)")
        #expect(ad.openClick().url == expected["clickURL"]?.stringValue, "\(id)")
        #expect(ad.unsupportedTrackers == texts("unsupportedTrackers"), "\(id)")
    }

    private static let markup: JSONValue = [
        "assets": [["title": ["text": "Ride"]]],
        "link": ["url": "https://n.example/", "clicktrackers": ["https://c/"]],
        "imptrackers": ["https://i/"],
    ]

    @Test func aSecondImpressionIsRefused() throws {
        var ad = try NativeAd(NativeMarkup(Self.markup, request: nil))
        #expect(ad.trackImpression() == .due(["https://i/"]))
        #expect(ad.trackImpression() == .duplicate)
    }

    @Test func everyClickCounts() throws {
        let ad = try NativeAd(NativeMarkup(Self.markup, request: nil))
        #expect(ad.openClick() == ad.openClick())
        #expect(ad.openClick().trackers == ["https://c/"])
    }

    @Test func trackersAreNotPartOfTheFace() throws {
        // Code without reflection cannot read any tracker of an ad.
        let ad = try NativeAd(NativeMarkup(Self.markup, request: nil))
        let readable = [ad.title, ad.description, ad.rating, ad.iconURL, ad.imageURL, ad.buttonText].compactMap(\.self)
        #expect(readable == ["Ride"])
    }

    @Test func textThatHoldsAnObjectIsRead() throws {
        let ad = try NativeAd(NativeMarkup(.string(Self.markup.text()), request: nil))
        #expect(ad.title == "Ride")
    }

    @Test(arguments: [JSONValue.string("{"), .array([]), 5, .null])
    func whatIsNoObjectIsInvalid(markup: JSONValue) {
        let read = NativeMarkup(markup, request: nil)
        #expect(read.isInvalid && read.warnings == ["notAnObject"])
    }
}
