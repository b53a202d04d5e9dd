import Ports

/// What an address of the service is for (PRV-44).
enum DAIAddress: Hashable, Sendable {
    /// A session is asked for here.
    case stream
    /// The manifest of a session.
    case session(id: String, metadata: WebURL)
    /// A manifest without a session; one can be asked for there.
    case event(stream: WebURL)
    /// Pod serving: another service makes the manifest.
    case pods

    private static let hosts: Set<String> = ["dai.google.com", "pubads.g.doubleclick.net"]
    private static let parts: Set<Substring> = ["linear", "ondemand", "ssai"]
    private static let formats: Set<Substring> = ["hls", "dash"]
    private static let manifests: Set<Substring> = ["master.m3u8", "manifest.mpd"]

    /// Nil for an address of no such form, at whatever host.
    init?(_ url: WebURL) {
        let steps = url.path.split(separator: "/")
        guard let start = steps.firstIndex(where: Self.parts.contains) else { return nil }
        let (prefix, rest) = (steps[..<start], Array(steps[start...]))
        func sibling(_ path: String) -> WebURL? {
            try? url.with(path: "/" + (prefix.map(String.init) + [path]).joined(separator: "/"), query: nil)
        }
        guard let last = rest.last, rest.count > 2 else { return nil }
        if rest.contains("pods") {
            self = .pods
        } else if ["stream", "streams"].contains(last), rest[1] == "v1", Self.formats.contains(rest[2]) {
            self = .stream
        } else if rest.count == 8, rest[0] == "linear", Self.formats.contains(rest[1]), rest[2] == "pa",
            rest[3] == "event",
            rest[5] == "stream", Self.manifests.contains(last),
            let metadata = sibling("linear/v1/pa/event/\(rest[4])/stream/\(rest[6])/metadata")
        {
            self = .session(id: String(rest[6]), metadata: metadata)
        } else if Self.manifests.contains(last), let event = Self.event(rest),
            let stream = sibling("linear/v1/\(event.format)/event/\(event.key)/stream")
        {
            self = .event(stream: stream)
        } else {
            return nil
        }
    }

    /// `linear/{hls|dash}/event/KEY/master.m3u8` and `ssai/event/KEY/master.m3u8`.
    private static func event(_ steps: [Substring]) -> (format: Substring, key: Substring)? {
        if steps.count == 5, steps[0] == "linear", formats.contains(steps[1]), steps[2] == "event" {
            return (steps[1], steps[3])
        }
        if steps.count == 4, steps[0] == "ssai", steps[1] == "event" {
            return (steps[3] == "manifest.mpd" ? "dash" : "hls", steps[2])
        }
        return nil
    }

    /// Whether the host is one of the service's, and the path has one of its parts.
    static func isAtService(_ url: WebURL) -> Bool {
        hosts.contains(url.host) && url.path.split(separator: "/").dropLast().contains(where: parts.contains)
    }

    /// What the address is for, of one at the service.
    static func place(of url: WebURL) -> ServicePlace? {
        guard isAtService(url) else { return nil }
        switch DAIAddress(url) {
        case .stream: return ServicePlace(.opening)
        case .session(_, let metadata): return ServicePlace(.multivariant, tracking: metadata)
        case .pods:
            return ServicePlace(
                ["stream", "streams"].contains(url.path.split(separator: "/").last) ? .opening : .unknown)
        case .event, nil: return ServicePlace()
        }
    }
}
