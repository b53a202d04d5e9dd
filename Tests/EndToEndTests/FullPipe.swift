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

    /// Starts the command after it with this pipe as its standard output.
    var asStandardOutput: [String] { ["/bin/sh", "-c", "exec \"$@\" >\"$0\"", path] }

    /// Takes that many pages out: a writer gets so far and waits then, as for a reader that stands still.
    func makeRoom(pages: Int) throws {
        for _ in 0..<pages {
            var page = [UInt8](repeating: 0, count: 4_096)
            let count = read(descriptor, &page, 4_096)
            try #require(count == 4_096)
        }
    }

    /// Whether a writer waits.
    var isFull: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&state, 1, 0) == 0
    }
}
