package import Ports

extension SpliceInfo {
    /// The message in schema `adtop-scte35/1`: 90 kHz ticks as integers, PTS before adjustment, bytes in upper-case
    /// hexadecimal. There is a `problem` where the descriptors are longer than the section.
    package var json: JSONValue {
        guard let descriptorsProblem, var object = fields.objectValue else { return fields }
        object.append("problem", .string(descriptorsProblem.explanation))
        return .object(object)
    }

    private var fields: JSONValue {
        [
            "sap_type": .integer(Int64(sapType)), "section_length": .integer(Int64(sectionLength)),
            "protocol_version": .integer(Int64(protocolVersion)), "encrypted": .bool(isEncrypted),
            "encryption_algorithm": .integer(Int64(encryptionAlgorithm)), "pts_adjustment": .integer(ptsAdjustment),
            "cw_index": .integer(Int64(controlWordIndex)), "tier": .integer(Int64(tier)),
            "crc32": .string(crc.upperHexadecimal), "crc_valid": .bool(isCRCValid),
            "command_length": .integer(Int64(commandLength)), "command": command?.json ?? .null,
            "descriptors": descriptors.map { .array($0.map(\.json)) } ?? .null,
        ]
    }

    /// `json` for text output: an identifier of a descriptor that has unprintable bytes is a number.
    package var readableJSON: JSONValue {
        guard var object = json.objectValue, let descriptors else { return json }
        object["descriptors"] = .array(descriptors.map(\.readableJSON))
        return .object(object)
    }
}

extension SpliceCommand {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object.append("type", .integer(Int64(type)))
        object.append("name", .string(name))
        switch self {
        case .null, .bandwidthReservation: break
        case .schedule(let events): object.append("events", .array(events.map(\.json)))
        case .insert(let insert): insert.write(into: &object)
        case .timeSignal(let time): object.append("pts_time", .optional(time))
        case .privateCommand(let identifier, let bytes):
            object.append("identifier", .string(identifier.identifierText))
            object.append("private_bytes", .string(bytes.upperHexadecimal))
        case .unknown(_, let bytes): object.append("private_bytes", .string(bytes.upperHexadecimal))
        }
        return .object(object)
    }
}

extension SpliceBreakDuration {
    fileprivate var json: JSONValue { ["auto_return": .bool(isAutoReturn), "duration": .integer(ticks)] }
}

extension SpliceAvail {
    fileprivate func write(into object: inout JSONObject) {
        object.append("unique_program_id", .integer(Int64(uniqueProgramID)))
        object.append("avail_num", .integer(Int64(number)))
        object.append("avails_expected", .integer(Int64(expected)))
    }
}

extension SpliceInsert {
    fileprivate func write(into object: inout JSONObject) {
        object.append("splice_event_id", .integer(Int64(eventID)))
        object.append("cancel", .bool(detail == nil))
        guard let detail else { return }
        object.append("out_of_network", .bool(detail.isOutOfNetwork))
        object.append("program_splice", .bool(detail.isProgramSplice))
        object.append("immediate", .bool(detail.isImmediate))
        object.append("pts_time", .optional(detail.ptsTime))
        if !detail.isProgramSplice {
            let components = detail.components.map { component -> JSONValue in
                ["tag": .integer(Int64(component.tag)), "pts_time": .optional(component.ptsTime)]
            }
            object.append("components", .array(components))
        }
        object.append("break_duration", detail.breakDuration?.json ?? .null)
        detail.avail.write(into: &object)
    }
}

extension ScheduledSplice {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object.append("splice_event_id", .integer(Int64(eventID)))
        object.append("cancel", .bool(detail == nil))
        guard let detail else { return .object(object) }
        object.append("out_of_network", .bool(detail.isOutOfNetwork))
        object.append("program_splice", .bool(detail.isProgramSplice))
        object.append("utc_splice_time", .optional(detail.time.map(Int64.init)))
        if !detail.isProgramSplice {
            let components = detail.components.map { component -> JSONValue in
                ["tag": .integer(Int64(component.tag)), "utc_splice_time": .integer(Int64(component.time))]
            }
            object.append("components", .array(components))
        }
        object.append("break_duration", detail.breakDuration?.json ?? .null)
        detail.avail.write(into: &object)
        return .object(object)
    }
}

extension UInt32 {
    /// A format identifier: text when its four bytes are printable ASCII, else `0x` and eight digits.
    var identifierText: String {
        let text = characters
        return text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : "0x\(upperHexadecimal)"
    }

    /// The four bytes as characters.
    var characters: String {
        String(latin1: (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * UInt32($0))) })
    }
}
