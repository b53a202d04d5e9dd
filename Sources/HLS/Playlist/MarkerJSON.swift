import Ports

extension DateRange {
    /// One element of `dateranges` in schema `adtop-hls-golden/1`.
    var json: JSONValue {
        [
            "id": .string(id), "class": .optional(rangeClass), "start_ms": .date(start), "end_ms": .date(end),
            "duration_ms": .milliseconds(duration), "planned_duration_ms": .milliseconds(plannedDuration),
            "end_on_next": .bool(endsOnNext), "cue": .strings(cue.map(\.rawValue)),
            "scte35_cmd": .optional(scte35Command?.upperHexadecimal),
            "scte35_out": .optional(scte35Out?.upperHexadecimal),
            "scte35_in": .optional(scte35In?.upperHexadecimal),
            "x": .object(JSONObject(extensions.map { .init(name: $0.name, value: $0.value.json) })),
        ]
    }
}

extension ExtensionValue {
    /// Numbers become JSON numbers; strings and hexadecimal sequences become JSON strings.
    fileprivate var json: JSONValue {
        switch self {
        case .string(let text), .hexadecimal(let text): .string(text)
        case .decimal(let text): Int64(text).map(JSONValue.integer) ?? .optional(Double(text))
        }
    }
}

extension Interstitial {
    /// One element of `interstitials` in schema `adtop-hls-golden/1`.
    var json: JSONValue {
        [
            "id": .string(id), "start_ms": .date(start), "cue": .strings(cue.map(\.rawValue)),
            "asset_uri": .optional(assetURI), "asset_list": .optional(assetList),
            "expected_duration_ms": .milliseconds(expectedDuration), "resume_offset_ms": .milliseconds(resumeOffset),
            "effective_resume_offset_ms": .milliseconds(effectiveResumeOffset),
            "playout_limit_ms": .milliseconds(playoutLimit), "snap": .strings(snap.map(\.rawValue)),
            "restrict": .strings(restrict.map(\.rawValue)), "content_may_vary": .bool(contentMayVary),
            "timeline_occupies": .string(timelineOccupies.rawValue), "timeline_style": .string(timelineStyle.rawValue),
            "skip_control": skipControl?.json ?? .null, "snap_out_ms": .date(snapOut), "snap_in_ms": .date(snapIn),
        ]
    }
}

extension SkipControl {
    fileprivate var json: JSONValue {
        [
            "offset_ms": .milliseconds(offset), "duration_ms": .milliseconds(duration), "label_id": .optional(labelID),
        ]
    }
}

extension CuePoint {
    /// One element of `cue_points` in schema `adtop-hls-golden/1`.
    var json: JSONValue {
        var object = JSONObject()
        object.append("kind", .string(kind.rawValue))
        object.append("tag", .string(tag))
        object.append("seq", .integer(Int64(sequence)))
        object.append("at_ms", .date(date))
        object.append("rel_ms", .milliseconds(offset))
        object.append("duration_ms", .milliseconds(duration))
        object.append("elapsed_ms", .milliseconds(elapsed))
        object.append("id", .optional(id))
        object.append("scte35", .optional(scte35?.upperHexadecimal))
        if kind == .asset {
            let members = attributes.map { JSONObject.Member(name: $0.name, value: .string($0.value)) }
            object.append("attributes", .object(JSONObject(members)))
        }
        return .object(object)
    }
}

extension AdBreakMarker {
    /// One element of `ad_breaks` in schema `adtop-hls-golden/1`.
    var json: JSONValue {
        [
            "source": .string(source.rawValue), "id": .optional(id), "start_ms": .date(start), "end_ms": .date(end),
            "start_seq": .optional(startSequence), "end_seq": .optional(endSequence),
            "planned_duration_ms": .milliseconds(plannedDuration), "joined_mid": .bool(isJoinedMid),
            "closed_by": .optional(closedBy?.rawValue),
        ]
    }
}
