import AdTracking
import HLS
import Ports
import Session

/// How one viewer follows a stream, and what it may send.
struct SessionSettings: Equatable, Sendable {
    var provider = ProviderSetting.auto
    /// Nil selects fire on loopback and observe elsewhere.
    var mode: ReportingMode?
    var allowHosts: [String] = []
    var allowsPrivate = false
    var isInitRequest = true
    /// Whether a new session is requested when the server ends the session.
    var renews = true
    var poll: Duration = .seconds(4)
    var keep: Duration = .seconds(7_200)
    var rate = 1.0
    var start = StartOption.standard
    var variant = VariantWish.best
    var isLowLatency = true
    var playsInterstitials = true
    var userAgent: String?
    var isReadonly = false
    /// Which beacons are repeated.
    var retry = RetrySetting.safe
    var seed: UInt64?
}

extension SettingSection {
    static let session = SettingSection(
        title: "Session",
        settings: [
            SettingSpec(
                .provider, "ad metadata provider: \(ProviderSetting.choices)", default: "auto", scope: .session,
                \.session.provider,
                .name()),
            SettingSpec(
                .mode, "reporting mode: observe, fire, or auto (fire on loopback, else observe)", default: "auto",
                scope: .session, \.session.mode,
                SettingType<ReportingMode>.name(also: ["auto"]).or("auto")),
            SettingSpec(
                .allowHost,
                "comma-separated hosts that beacons may be sent to, at private addresses too (default every public host)",
                scope: .session,
                list: .commas("a host name"),
                \.session.allowHosts, .hosts),
            SettingSpec(
                .allowPrivate, "let a public stream name private and loopback addresses: yes or no", default: "no",
                scope: .session,
                \.session.allowsPrivate, .flag),
            SettingSpec(
                .initRequest, "request a session with initSession=true: yes or no", default: "yes", scope: .session,
                \.session.isInitRequest, .flag),
            SettingSpec(
                .renew, "request a new session when the server ends the session: yes or no", default: "yes",
                scope: .session, \.session.renews, .flag),
            SettingSpec(
                .poll, "metadata poll interval", default: "4s", scope: .session, \.session.poll,
                .duration(.milliseconds(500) ... .seconds(3_600))),
            SettingSpec(
                .keep, "how long past breaks are kept, in media time", default: "2h", scope: .session, \.session.keep,
                .duration(.zero ... .seconds(7 * 86_400))),
            SettingSpec(
                .rate, "playback rate of the virtual viewer, 0.1 to 16", default: "1", scope: .session, \.session.rate,
                .rate),
            SettingSpec(
                .start, "join point: live, a duration such as -30s, or an ISO 8601 date", default: "live",
                scope: .session, \.session.start,
                SettingType(read: StartText.read)),
            SettingSpec(
                .variant,
                "variant to follow: best or worst (highest or lowest bandwidth with video), a height such as 720, a bandwidth in bit/s (highest not above it), or the end of its URI",
                default: "best", scope: .session, \.session.variant, .variant),
            SettingSpec(
                .lowLatency, "use blocking reloads, delta updates and parts if the server offers them: yes or no",
                default: "yes",
                scope: .session, \.session.isLowLatency, .flag),
            SettingSpec(
                .interstitials, "play interstitials and request their assets: yes or no", default: "yes",
                scope: .session,
                \.session.playsInterstitials, .flag),
            SettingSpec(
                .readonly, "disable the keys that arm the session or send beacons: yes or no", default: "no",
                scope: .session, \.session.isReadonly,
                .flag),
            SettingSpec(
                .retry,
                "beacons to repeat: safe (no byte was sent), standard (also after timeouts, resets, 5xx; may count twice) or never",
                default: "safe",
                scope: .session, \.session.retry, .name()),
            SettingSpec(
                .seed, "seed of all jitter, for repeatable runs (default random)", scope: .session, \.session.seed,
                optional: .seed),
        ])
}
