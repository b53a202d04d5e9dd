package import Ports

/// Uplynk: saved answers (PRV-42, PRV-43). Its pings are beacons themselves, which ``UplynkPings`` times.
package enum Uplynk: SavedAnswerReader, RecognisableService {
    package static let name = "uplynk"

    package static let summary = ProviderSummary(
        title: "Uplynk",
        recognition:
            "a host below uplynk.com or downlynk.com, or comments UPLYNK-SEGMENT in the playlist; no sessions yet",
        supports: ["saved answers only: those of preplay requests and of pings"])

    package static func place(of url: WebURL) -> ServicePlace? {
        guard [".uplynk.com", ".downlynk.com"].contains(where: url.host.hasSuffix) else { return nil }
        if url.path.hasPrefix("/preplay/") { return ServicePlace(.opening) }
        return ServicePlace(["/session/ping/", "/ping/ad/"].contains(where: url.path.contains) ? .ping : .unknown)
    }

    package static func isNamed(in text: String) -> Bool { text.contains("#UPLYNK-SEGMENT:") }

    package static func saved(_ bytes: [UInt8]) throws(MetadataProblem) -> SavedAnswer {
        SavedAnswer(try UplynkDocument.read(bytes).answer, nextMethod: nil)
    }
}
