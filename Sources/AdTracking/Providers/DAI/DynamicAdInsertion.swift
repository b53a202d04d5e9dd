package import Ports

/// Google Ad Manager DAI: recognised by its addresses and not followed yet.
package enum DynamicAdInsertion: RecognisableService {
    package static let name = "dai"
    package static let title = "Google Ad Manager DAI"

    private static let hosts: Set<String> = ["dai.google.com", "pubads.g.doubleclick.net"]
    private static let parts: Set<Substring> = ["linear", "ondemand", "ssai"]

    package static func place(of url: WebURL) -> ServicePlace? {
        let steps = url.path.split(separator: "/")
        guard hosts.contains(url.host), steps.dropLast().contains(where: parts.contains) else { return nil }
        if steps.last == "stream" || steps.last == "streams" { return ServicePlace(.opening) }
        guard let tracking = tracking(steps, of: url) else { return ServicePlace() }
        return ServicePlace(.multivariant, tracking: tracking)
    }

    /// `linear/{hls|dash}/pa/event/KEY/stream/ID/master.m3u8` has its data at `linear/v1/pa/event/KEY/stream/ID/metadata`.
    private static func tracking(_ steps: [Substring], of url: WebURL) -> WebURL? {
        guard steps.count == 8, steps[0] == "linear", steps[1] == "hls" || steps[1] == "dash", steps[2] == "pa",
            steps[3] == "event", steps[5] == "stream", steps[7] == "master.m3u8" || steps[7] == "manifest.mpd"
        else { return nil }
        return try? url.with(path: "/linear/v1/pa/event/\(steps[4])/stream/\(steps[6])/metadata", query: nil)
    }
}
