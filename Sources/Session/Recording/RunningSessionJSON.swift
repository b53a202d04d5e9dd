import AdTracking
import HLS
package import Ports

/// A session that is handed on, `adtop-handover/1`, member `running`; its answers have the form that recordings give them.
extension RunningSession {
    package var json: JSONValue {
        [
            "mediaUrl": .string(mediaURL.text), "provider": .optional(provider),
            "manifestUrl": .string(addresses.manifestURL.text), "metadataUrl": .optional(addresses.metadataURL?.text),
            "path": .string(addresses.path.rawValue), "id": .optional(addresses.sessionID),
            "isRecognised": .bool(addresses.isRecognised), "answers": .array(answers.map(\.recorded)),
            "delivered": .array(SessionFeed.allCases.filter(delivered.contains).map { .string($0.rawValue) }),
            "anchor": anchor.recorded, "memory": memory ?? .null,
        ]
    }

    package init(_ json: JSONValue) throws(RecordingFormat.Problem) {
        let fields = try Fields(json)
        self.init(
            mediaURL: try .member("mediaUrl", of: fields), provider: try .member("provider", of: fields),
            addresses: SessionAddresses(
                manifestURL: try .member("manifestUrl", of: fields),
                metadataURL: try .member("metadataUrl", of: fields), path: try .member("path", of: fields),
                sessionID: try .member("id", of: fields), isRecognised: try .member("isRecognised", of: fields)),
            answers: try HTTPExchange.list("answers", of: fields), anchor: try .member("anchor", of: fields))
        delivered = Set((json["delivered"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(SessionFeed.init) })
        if let memory = json["memory"], memory != .null { self.memory = memory }
    }
}

extension SessionAddresses.Path: RecordedChoice {}

/// In microseconds.
extension StreamTime: RecordedValue {
    var recorded: JSONValue { .integer(microseconds) }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> StreamTime {
        StreamTime(microseconds: try fields.integer(name))
    }
}

extension TimelineAnchor: RecordedObject {
    static var blank: TimelineAnchor { TimelineAnchor(sequence: 0, start: .zero) }

    mutating func code(_ members: inout MemberCoder) {
        members.code("sequence", &sequence)
        members.code("startUs", &start)
        members.codeIfPresent("dateUs", &date)
        members.codeIfPresent("dateOfZeroUs", &dateOfZero)
    }
}
