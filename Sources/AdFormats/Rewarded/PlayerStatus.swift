/// What a player finds out about its video before the first frame (FMT-18). Nothing is decoded here: it is judged by
/// the file's
/// first bytes.
package enum PlayerStatus: Sendable, Hashable {
    case readyToPlay
    /// It may be a video or not.
    case unknown
    /// It cannot be played; a clause says why.
    case failed(String)

    /// For a video that is there and cannot be shown (VAST 4.3, error codes).
    package static let errorCode = 405

    /// Types whose files are made of boxes (ISO/IEC 14496-12).
    private static let boxTypes = ["video/mp4", "video/quicktime", "video/x-m4v", "video/3gpp"]

    /// By the beginning of a file and the type its server gave.
    package init(beginning: [UInt8], type: String?) {
        let type = (type ?? "").prefix { $0 != ";" }.lowercased()
        if beginning.isEmpty {
            self = .failed("the file is empty")
        } else if MP4Header.begins(beginning) {
            self = .readyToPlay
        } else if Self.boxTypes.contains(String(type)) {
            self = .failed("the file is no MP4, although its type is \(type)")
        } else {
            self = .unknown
        }
    }

    /// The word of AVFoundation (FMT-18).
    package var name: String {
        switch self {
        case .readyToPlay: "readyToPlay"
        case .unknown: "unknown"
        case .failed: "failed"
        }
    }
}
