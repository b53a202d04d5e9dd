import Ports

extension SpliceDescriptor {
    /// One element of `descriptors` in schema `adtop-scte35/1`.
    var json: JSONValue { json(identifier: identifier?.characters) }

    /// The same with an identifier that a person can read.
    var readableJSON: JSONValue { json(identifier: identifier?.identifierText) }

    private func json(identifier: String?) -> JSONValue {
        var object = JSONObject()
        object.append("tag", .integer(Int64(tag)))
        object.append("length", .integer(Int64(length)))
        object.append("identifier", .optional(identifier))
        object.append("name", .string(name))
        switch body {
        case .avail(let id): object.append("provider_avail_id", .integer(Int64(id)))
        case .dtmf(let preroll, let characters):
            object.append("preroll", .integer(Int64(preroll)))
            object.append("dtmf", .string(characters))
        case .segmentation(let segmentation): segmentation.write(into: &object)
        case .taiTime(let seconds, let nanoseconds, let offset):
            object.append("TAI_seconds", .integer(seconds))
            object.append("TAI_ns", .integer(Int64(nanoseconds)))
            object.append("UTC_offset", .integer(Int64(offset)))
        case .audio(let components): object.append("components", .array(components.map(\.json)))
        case .privateBytes(let bytes): object.append("private_bytes", .string(bytes.upperHexadecimal))
        case .unreadable(let bytes, let problem):
            object.append("private_bytes", .string(bytes.upperHexadecimal))
            object.append("problem", .string(problem.explanation))
        }
        return .object(object)
    }
}

extension SpliceDescriptor.AudioComponent {
    fileprivate var json: JSONValue {
        [
            "component_tag": .integer(Int64(tag)), "iso_code": .string(language),
            "bit_stream_mode": .integer(Int64(bitStreamMode)), "num_channels": .integer(Int64(channelCount)),
            "full_srvc_audio": .bool(isFullService),
        ]
    }
}

extension SegmentationDescriptor {
    fileprivate func write(into object: inout JSONObject) {
        object.append("segmentation_event_id", .integer(Int64(eventID)))
        object.append("cancel", .bool(detail == nil))
        guard let detail else { return }
        object.append("program_segmentation", .bool(detail.isProgramSegmentation))
        object.append("delivery_not_restricted", .bool(detail.restrictions == nil))
        if let restrictions = detail.restrictions {
            object.append("web_delivery_allowed", .bool(restrictions.isWebDeliveryAllowed))
            object.append("no_regional_blackout", .bool(restrictions.hasNoRegionalBlackout))
            object.append("archive_allowed", .bool(restrictions.isArchiveAllowed))
            object.append("device_restrictions", .integer(Int64(restrictions.devices)))
        }
        if !detail.isProgramSegmentation {
            let components = detail.components.map { component -> JSONValue in
                ["tag": .integer(Int64(component.tag)), "pts_offset": .integer(component.ptsOffset)]
            }
            object.append("components", .array(components))
        }
        object.append("duration", .optional(detail.ticks))
        object.append("upid", detail.upid.json)
        object.append("type_id", .integer(Int64(detail.type.id)))
        object.append("type_name", .string(detail.type.name ?? "Reserved"))
        object.append("segment_num", .integer(Int64(detail.segmentNumber)))
        object.append("segments_expected", .integer(Int64(detail.segmentsExpected)))
        if let sub = detail.subSegment {
            object.append("sub_segment_num", .integer(Int64(sub.number)))
            object.append("sub_segments_expected", .integer(Int64(sub.expected)))
        }
    }
}

extension SegmentationUPID {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object.append("type", .integer(Int64(type)))
        object.append("name", .string(name))
        if type == Self.multipleType {
            object.append("format", "mid")
            object.append("upids", .array(members.map(\.json)))
        } else if let managed {
            object.append("format", "mpu")
            object.append("format_identifier", .string(managed.identifier.identifierText))
            object.append("private_data", .string(managed.data.upperHexadecimal))
        } else {
            object.append("format", .string(text == nil ? "hex" : "text"))
            object.append("value", .string(text ?? bytes.upperHexadecimal))
        }
        return .object(object)
    }
}
