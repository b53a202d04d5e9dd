import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A full pipe with a name, without a reader.
final class FullPipe: Sendable {
    let path: String
    private let descriptor: Int32

    init(in folder: TemporaryFolder) throws {
        path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        descriptor = open(path, O_RDWR | O_NONBLOCK)
        try #require(descriptor >= 0)
        let bytes = [UInt8](repeating: 0x0A, count: 4_096)
        while write(descriptor, bytes, bytes.count) > 0 {}
        // Less than a page is left.
        while write(descriptor, bytes, 1) > 0 {}
    }

    deinit { close(descriptor) }
}
