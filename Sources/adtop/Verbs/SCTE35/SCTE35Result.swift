import HLS
import Ports

/// The decoded message, or the reason why it cannot be decoded.
struct SCTE35Result {
    private let input: SCTE35Input
    /// Nil for a marker without a message.
    private let outcome: Result<SpliceInfo, SpliceInfoProblem>?

    init(_ input: SCTE35Input) {
        self.input = input
        outcome = input.payload.map { payload in
            do throws(SpliceInfoProblem) {
                return .success(try SpliceTransport.decode(payload))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The CRC is wrong, or descriptors cannot be read.
    var isDamaged: Bool {
        guard case .success(let message) = outcome else { return false }
        return !message.isCRCValid || message.descriptorsProblem != nil
            || (message.descriptors ?? []).contains { $0.problem != nil }
    }

    /// Text output: the marker, and the message as a tree.
    var lines: [String] {
        let head = input.marker.map { ["\($0.place):\($0.line): \($0.name)\(outcome == nil ? ": no message" : "")"] }
        guard case .success(let message) = outcome else { return head ?? [] }
        return (head ?? []) + Report.tree(message.readableJSON).map { input.marker == nil ? $0 : "  " + $0 }
    }

    /// The place and the reason of a decoding error; nil when the message is decoded.
    var complaint: String? {
        guard case .failure(let problem) = outcome, let payload = input.payload else { return nil }
        let place = input.marker.map { "\($0.place):\($0.line)" } ?? "'\(payload.prefix(40))'"
        // What does not even begin as a message may be a mistyped file.
        let isFile = input.isArgument && [.transport, .tableID].contains(problem.kind)
        return "\(place): \(isFile ? "no such file, and not a message: " : "")\(problem.explanation)"
    }

    /// A vector of `adtop-scte35/1` with its marker; nil for a marker without a message.
    var json: JSONValue? {
        guard let outcome, let payload = input.payload else { return nil }
        var vector = JSONObject()
        vector["input"] = .string(payload)
        if let marker = input.marker {
            vector["marker"] = [
                "playlist": .string(InputSource.shown(marker.place)), "line": .integer(Int64(marker.line)),
                "name": .string(marker.name),
            ]
        }
        switch outcome {
        case .success(let message):
            vector["expect"] = message.json
            vector["error"] = JSONValue.null
        case .failure(let problem):
            vector["expect"] = JSONValue.null
            vector["error"] = .string(problem.kind.rawValue)
            vector["message"] = .string(problem.explanation)
            vector["offset"] = .integer(Int64(problem.offset))
        }
        return .object(vector)
    }
}
