package import Ports

/// Uplynk: its addresses and saved answers (PRV-41, PRV-42); ``UplynkProvider`` is its session.
package enum Uplynk: SavedAnswerReader, RecognisableService {
    package static let name = "uplynk"

    package static let summary = ProviderSummary(
        title: "Uplynk",
        recognition: "a host below uplynk.com or downlynk.com, or a path /preplay/ with v=2",
        supports: [
            "a session by the preplay request of its address, or by its manifest alone",
            "breaks in that answer and in those of pings, in seconds of the player's timeline",
            "pings when ad.cping=1: beacons by which the service reports, sent in fire mode only",
            "client, ping and server-side reporting; what the service reports is sent with --fire-anyway only",
        ])

    package static func place(of url: WebURL) -> ServicePlace? {
        let isHost = [".uplynk.com", ".downlynk.com"].contains(where: url.host.hasSuffix)
        let role = role(of: url)
        // Behind the host of a customer only the request for a session shows whose it is.
        let isRequest = role == .opening && url.path.hasSuffix(".json") && QueryItems(url.query)["v"] == "2"
        guard isHost || isRequest else { return nil }
        return ServicePlace(role)
    }

    /// What an address is for, by its path alone.
    static func role(of url: WebURL) -> ServicePlace.Role {
        if ["/session/ping/", "/ping/ad/"].contains(where: url.path.contains) { return .ping }
        return url.path.contains("/preplay/") ? .opening : .unknown
    }

    package static func isNamed(in text: String) -> Bool { text.contains("#UPLYNK-SEGMENT:") }

    package static func savedSession() -> any SavedSession { UplynkSavedSession() }
}
