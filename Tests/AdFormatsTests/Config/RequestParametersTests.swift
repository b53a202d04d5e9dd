import AdFormats
import Ports
import Testing

@Suite struct RequestParametersTests {
    @Test func thereAreEighteenAndThreeMayChange() {
        let parameters = RequestParameters(version: "1.0")
        #expect(parameters.entries.count == 18)
        #expect(parameters.entries.filter { $0.kind == .dynamic }.map(\.key) == ["geo", "o", "conn"])
        #expect(Set(parameters.entries.map(\.key)).count == 18)
        #expect(parameters.json["did"] == "phone" && parameters.json["lmt"] == "1")
    }

    @Test func nothingOfTheMachineIsInThem() {
        let values = RequestParameters(version: "1.0").json
        #expect(values["ifa"] == .string(RequestParameters.zeroID) && values["geo"] == "" && values["model"] == "phone")
    }

    @Test func theQueryIsEncodedAndLeavesOutWhatIsEmpty() {
        var config = AdConfig(unit: "a b&c", format: .banner)
        config.extra = [.init("hb_bid", "ä")]
        let query = RequestParameters(version: "1.0").query(for: config)
        #expect(query.hasPrefix("zone=a%20b%26c&ifa=") && query.hasSuffix("&hb_bid=%C3%A4"))
        #expect(!query.contains("geo=") && !query.contains("consent="))
    }

    @Test func namedSizesAreKnown() {
        let sizes = NamedSizes(["BOX_BANNER": PixelSize(width: 320, height: 150)])
        #expect(NamedSizes().size(of: "BOX_BANNER", on: .phone) == PixelSize(width: 300, height: 250))
        #expect(sizes.size(of: "BOX_BANNER", on: .phone) == PixelSize(width: 320, height: 150))
        #expect(NamedSizes().size(of: "SMART_BANNER", on: .tablet) == PixelSize(width: 768, height: 50))
        #expect(DeviceProfile.phone.banner.rows == 4 && DeviceProfile.tablet.banner.rows == 6)
    }

    @Test(arguments: ["320x50x1", "0x50", "-1x5", "99999x1", "ax5", ""])
    func badSizesAreNone(text: String) {
        #expect(PixelSize(text: text) == nil)
    }

    @Test(arguments: [
        ("o", "l"), ("conn", "wifi"), ("geo", "59.3,-18.1"), ("geo", ""), ("did", "tablet"), ("lmt", "0"),
        ("tz", "-60"),
        ("lang", "sv"), ("consent", "CP"), ("ua", "Player/2"),
    ])
    func parametersAreSetByTheirKeys(key: String, value: String) throws {
        var parameters = RequestParameters(version: "1.0")
        try parameters.set(key, to: value)
        #expect(parameters.json[key] == .string(value))
        #expect(parameters.entries.count == 18)
    }

    @Test func aDeviceBringsItsScreen() throws {
        var parameters = RequestParameters(version: "1.0")
        try parameters.set("did", to: "tablet")
        #expect(parameters.json["scr"] == "768x1024" && parameters.json["model"] == "tablet")
    }

    @Test(arguments: [
        ("o", "sideways"), ("conn", ""), ("geo", "here"), ("geo", "91,0"), ("geo", "nan,0"), ("did", "fridge"),
        ("lmt", "yes"),
        ("tz", "900"), ("ua", "a\r\nCookie: b"), ("scr", "1x1"), ("sdkv", "9"),
    ])
    func whatCannotBeSaidIsRefused(key: String, value: String) {
        var parameters = RequestParameters(version: "1.0")
        #expect(throws: RequestParameters.Problem.self) { try parameters.set(key, to: value) }
        #expect(parameters == RequestParameters(version: "1.0"))
    }
}
