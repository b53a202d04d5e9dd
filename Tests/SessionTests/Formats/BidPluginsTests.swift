import AdFormats
import Foundation
import Ports
import Testing

@testable import Session

/// Ads of bid endpoints as a plugin (FMT-25).
@Suite struct BidPluginsTests {
    private static let parameters = RequestParameters(version: "1.0")

    private func asked(
        _ plugin: some AdPlugin, _ format: AdFormat, _ parameters: RequestParameters = parameters
    ) throws -> HTTPRequest {
        var presenter = try plugin.makePresenter(slot: "s", format: format)
        let outputs = presenter.take(.load(AdConfig(unit: "home", format: format), parameters))
        guard case .fetch(let request)? = outputs.first else { throw AdError(.internalError, "no request") }
        return request
    }

    private func answered(_ body: String, status: Int = 200, _ format: AdFormat = .banner) throws -> PresenterOutput? {
        var presenter = try OpenRTBPlugin(configuration: ["endpoint": "https://bids.example/"])
            .makePresenter(slot: "s", format: format)
        let exchange = HTTPExchange(
            hops: [.init(url: "https://bids.example/", status: status, fields: [])], body: Array(body.utf8))
        return presenter.take(.answered(exchange)).first
    }

    @Test func theRequestIsOpenRTB() throws {
        let request = try asked(try OpenRTBPlugin(configuration: ["endpoint": "https://bids.example/bid"]), .banner)
        let body = try JSONReader.read(request.body)
        #expect(request.method == .post && request.fields["x-openrtb-version"] == "2.6")
        #expect(body["test"] == 1 && body["imp"]?.arrayValue?.first?["tagid"] == "home")
        #expect(body["imp"]?.arrayValue?.first?["banner"]?["format"] == [["w": 320, "h": 50]])
    }

    /// Every parameter that `--explain` maps to OpenRTB is in the request.
    @Test func theParametersAreInTheirFields() throws {
        var parameters = Self.parameters
        for (key, value) in [
            ("did", "tablet"), ("conn", "wifi"), ("geo", "59.25,18.5"), ("tz", "60"), ("lang", "sv"), ("appn", "Kart"),
            ("bundle", "se.kart"), ("appv", "2.1"), ("lmt", "0"), ("consent", "CP1"), ("ua", "Kart/2"),
            ("ifa", "11111111-2222-3333-4444-555555555555"),
        ] { try parameters.set(key, to: value) }
        let plugin = try OpenRTBPlugin(configuration: ["endpoint": "https://bids.example/bid"])
        let body = try JSONReader.read(try asked(plugin, .banner, parameters).body)
        let expected: [String: JSONValue] = [
            "device.ifa": "11111111-2222-3333-4444-555555555555", "device.w": 768, "device.h": 1_024,
            "device.geo.utcoffset": 60, "device.devicetype": 5, "device.language": "sv", "app.name": "Kart",
            "device.geo": ["lat": 59.25, "lon": 18.5, "utcoffset": 60], "device.connectiontype": 2,
            "imp.displaymanagerver": "1.0", "device.os": "generic", "device.osv": "1", "device.model": "tablet",
            "device.ua": "Kart/2", "app.bundle": "se.kart", "app.ver": "2.1", "device.lmt": 0, "user.consent": "CP1",
        ]
        for field in parameters.entries.compactMap(\.openRTB).flatMap({ $0.components(separatedBy: ", ") }) {
            var value = body
            for name in field.split(separator: ".") {
                value = value[String(name)] ?? .null
                if let first = value.arrayValue?.first { value = first }
            }
            #expect(value == expected[field], "\(field)")
        }
        // Consent that the person did not give is not in the request.
        #expect(try JSONReader.read(try asked(plugin, .banner).body)["user"] == nil)
    }

