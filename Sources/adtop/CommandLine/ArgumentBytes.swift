import Ports

/// The bytes of the arguments. Names of files may have any, but every text of the program is UTF-8, and a name in which some were
/// replaced would be that of another file.
enum ArgumentBytes {
    /// The error for the first argument that is not UTF-8; nil where all are.
    static var failure: CommandFailure? {
        let arguments = (1..<max(1, Int(CommandLine.argc))).map { index -> [UInt8] in
            guard let argument = CommandLine.unsafeArgv[index] else { return [] }
            return Array(UnsafeBufferPointer(start: argument, count: length(argument))).map(UInt8.init(bitPattern:))
        }
        return failure(in: arguments)
    }

    /// - Parameter arguments: those behind the name of the program.
    static func failure(in arguments: [[UInt8]]) -> CommandFailure? {
        for (index, argument) in arguments.enumerated() {
            guard let place = UTF8Place(firstInvalidIn: argument) else { continue }
            let what = "argument \(index + 1) '\(shown(argument))': not UTF-8 from byte \(place.column) on"
            return CommandFailure(
                .usage, "\(what); give the file another name, or give it on standard input as -")
        }
        return nil
    }

    /// The number of bytes before the zero that ends an argument.
    private static func length(_ argument: UnsafePointer<CChar>) -> Int {
        var count = 0
        while argument[count] != 0 { count += 1 }
        return count
    }

    /// The bytes as text: `caf\xE9.xml`.
    private static func shown(_ bytes: [UInt8]) -> String {
        var (text, place) = ("", 0)
        var iterator = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar):
                text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
                place += scalar.count
            case .error(let length):
                for byte in bytes[place..<min(place + length, bytes.count)] { text += "\\x\(byte.upperHexadecimal)" }
                place += length
            case .emptyInput: return text
            }
        }
    }
}
