import Screen

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The open terminal: a stream for ncurses and the descriptors for everything else.
struct TerminalDevice {
    /// What ncurses writes to.
    let output: UnsafeMutablePointer<FILE>
    /// The input stream that ncurses demands; nothing is ever read through it.
    let input: UnsafeMutablePointer<FILE>
    /// The descriptor of `output`.
    let outputDescriptor: Int32
    /// The descriptor of `input`.
    let inputDescriptor: Int32

    /// Opens the controlling terminal, or takes copies of the given descriptors.
    init(_ device: TerminalOptions.Device) throws(TerminalError) {
        switch device {
        case .controllingTerminal:
            let fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
            guard fd >= 0 else { throw .noTerminal(errno) }
            output = try TerminalDevice.stream(fd, "r+")
            input = output
        case .descriptors(let source, let target):
            guard let target = SystemCalls.duplicate(target) else { throw .system("dup", errno) }
            output = try TerminalDevice.stream(target, "w")
            guard let source = SystemCalls.duplicate(source) else {
                fclose(output)
                throw .system("dup", errno)
            }
            input = try TerminalDevice.stream(source, "r")
        }
        outputDescriptor = fileno(output)
        inputDescriptor = fileno(input)
    }

    private static func stream(_ fd: Int32, _ mode: String) throws(TerminalError) -> UnsafeMutablePointer<FILE> {
        if let stream = fdopen(fd, mode) { return stream }
        let code = errno
        SystemCalls.close(fd)
        throw .system("fdopen", code)
    }

    /// Whether there is a terminal behind it and not a file.
    var isTerminal: Bool { isatty(outputDescriptor) == 1 }

    /// Frees the streams and their descriptors.
    func close() {
        if input != output { fclose(input) }
        fclose(output)
    }
}
