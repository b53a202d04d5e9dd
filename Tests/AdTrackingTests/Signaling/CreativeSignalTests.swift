import AdTracking
import Ports
import Testing

/// Envelopes of SVTA 2053, in the standard's form and as observed (TRK-28, TRK-29).
@Suite struct CreativeSignalTests {
    static func read(_ text: String) throws -> CreativeSignal {
        CreativeSignal.read(try JSONReader.read(text))
    }

    @Test func readsASlotInFull() throws {
        let signal = try Self.read(
            #"""
            {"version":2,"type":"slot","payload":[{"type":"linear","start":1.5,"duration":15,
              "identifiers":[{"scheme":"ad-id","value":"ABCD"}],"clickThrough":"https://l.example/","skipOffset":5,
              "verifications":[{"vendor":"v","resource":"https://v.example/o.js","parameters":"p"}],
              "tracking":[{"type":"impression","urls":["https://t.example/i"]},
                          {"type":"firstQuartile","offset":3.75,"urls":["https://t.example/q","https://u.example/q"]}],
              "custom":1}]}
            """#)
        #expect(signal.findings.isEmpty)
        let slot = try #require(signal.slots.first)
        #expect(signal.slots.count == 1 && signal.pods.isEmpty)
        #expect(slot.start == .milliseconds(1_500) && slot.duration == .seconds(15) && slot.skipOffset == .seconds(5))
        #expect(slot.identifiers.map(\.scheme) == ["ad-id"] && slot.identifiers.map(\.value) == ["ABCD"])
        #expect(slot.clickThrough == "https://l.example/")
        #expect(slot.verifications.first?.javaScript?.uri == "https://v.example/o.js")
        #expect(slot.tracking.map(\.type) == ["impression", "firstQuartile"])
        #expect(slot.tracking.map(\.offset) == [nil, .milliseconds(3_750)])
        #expect(slot.tracking.map(\.urls.count) == [1, 2])
        #expect(slot.extras["custom"] == 1)
    }

    /// The standard requires arrays as payloads; servers also send single objects. Version 1 is only the payload.
    @Test(arguments: [
        (#"{"version":2,"type":"slot","payload":{"duration":4}}"#, 1, 0),
        (#"{"version":2,"type":"pod","payload":[{"slots":[{"duration":4},{"duration":5}]}]}"#, 0, 2),
        (#"{"version":1,"slots":[{"duration":4}]}"#, 0, 1), (#"{"version":1,"identifiers":[{"value":"x"}]}"#, 1, 0),
        (#"{"version":2,"type":"trackingEvent","payload":[{"type":"podStart","urls":["https://t.example/"]}]}"#, 0, 0),
        (#"{"version":2,"type":"slot","payload":[]}"#, 0, 0),
    ])
    func shapes(_ text: String, _ slots: Int, _ slotsOfPods: Int) throws {
        let signal = try Self.read(text)
        #expect(signal.slots.count == slots)
        #expect(signal.pods.flatMap(\.slots).count == slotsOfPods)
        #expect(signal.findings.isEmpty)
    }

    /// Some servers send one object, or one address, where the standard has a list.
    @Test func singleNodesAreRead() throws {
        let slot =
            #"{"identifiers":{"value":77},"tracking":{"type":"start","urls":"https://t.example/s"},"verifications":{"vendor":"v"}}"#
        let signal = try Self.read(#"{"version":2,"type":"pod","payload":{"slots":\#(slot)}}"#)
        let read = try #require(signal.pods.first?.slots.first)
        #expect(read.identifiers.map(\.value) == ["77"] && read.verifications.map(\.vendor) == ["v"])
        #expect(read.tracking.map(\.type) == ["start"] && read.tracking.map(\.urls) == [["https://t.example/s"]])
        #expect(signal.findings.isEmpty)
    }

    /// As in all answers (PRV-2).
    @Test func secondsMayBeTexts() throws {
        let event = #"{"type":"progress","offset":"PT2.5S","urls":["https://t.example/p"]}"#
        let slot = #"{"start":"00:00:05","duration":"30.5","tracking":[\#(event)]}"#
        let signal = try Self.read(#"{"version":2,"type":"slot","payload":[\#(slot)]}"#)
        let read = try #require(signal.slots.first)
        #expect(read.start == .seconds(5) && read.duration == .milliseconds(30_500))
        #expect(read.tracking.map(\.offset) == [.milliseconds(2_500)] && signal.findings.isEmpty)
    }

    /// An unusable part gives a finding with its path.
    @Test(arguments: [
        (#"[]"#, "signaling-undecodable", ""),
        (#"{"version":3,"type":"slot","payload":[]}"#, "signaling-version", ".version"),
        (#"{"version":2,"type":"banner","payload":[{}]}"#, "signaling-type", ".type"),
        (#"{"version":2,"type":"slot","payload":[{"duration":"x"}]}"#, "signaling-bad-seconds", ".payload[0].duration"),
        (#"{"version":2,"type":"slot","payload":[{"start":-1}]}"#, "signaling-bad-seconds", ".payload[0].start"),
        (
            #"{"version":2,"type":"slot","payload":[{"tracking":[{"urls":["a"]}]}]}"#, "signaling-event-without-type",
            ".payload[0].tracking[0]"
        ),
        (
            #"{"version":2,"type":"pod","payload":[{"$remote":{"slots":"https://r.example/"}}],"features":{"remoteFields":true}}"#,
            "signaling-remote", ".payload[0].$remote"
        ),
        (
            #"{"version":2,"type":"slot","payload":[{}],"features":{"holograms":true}}"#, "signaling-unknown-feature",
            ".features"
        ),
    ])
    func faultsAreNamed(_ text: String, _ rule: String, _ place: String) throws {
        let signal = try Self.read(text)
        #expect(signal.findings.map(\.rule) == [rule])
        #expect(signal.findings.first?.path == CreativeSignal.member + place)
    }

    /// A required feature must not be ignored, so the envelope is rejected; a feature that is off changes nothing.
    @Test func unknownFeatures() throws {
        #expect(
            try Self.read(#"{"version":2,"type":"slot","payload":[{}],"features":{"holograms":true}}"#).slots.isEmpty)
        let off = try Self.read(#"{"version":2,"type":"slot","payload":[{}],"features":{"holograms":false}}"#)
        #expect(off.slots.count == 1 && off.findings.isEmpty)
    }

    @Test func limitsAreReported() throws {
        let slots = Array(repeating: "{}", count: CreativeSignal.slotLimit + 5).joined(separator: ",")
        let many = try Self.read(#"{"version":2,"type":"slot","payload":[\#(slots)]}"#)
        #expect(many.slots.count == CreativeSignal.slotLimit + 1)
        #expect(many.findings.map(\.rule) == ["signaling-too-many"])
        let event = #"{"type":"start","urls":["https://t.example/"]}"#
        let events = Array(repeating: event, count: CreativeSignal.eventLimit + 1).joined(separator: ",")
        let busy = try Self.read(#"{"version":2,"type":"slot","payload":[{"tracking":[\#(events)]}]}"#)
        #expect(busy.slots.first?.tracking.count == CreativeSignal.eventLimit)
        #expect(busy.findings.map(\.rule) == ["signaling-too-many"])
    }

    @Test func attributesAreBase64() {
        // {"version":2,"type":"slot","payload":[{"duration":4}]}
        let text = "eyJ2ZXJzaW9uIjoyLCJ0eXBlIjoic2xvdCIsInBheWxvYWQiOlt7ImR1cmF0aW9uIjo0fV19"
        #expect(CreativeSignal.read(attribute: text).slots.first?.duration == .seconds(4))
        #expect(CreativeSignal.read(attribute: "*").findings.map(\.rule) == ["signaling-undecodable"])
        #expect(CreativeSignal.read(attribute: "e30x").findings.map(\.rule) == ["signaling-undecodable"])
    }

    /// Starts of slots are offsets from their pod; the first slot without a start begins with the pod.
    @Test func slotsOfPodsAreCountedFromOnePoint() throws {
        let signal = try Self.read(
            #"{"version":2,"type":"pod","payload":[{"start":10,"slots":[{"duration":5},{"start":7}]}]}"#)
        #expect(signal.allSlots.map(\.start) == [.seconds(10), .seconds(17)])
    }
}
