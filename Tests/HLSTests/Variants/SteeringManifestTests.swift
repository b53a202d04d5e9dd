import HLS
import Ports
import Testing

/// Steering manifests and clones of pathways (rfc8216bis-22 section 7).
@Suite struct SteeringManifestTests {
    private static func read(_ text: String) throws(SteeringProblem) -> SteeringManifest {
        try SteeringManifest.read(Array(text.utf8))
    }

    private static func problem(_ text: String) -> String? {
        do throws(SteeringProblem) {
            _ = try read(text)
            return nil
        } catch {
            return error.explanation
        }
    }

    @Test func everyMemberIsRead() throws {
        let manifest = try Self.read(
            #"""
            {"VERSION":1,"TTL":30,"RELOAD-URI":"/next?s=1","PATHWAY-PRIORITY":["B","A",7],
             "PATHWAY-CLONES":[{"BASE-ID":"A","ID":"C","URI-REPLACEMENT":{"HOST":"c.example.com",
              "PARAMS":{"t":"1"},"PER-VARIANT-URIS":{"v1":"https://x.example.com/v1.m3u8"}}},{"ID":"D"}]}
            """#)
        #expect(manifest.lifetime == .seconds(30))
        #expect(manifest.reloadURI == "/next?s=1")
        #expect(manifest.priority == ["B", "A"])
        #expect(manifest.clones.map(\.id) == ["C"], "one without BASE-ID is no clone")
        #expect(manifest.clones.first?.parameters == ["t": "1"])
    }

    @Test func timeToLiveIsBounded() throws {
        #expect(try Self.read(#"{"VERSION":1}"#).lifetime == .seconds(300))
        #expect(try Self.read(#"{"VERSION":1,"TTL":0}"#).lifetime == .seconds(5))
        #expect(try Self.read(#"{"VERSION":1,"TTL":-4}"#).lifetime == .seconds(5))
        #expect(try Self.read(#"{"VERSION":1,"TTL":1e30}"#).lifetime == .seconds(300), "no number of seconds")
        #expect(try Self.read(#"{"VERSION":1,"TTL":1000000}"#).lifetime == .seconds(86_400))
    }

    @Test func whatIsNoManifestSaysWhy() {
        #expect(Self.problem("<html>")?.hasPrefix("is not JSON") == true)
        #expect(Self.problem("[1]") == "is not a JSON object")
        #expect(Self.problem("{}") == "does not have VERSION 1")
        #expect(Self.problem(#"{"VERSION":2}"#) == "does not have VERSION 1")
    }

    @Test func clonesTakeHostParametersAndOwnAddresses() throws {
        var first = Variant(uri: "https://a.example.com:8443/v/1.m3u8?z=2&t=old")
        first.pathwayID = "A"
        var second = Variant(uri: "https://a.example.com/v/2.m3u8")
        second.pathwayID = "A"
        second.stableVariantID = "two"
        let options = try [first, second].enumerated().map {
            VariantOption(number: $0 + 1, variant: $1, url: try WebURL($1.uri))
        }
        let manifest = try Self.read(
            #"""
            {"VERSION":1,"PATHWAY-CLONES":[{"BASE-ID":"A","ID":"C","URI-REPLACEMENT":{"HOST":"c.example.com",
              "PARAMS":{"t":"new","b":"1"},"PER-VARIANT-URIS":{"two":"https://x.example.com/own.m3u8"}}},
             {"BASE-ID":"A","ID":"A","URI-REPLACEMENT":{"HOST":"d.example.com"}},
             {"BASE-ID":"A","ID":"E","URI-REPLACEMENT":{"HOST":"not a host"}}]}
            """#)
        let all = manifest.cloning(options)
        #expect(
            all.dropFirst(2).map(\.url.text) == [
                "https://c.example.com:8443/v/1.m3u8?z=2&b=1&t=new", "https://x.example.com/own.m3u8",
            ])
        #expect(all.map(\.number) == [1, 2, 3, 4])
        #expect(all.map(\.pathway) == ["A", "A", "C", "C"])
        #expect(manifest.cloning(all) == all, "a clone that is there is not made again")
    }

    /// The host of an address has no port of its own; texts are escaped where a query needs it.
    @Test(
        arguments: [
            ("https://a.example.com:8443/v.m3u8", "c.example.com", "t", "1", "https://c.example.com:8443/v.m3u8?t=1"),
            ("https://a.example.com:8443/v.m3u8", "c.example.com:9", "t", "1", "https://c.example.com:9/v.m3u8?t=1"),
            ("https://a.example.com/v.m3u8", "[2001:db8::1]", "t", "1", "https://[2001:db8::1]/v.m3u8?t=1"),
            ("https://[::1]:81/v.m3u8", "[2001:db8::1]", "t", "1", "https://[2001:db8::1]:81/v.m3u8?t=1"),
            ("https://u:1@a.example.com/v.m3u8", "c.example.com", "t", "1", "https://c.example.com/v.m3u8?t=1"),
            (
                "https://a.example.com/v.m3u8?t=0", "c.example.com", "t", "a b&c#\n=é%2F/",
                "https://c.example.com/v.m3u8?t=a%20b%26c%23%0A=%C3%A9%2F/"
            ),
            ("https://a.example.com/v.m3u8", "c.example.com", "a=b", "1", "https://c.example.com/v.m3u8?a%3Db=1"),
        ])
    func whatAClonedAddressTakes(_ base: String, _ host: String, _ name: String, _ value: String, _ expected: String)
        throws
    {
        var variant = Variant(uri: base)
        variant.pathwayID = "A"
        var manifest = try Self.read(
            #"{"VERSION":1,"PATHWAY-CLONES":[{"BASE-ID":"A","ID":"C","URI-REPLACEMENT":{"HOST":"h"}}]}"#)
        manifest.clones[0].host = host
        manifest.clones[0].parameters = [name: value]
        let all = manifest.cloning([VariantOption(number: 1, variant: variant, url: try WebURL(base))])
        #expect(all.dropFirst().map(\.url.text) == [expected])
    }

    /// Each manifest may clone what the ones before cloned.
    @Test func theNumberOfVariantsIsBounded() throws {
        var options = try (1...200).map { number in
            var variant = Variant(uri: "https://a.example.com/v/\(number).m3u8")
            variant.pathwayID = "A"
            return VariantOption(number: number, variant: variant, url: try WebURL(variant.uri))
        }
        for round in 0..<3 {
            let clones = (0..<SteeringManifest.cloneLimit).map { number in
                #"{"BASE-ID":"A","ID":"C\#(round)-\#(number)","URI-REPLACEMENT":{"HOST":"h\#(number).example.com"}}"#
            }
            options = try Self.read(#"{"VERSION":1,"PATHWAY-CLONES":[\#(clones.joined(separator: ","))]}"#)
                .cloning(options)
        }
        #expect(options.count == SteeringManifest.variantLimit)
        #expect(Set(options.map(\.number)).count == options.count)
    }
}
