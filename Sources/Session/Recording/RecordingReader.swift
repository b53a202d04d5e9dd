import Ports

/// Reads a recording line by line: `adtop-recording/2`, and `/1`, which contains every body in its input's line.
package struct RecordingReader: Sendable {
    /// The recording so far; nil before the header.
    package private(set) var recording: Recording?
    private var bodies = BodyWindow<Int, [UInt8]>()

    package init() {}

    /// Reads the next line, without its line feed.
    package mutating func take(_ line: [UInt8]) throws(RecordingFormat.Problem) {
        guard recording != nil else {
            recording = Recording(configuration: try RecordingFormat.readHeader(line))
            return
        }
        let fields = try Fields(RecordingFormat.json(line))
        let number = fields.has("bodyId") ? try fields.int("bodyId") : nil
        guard fields.has("input") else {
            guard let number else { throw .init("contains neither an input nor a body") }
            bodies.insert(try RecordedBody().reading(fields).bytes, for: number)
            return
        }
        var recorded = try RecordingFormat.recorded(from: fields)
        if let number {
            guard let body = bodies[number] else { throw .init("refers to body \(number), which does not precede it") }
            recorded.input.exchange?.body = body
        }
        recording?.inputs.append(recorded)
    }

    /// The file ended before the recording's own end.
    package mutating func wasCutOff() {
        recording?.isTruncated = true
    }
}
