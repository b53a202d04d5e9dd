/// What a player can determine about its video before the first frame (FMT-18). Nothing is decoded: only the first
/// bytes of the file are checked.
package enum PlayerStatus: Sendable, Hashable {
    case readyToPlay
    /// It is unknown whether the file is a video.
    case unknown
    /// The video cannot be played; the clause is the reason.
    case failed(String)

    /// Error code for a video that exists but cannot be shown (VAST 4.3, error codes).
    package static let errorCode = 405

    /// Types whose files are made of boxes (ISO/IEC 14496-12).
    private static let boxTypes = ["video/mp4", "video/quicktime", "video/x-m4v", "video/3gpp"]

    /// Checks the beginning of a file against the type that its server stated.
    package init(beginning: [UInt8], type: String?) {
        let type = (type ?? "").prefix { $0 != ";" }.lowercased()
        if beginning.isEmpty {
            self = .failed("the file is empty")
        } else if MP4Header.begins(beginning) {
            self = .readyToPlay
        } else if Self.boxTypes.contains(String(type)) {
            self = .failed("the file is not an MP4 file, but its type is \(type)")
        } else {
            self = .unknown
        }
    }

    /// The name of the status in AVFoundation (FMT-18).
    package var name: String {
        switch self {
        case .readyToPlay: "readyToPlay"
        case .unknown: "unknown"
        case .failed: "failed"
        }
    }
}