    @Test func aPrebidServerHasItsPathAndStoredRequest() throws {
        let plugin = try PrebidPlugin(configuration: ["endpoint": "https://pbs.example", "storedRequest": "sr-1"])
        let request = try asked(plugin, .rewarded)
        #expect(request.url.text == "https://pbs.example/openrtb2/auction")
        let body = try JSONReader.read(request.body)
        #expect(body["imp"]?.arrayValue?.first?["ext"]?["prebid"]?["storedrequest"]?["id"] == "sr-1")
    }

    @Test func theHighestBidWithMarkupIsShown() throws {
        let output = try answered(
            #"{"id":"x","seatbid":[{"bid":[{"id":"1","impid":"1","price":0.29,"adm":"<p>a"},{"id":"2","impid":"1","price":0.3,"adm":"<p>b","w":300,"h":250},{"id":"3","impid":"1","price":9}]}]}"#
        )
        guard case .loaded(let payload)? = output else { return #expect(Bool(false), "\(String(describing: output))") }
        #expect(payload.text == "<p>b" && payload.size == PixelSize(width: 300, height: 250))
    }

    private static let bids = #"""
        {"id":"x","cur":"EUR","seatbid":[{"seat":"s","bid":[
        {"id":"1","impid":"1","price":0.29,"adm":"a","lurl":"https://l/?p=${AUCTION_PRICE}&c=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}"},
        {"id":"2","impid":"1","price":0.3,"mtype":1,"adm":"<b>${AUCTION_PRICE} ${AUCTION_CURRENCY}</b>",
         "nurl":"https://w/?p=${AUCTION_PRICE}","burl":"https://b/?p=${AUCTION_PRICE}&s=${AUCTION_SEAT_ID}"}]}]}
        """#

    @Test func macrosAreFilledAndNoticesAreOwed() throws {
        guard case .loaded(let payload)? = try answered(Self.bids) else { return #expect(Bool(false)) }
        #expect(payload.text == "<b>0.3 EUR</b>")
        #expect(payload.notices.win == ["https://w/?p=0.3"])
        #expect(payload.notices.billing == ["https://b/?p=0.3&s=s"])
        #expect(payload.notices.loss == ["https://l/?p=&c=102&m=0.3"])
    }

    @Test func aBannerDoesNotFillARewardedSlot() throws {
        guard case .loaded(let payload)? = try answered(Self.bids, .rewarded) else { return #expect(Bool(false)) }
        #expect(payload.text == "a")
    }

    @Test func theWinnerOfAPrebidServerIsTheOneItMarked() throws {
        var presenter = try PrebidPlugin(configuration: ["endpoint": "https://pbs.example"])
            .makePresenter(slot: "s", format: .banner)
        let marked = Self.bids.replacing(
            #""id":"1","impid":"1","price":0.29,"adm":"a""#,
            with: #""id":"1","impid":"1","price":0.29,"adm":"${AUCTION_PRICE}","nurl":"https://w1","ext":{"prebid":{"#
                + #""events":{"imp":"https://e"},"targeting":{"hb_pb":"0.20","hb_bidder":"s"}}}"#)
        let exchange = HTTPExchange(
            hops: [.init(url: "https://pbs.example/", status: 200, fields: [])], body: Array(marked.utf8))
        guard case .loaded(let payload)? = presenter.take(.answered(exchange)).first else {
            return #expect(Bool(false))
        }
        #expect(payload.text == "0.29" && payload.notices.win == ["https://w1"])
        #expect(payload.notices.billing == ["https://e"] && payload.notices.loss.isEmpty)
    }

    @Test(arguments: [
        ("", 204, AdError.Case.noFill), ("{}", 200, .noFill), ("x", 200, .internalError), ("", 400, .invalidRequest),
        ("", 500, .internalError), ("", 200, .noFill),
    ])
    func badAnswersFail(body: String, status: Int, reason: AdError.Case) throws {
        guard case .failed(let error)? = try answered(body, status: status) else { return #expect(Bool(false)) }
        #expect(error.reason == reason)
    }
}
