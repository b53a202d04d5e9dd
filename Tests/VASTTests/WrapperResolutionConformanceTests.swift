import Foundation
import Ports
import Testing

@testable import VAST

/// The 31 worked chains: requests, pixels, merged lists.
@Suite(.enabled(if: Conformance.isPresent, "\(Conformance.absence)"))
struct WrapperResolutionConformanceTests {
    static let scenarios: [String] = {
        guard let folder = Conformance.folder?.appendingPathComponent("scenarios") else { return [] }
        // An unreadable folder has no scenarios; the count below notices.
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }()

    private struct Run {
        var resolution: WrapperResolution
        var requests: [String] = []
        var result: ResolutionResult { resolution.result }
    }

    private func run(_ name: String, _ scenario: JSONValue) throws -> Run {
        var options = ResolutionOptions()
        if let limit = scenario["options"]?["max_wrappers"]?.integerValue { options.maximumWrappers = Int(limit) }
        let entry = try #require(scenario["entry"]?.stringValue)
        var run = Run(
            resolution: WrapperResolution(tag: entry, options: options, values: MacroValues(), seed: 1))
        var open = run.resolution.start()
        while !open.isEmpty {
            let fetch = open.removeFirst()
            run.requests.append(fetch.url.text)
            try #require(run.requests.count < 100)
            open += run.resolution.answered(fetch.id, with: try answer(fetch.url.text, name, scenario))
        }
        #expect(run.resolution.isFinished)
        return run
    }

    private func answer(_ url: String, _ name: String, _ scenario: JSONValue) throws -> TagAnswer {
        if let file = scenario["files"]?[url]?.stringValue {
            return .body(try Conformance.bytes("scenarios/\(name)/\(file)"), url: url)
        }
        let status = scenario["http_status"]?[url]?.integerValue ?? 404
        return status == 0 ? .unavailable("did not answer") : .httpStatus(Int(status))
    }

    @Test func allAreThere() {
        #expect(Self.scenarios.count == 31)
    }

    @Test(arguments: scenarios)
    func resolvesAsWritten(name: String) throws {
        let scenario = try Conformance.json("scenarios/\(name)/scenario.json")
        let expected = try #require(scenario["expected"])
        let run = try run(name, scenario)
        let result = run.result
        #expect((result.isOK ? "ok" : "error") == expected["outcome"]?.stringValue)
        if let code = expected["error_code"]?.integerValue { #expect(result.failure?.code == Int(code)) }
        checkRequests(run, expected)
        checkPixels(result, expected)
        func texts(_ member: String) -> [String]? { expected[member]?.arrayValue?.compactMap(\.stringValue) }
        if let pod = texts("pod") { #expect(result.pod.map(\.ad.id) == pod) }
        if let standalone = texts("standalone") { #expect(result.standalone.map(\.ad.id) == standalone) }
        if let first = expected["first_playable"]?.stringValue { #expect(result.firstPlayable?.ad.id == first) }
        guard let ads = expected["ads"]?.arrayValue else { return }
        #expect(result.ads.map(\.ad.id) == ads.map { $0["id"]?.stringValue })
        for (ours, wanted) in zip(result.ads, ads) { checkAd(ours, wanted) }
    }

    private func checkRequests(_ run: Run, _ expected: JSONValue) {
        if let requests = expected["requests"]?.arrayValue {
            #expect(run.requests == requests.compactMap(\.stringValue))
        }
        if let most = expected["requests_max"]?.integerValue { #expect(run.requests.count <= Int(most)) }
        let forbidden = expected["must_not_request"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(Set(forbidden).isDisjoint(with: run.requests))
    }

    private func checkPixels(_ result: ResolutionResult, _ expected: JSONValue) {
        let fired = result.pixels.map(\.url)
        func texts(_ member: String) -> [String] { expected[member]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        let wanted = texts("fire")
        #expect(Set(wanted).isSubset(of: fired))
        #expect(Set(texts("must_not_fire")).isDisjoint(with: fired))
        #expect(Set(fired).isSubset(of: wanted + texts("fire_optional")))
        #expect(Set(fired).count == fired.count, "each once")
    }

    private func checkAd(_ ad: ResolvedAd, _ wanted: JSONValue) {
        func texts(_ value: JSONValue?) -> Set<String>? { value?.arrayValue.map { Set($0.compactMap(\.stringValue)) } }
        func check(_ member: String, _ ours: [String]) {
            guard let theirs = texts(wanted[member]) else { return }
            #expect(Set(ours) == theirs, "\(member)")
            #expect(Set(ours).count == ours.count, "\(member): each once")
        }
        if let chain = wanted["chain"]?.arrayValue { #expect(ad.chain.map(\.ad.id) == chain.map(\.stringValue)) }
        if let sequence = wanted["sequence"]?.integerValue { #expect(ad.sequence == Int(sequence)) }
        check("impressions", ad.impressions.map(\.value.url))
        check("errors", ad.errors.map(\.value.url))
        check("click_tracking", ad.linears.flatMap(\.clickTracking).map(\.value.url))
        check("verification_vendors", ad.verifications.compactMap(\.value.vendor))
        check("extensions", ad.extensions.compactMap(\.value.type))
        check("viewable", ad.viewableImpressions.flatMap(\.value.viewable).map(\.url))
        check("media", ad.linears.flatMap(\.linear.mediaFiles).map(\.url))
        check("companions_all", ad.companionAds.flatMap(\.value.companions).compactMap(\.id))
        for member in wanted["tracking"]?.objectValue?.members ?? [] {
            let ours = ad.linears.flatMap(\.tracking).filter { $0.value.event == member.name }.map(\.value.url)
            #expect(Set(ours) == texts(member.value), "\(member.name)")
        }
        if let progress = wanted["progress"]?.arrayValue {
            let ours = ad.linears.flatMap(\.progress)
            #expect(Set(ours.map(\.value.url)) == Set(progress.compactMap { $0["url"]?.stringValue }))
            #expect(ours.allSatisfy { $0.value.point == .percent(25) })
        }
        if let url = wanted["click_through"]?.stringValue { #expect(ad.linears.first?.clickThrough?.value.url == url) }
        if let url = wanted["icon_shown"]?.stringValue {
            #expect(ad.linears.first?.icons.map { $0.value.resources.statics.first?.url } == [url])
        }
        if let id = wanted["companion_preferred"]?.stringValue {
            #expect(ad.preferredCompanionAds?.companions.map(\.id) == [id])
        }
        if let pricing = wanted["pricing"] { #expect(ad.pricing?.value.json == pricing) }
    }
}
