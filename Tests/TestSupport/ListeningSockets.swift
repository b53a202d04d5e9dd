import Foundation

/// The listening sockets of this process.
package enum ListeningSockets {
    /// Highest descriptor that is looked at; a test opens far fewer.
    private static let highest: Int32 = 4_096

    /// Whether each listening socket of a TCP port is closed in a program that is started, in the order of descriptors.
    package static func closeOnExec(port: Int) -> [Bool] {
        (0..<highest).compactMap { descriptor in
            var isListening: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening != 0,
                self.port(of: descriptor) == port
            else { return nil }
            return fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0
        }
    }

    private static func port(of descriptor: Int32) -> Int? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes -> Int? in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(descriptor, start, &length) == 0
            else { return nil }
            switch Int32(start.pointee.sa_family) {
            // The port follows the family in both forms of address.
            case AF_INET, AF_INET6: return Int(bytes[2]) << 8 | Int(bytes[3])
            default: return nil
            }
        }
    }
}
