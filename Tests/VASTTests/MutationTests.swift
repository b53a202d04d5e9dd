import Ports
import Testing

@testable import VAST

/// Every input gives a verdict and none traps.
@Suite struct MutationTests {
    private static let seed: UInt64 = 0x5EED_0A57
    private static let rounds = 5_000

    static let samples: [[UInt8]] = [
        """
        <?xml version="1.0" encoding="UTF-8"?><VAST version="4.2"><Error>https://t.example.test/[ERRORCODE]</Error>
        <Ad id="1" sequence="1"><InLine><AdSystem>s</AdSystem><AdTitle>é</AdTitle><Impression><![CDATA[https://t]]>
        </Impression><Creatives><Creative id="c"><Linear skipoffset="25%"><Duration>00:00:15.5</Duration><TrackingEvents>
        <Tracking event="progress" offset="99%">https://t/%5BIFA%5D</Tracking></TrackingEvents><MediaFiles><MediaFile
        width="640" height="99999999999999999999" bitrate="1" delivery="progressive" type="video/mp4">https://c/a.mp4
        </MediaFile></MediaFiles><Icons><Icon program="p"><HTMLResource>&lt;b&gt;</HTMLResource></Icon></Icons></Linear>
        </Creative></Creatives></InLine></Ad><Ad><Wrapper fallbackOnNoAd="1"><VASTAdTagURI>//x</VASTAdTagURI></Wrapper></Ad>
        </VAST>
        """,
        """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"><vmap:AdBreak timeOffset="#1"
        breakType="linear" repeatAfter="00:00:01"><vmap:AdSource><vmap:VASTAdData><![CDATA[<VAST version="3.0"><Ad/></VAST>]]>
        </vmap:VASTAdData></vmap:AdSource></vmap:AdBreak><vmap:AdBreak timeOffset="12.5%"/></vmap:VMAP>
        """,
    ].map { Array($0.utf8) }

    private func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        let words = [
            "<", ">", "]]>", "<![CDATA[", "&", "&#x0;", "\"", "<!DOCTYPE a [", "<Ad>", "</Ad>", "%", "-1", "\u{202E}",
        ]
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.insert(contentsOf: words[Int.random(in: 0..<words.count, using: &random)].utf8, at: place)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
            case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 200)], at: place)
            default: bytes.removeLast(bytes.count - place)
            }
        }
        return bytes
    }

    @Test func neverTraps() {
        var random = SplitMix64(seed: Self.seed)
        var outcomes: Set<VASTReading.Outcome> = []
        for round in 0..<Self.rounds {
            let bytes = mutate(Self.samples[round % Self.samples.count], &random)
            let reading = VASTReader.read(bytes)
            outcomes.insert(reading.outcome)
            let findings = reading.findings()
            #expect(reading.isGood || !findings.isEmpty, "seed \(Self.seed) round \(round): an error without a finding")
            #expect(findings.allSatisfy { LintRule(rawValue: $0.rule) != nil }, "seed \(Self.seed) round \(round)")
            _ = reading.json(findings: findings).text()
            if let document = reading.vmap { _ = VMAPSchedule(document, duration: 60_000) }
            resolve(bytes, seed: UInt64(round))
        }
        #expect(outcomes.isSuperset(of: [.ok, .xmlError]), "seed \(Self.seed)")
    }

    private func resolve(_ bytes: [UInt8], seed: UInt64) {
        var resolution = WrapperResolution(tag: "https://t.example.test/", values: MacroValues(), seed: seed)
        var open = resolution.start()
        var count = 0
        while let fetch = open.popLast(), count < 200 {
            count += 1
            open += resolution.answered(fetch.id, with: .body(bytes, url: fetch.url.text))
        }
        #expect(
            resolution.isFinished && count <= ResolutionOptions().maximumRequests, "seed \(Self.seed) round \(seed)")
        for ad in resolution.result.ads {
            _ = TrackingPlan(ad)
            for linear in ad.linears { _ = MediaSelection(of: linear.linear.mediaFiles, for: .television) }
        }
    }
}
