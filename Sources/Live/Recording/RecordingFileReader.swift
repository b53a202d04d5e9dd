package import Ports
package import Session

extension RecordingFile {
    /// Maximum size of the decompressed text of a recording, in bytes.
    package static let maximumTextBytes = 4 << 30

    /// Reads a recording, compressed or not. A recording that was cut off, as by a crash, is read up to that point;
    /// unreadable content before its end is an error.
    package static func read(_ path: String, maximumBytes: Int = RecordingFile.maximumBytes) throws(FileProblem)
        -> Recording
    {
        let bytes = try FileText.read(path, maximumBytes: maximumBytes)
        var lines = RecordingLines(path: path)
        if bytes.starts(with: [0x1F, 0x8B]) {
            guard let gzip = GzipReader() else { throw FileProblem(path: path, reason: .malformed("is too large")) }
            let isWhole = try gzip.read(bytes[...]) { (piece: ArraySlice<UInt8>) throws(FileProblem) in
                try lines.append(piece)
            }
            guard isWhole else {
                throw FileProblem(path: path, reason: .malformed("is damaged after line \(lines.count)"))
            }
            return try lines.finish(isWhole: gzip.hasEnded)
        }
        try lines.append(bytes[...])
        return try lines.finish(isWhole: true)
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
            throw FileProblem(path: path, reason: .malformed(count == 0 ? "is empty" : "contains no recording"))
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
