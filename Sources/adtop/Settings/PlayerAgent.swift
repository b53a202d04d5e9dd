/// User agents of players, as they send them: servers choose formats, ads and even rights by them.
enum PlayerAgent: String, CaseIterable {
    case android, androidtv, appletv, chrome, chromecast, edge, firefox, firetv, ios, lg, macos, roku, safari, samsung,
        vlc

    static let choices = allCases.map(\.rawValue).joined(separator: ", ")

    /// The User-Agent field, of versions of 2025.
    var text: String {
        let browser = "AppleWebKit/537.36 (KHTML, like Gecko)"
        return switch self {
        // The system's player, in every app and in Safari.
        case .ios: "AppleCoreMedia/1.0.0.22F76 (iPhone; U; CPU OS 18_5 like Mac OS X; en_us)"
        case .appletv: "AppleCoreMedia/1.0.0.22L572 (Apple TV; U; CPU OS 18_5 like Mac OS X; en_us)"
        case .macos: "AppleCoreMedia/1.0.0.24F74 (Macintosh; U; Intel Mac OS X 15_5; en_us)"
        // ExoPlayer of Media3, which sends the name of its app first.
        case .android: "ExoPlayer/1.7.1 (Linux;Android 15) AndroidXMedia3/1.7.1"
        case .androidtv: "ExoPlayer/1.7.1 (Linux;Android 12) AndroidXMedia3/1.7.1"
        case .firetv: "Dalvik/2.1.0 (Linux; U; Android 7.1.2; AFTMM Build/NS6297)"
        case .roku: "Roku/DVP-14.5 (14.5.4.5934-46)"
        case .samsung: "Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) \(browser) 108.0.5359.1/8.0 TV Safari/537.36"
        case .lg: "Mozilla/5.0 (Web0S; Linux/SmartTV) \(browser) Chrome/108.0.5359.211 Safari/537.36 WebAppManager"
        case .chromecast:
            "Mozilla/5.0 (X11; Linux armv7l) \(browser) Chrome/90.0.4430.225 Safari/537.36 CrKey/1.56.500000 DeviceType/Chromecast"
        case .chrome: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(browser) Chrome/138.0.0.0 Safari/537.36"
        case .edge: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(browser) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0"
        case .firefox: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
        case .safari:
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15"
        case .vlc: "VLC/3.0.21 LibVLC/3.0.21"
        }
    }
}
