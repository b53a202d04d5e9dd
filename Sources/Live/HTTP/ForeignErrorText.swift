import AsyncHTTPClient
import Foundation
import GRDB
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Ports

/// Our words for errors that libraries throw where no more is known of the work that failed. Where more is known, such as
/// a file, a request or a port, its own place has better ones.
package enum ForeignErrorText {
    /// A clause in lower case without a period.
    package static func clause(_ error: any Error) -> String {
        switch error {
        case let problem as FileProblem: "\(problem)"
        case is CancellationError: "cancelled"
        case let error as IOError: SystemErrorText.words(error.errnoCode)
        case let error as POSIXError: SystemErrorText.words(Int32(error.code.rawValue))
        case is DatabaseError, is RowDecodingError: "a database \(DatabaseErrorText.clause(error))"
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: "TLS failed"
        case is HTTPClientError, is HTTPParserError: "the HTTP request failed"
        case is NIOConnectionError, is SocketAddressError: "no connection"
        case is ChannelError: "the connection failed"
        case is EventLoopError: "cancelled"
        case let error as CocoaError: foundation(error)
        default: unknown
        }
    }

    /// What is left for an error of no known kind.
    package static let unknown = "failed for an unknown reason; --log-level debug shows more"

    /// The system's error number if there is one beneath, else what the code means for a file.
    private static func foundation(_ error: CocoaError) -> String {
        if let beneath = error.userInfo[NSUnderlyingErrorKey] as? POSIXError {
            return SystemErrorText.words(Int32(beneath.code.rawValue))
        }
        let clause =
            switch error.code {
            case .fileNoSuchFile, .fileReadNoSuchFile: SystemErrorText.words(ENOENT)
            case .fileReadNoPermission, .fileWriteNoPermission: SystemErrorText.words(EACCES)
            case .fileWriteFileExists: SystemErrorText.words(EEXIST)
            case .fileWriteOutOfSpace: SystemErrorText.words(ENOSPC)
            case .fileWriteVolumeReadOnly: SystemErrorText.words(EROFS)
            case .fileReadTooLarge: SystemErrorText.words(EFBIG)
            case .fileReadInvalidFileName, .fileWriteInvalidFileName: "not a file name"
            case .fileReadInapplicableStringEncoding, .fileReadUnknownStringEncoding, .fileReadCorruptFile,
                .fileWriteInapplicableStringEncoding:
                "not valid text"
            default: "cannot be used"
            }
        guard let path = error.userInfo[NSFilePathErrorKey] as? String else { return "a file: \(clause)" }
        return "\(path): \(clause)"
    }
}
