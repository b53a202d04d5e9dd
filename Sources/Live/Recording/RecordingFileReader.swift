package import Ports
package import Session

extension RecordingFile {
    /// Maximum size of the decompressed text of a recording, in bytes.
    package static let maximumTextBytes = 4 << 30

    /// Reads a recording, compressed or not. A recording that was cut off, as by a crash, or whose compressed bytes are damaged, is read
    /// up to that point; a line that is not one of a recording is an error.
    package static func read(_ path: String, maximumBytes: Int = RecordingFile.maximumBytes) throws(FileProblem)
        -> Recording
    {
        let bytes = try FileText.read(path, maximumBytes: maximumBytes)
        var lines = RecordingLines(path: path)
        if bytes.starts(with: [0x1F, 0x8B]) {
            guard let gzip = GzipReader() else { throw FileProblem(path: path, reason: .malformed("is too large")) }
            let isInflated: Bool
            do throws(FileProblem) {
                isInflated = try gzip.read(bytes[...]) { (piece: ArraySlice<UInt8>) throws(FileProblem) in
                    try lines.append(piece)
                }
            } catch {
                // Damaged bytes may inflate, too: to lines that are none.
                guard case .malformed = error.reason, !isSound(bytes), let recording = lines.beforeDamage() else {
                    throw error
                }
                return recording
            }
            guard !isInflated else { return try lines.finish(isWhole: gzip.hasEnded) }
            if let recording = lines.beforeDamage() { return recording }
            throw FileProblem(path: path, reason: .malformed("is damaged after line \(lines.count)"))
        }
        try lines.append(bytes[...])
        return try lines.finish(isWhole: true)
    }

    /// Whether the compressed bytes are as they were written, so that a line that is none was written so.
    private static func isSound(_ bytes: [UInt8]) -> Bool {
        guard let gzip = GzipReader() else { return false }
        return gzip.read(bytes[...]) { (_: ArraySlice<UInt8>) in } && gzip.hasEnded
    }
}

/// Splits text into lines and reads them.
private struct RecordingLines {
    let path: String
    /// Number of lines read.
    private(set) var count = 0
    private var reader = RecordingReader()
    private var rest: [UInt8] = []
    private var total = 0

    init(path: String) {
        self.path = path
    }

    mutating func append(_ piece: ArraySlice<UInt8>) throws(FileProblem) {
        total += piece.count
        guard total <= RecordingFile.maximumTextBytes else {
            throw FileProblem(path: path, reason: .tooLong(limit: RecordingFile.maximumTextBytes))
        }
        var piece = piece
        while let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
            try take(rest + piece[..<end])
            rest = []
            piece = piece[(end + 1)...]
        }
        rest += piece
    }

    /// What precedes damage; nil if that is no input. Text after the last line feed is not used.
    mutating func beforeDamage() -> Recording? {
        reader.wasCutOff()
        return reader.recording.flatMap { $0.inputs.isEmpty ? nil : $0 }
    }

    /// Text after the last line feed was cut off, unless it is a complete line.
    mutating func finish(isWhole: Bool) throws(FileProblem) -> Recording {
        var isWhole = isWhole
        if !rest.isEmpty {
            do throws(FileProblem) {
                try take(rest)
            } catch {
                guard reader.recording != nil else { throw error }
                isWhole = false
            }
        }
        if !isWhole { reader.wasCutOff() }
        guard let recording = reader.recording else {
            let clause =
                count > 0 ? "contains no recording" : isWhole ? "is empty" : "is truncated before its first line"
            throw FileProblem(path: path, reason: .malformed(clause))
        }
        return recording
    }

    private mutating func take(_ line: [UInt8]) throws(FileProblem) {
        guard !line.isEmpty else { return }
        count += 1
        do throws(RecordingFormat.Problem) {
            try reader.take(line)
        } catch {
            throw FileProblem(path: path, reason: .malformed("line \(count) \(error.message)"))
        }
    }
}
