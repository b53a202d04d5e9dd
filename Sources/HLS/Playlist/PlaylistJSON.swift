package import Ports

/// The playlist in schema `adtop-hls-golden/1`: times are integer milliseconds, rounded half up; dates count from the
/// Unix epoch.
extension ParsedPlaylist {
    /// The whole document. `issues` are the sorted, distinct ids of the schema's rules among the findings. In an
    /// invalid playlist, the rule that made it invalid is under `fatal` instead.
    package var json: JSONValue {
        var object = JSONObject()
        object.append("schema", "adtop-hls-golden/1")
        object.append("playlist_uri", .string(uri))
        object.append("variables", .dictionary(variables))
        var rules = Set(findings.lazy.map(\.rule).filter { PlaylistRule(rawValue: $0)?.isInSchema ?? false })
        switch kind {
        case .invalid(let rule):
            object.append("type", "invalid")
            object.append("fatal", [.string(rule)])
            rules.remove(rule)
        case .media(let playlist):
            object.append("type", "media")
            playlist.write(into: &object)
            // A playlist alone has no start for it. Where others went before, that is no fault.
            if playlist.endsLostBreak { rules.insert(PlaylistRule.cueInWithoutOut.rawValue) }
        case .multivariant(let playlist):
            object.append("type", "multivariant")
            playlist.write(into: &object)
        }
        object.append("issues", .array(rules.sorted().map(JSONValue.string)))
        return .object(object)
    }
}

extension JSONValue {
    /// Whole milliseconds, rounded half up, or null.
    static func milliseconds(_ duration: Duration?) -> JSONValue { .optional(duration?.roundedMilliseconds) }
    /// Milliseconds since the Unix epoch, or null.
    static func date(_ time: UnixTime?) -> JSONValue { .optional(time?.roundedMilliseconds) }
    /// An array of strings.
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// An object with its members sorted by name.
    static func dictionary(_ texts: [String: String]) -> JSONValue {
        .object(JSONObject(texts.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) }))
    }
}

extension StartPoint {
    /// `start` of schema `adtop-hls-golden/1`.
    var json: JSONValue { ["time_offset_ms": .milliseconds(timeOffset), "precise": .bool(isPrecise)] }
}

extension MediaPlaylist {
    fileprivate func write(into object: inout JSONObject) {
        object.append("version", .optional(version))
        object.append("independent_segments", .bool(hasIndependentSegments))
        object.append("start", start?.json ?? .null)
        object.append("target_duration_ms", .milliseconds(targetDuration))
        object.append("media_sequence", .integer(Int64(mediaSequence)))
        object.append("discontinuity_sequence", .integer(Int64(discontinuitySequence)))
        object.append("playlist_type", .optional(playlistType?.rawValue))
        object.append("endlist", .bool(hasEndList))
        object.append("i_frames_only", .bool(isIFramesOnly))
        object.append("server_control", serverControl?.json ?? .null)
        object.append("part_target_ms", .milliseconds(partTarget))
        object.append("skip", skip?.json ?? .null)
        object.append("segments", .array(segments.map(\.json)))
        object.append("duration_ms", .milliseconds(duration))
        object.append("parts", .array(parts.map(\.json)))
        object.append("preload_hints", .array(preloadHints.map(\.json)))
        object.append("rendition_reports", .array(renditionReports.map(\.json)))
        object.append("dateranges", .array(dateRanges.map(\.json)))
        object.append("interstitials", .array(interstitials.map(\.json)))
        object.append("cue_points", .array(cuePoints.map(\.json)))
        object.append("ad_breaks", .array(breaksBesideInterstitials.map(\.json)))
    }

    /// Every range with SCTE35-OUT or SCTE35-IN is a break of the schema, also one that `adBreaks` takes for the end of another; but the
    /// schema's golden `interstitial-live-asset-list` does not repeat one that is listed under `interstitials`, while the breaks of
    /// sequence s03 do include such a range.
    private var breaksBesideInterstitials: [AdBreakMarker] {
        let listed = Set(interstitials.map(\.id))
        let ranges = dateRanges.filter { ($0.hasBreakStart || $0.hasBreakEnd) && !listed.contains($0.id) }
        return adBreaks.filter { $0.source == .cue } + ended(ranges.map(AdBreakMarker.init))
    }
}

extension ServerControl {
    fileprivate var json: JSONValue {
        [
            "can_skip_until_ms": .milliseconds(canSkipUntil), "can_skip_dateranges": .bool(canSkipDateRanges),
            "hold_back_ms": .milliseconds(holdBack), "part_hold_back_ms": .milliseconds(partHoldBack),
            "can_block_reload": .bool(canBlockReload),
        ]
    }
}

extension SkippedSegments {
    fileprivate var json: JSONValue {
        ["skipped_segments": .integer(Int64(count)), "recently_removed_dateranges": .strings(removedDateRanges)]
    }
}

extension ByteRange {
    fileprivate var json: JSONValue { ["length": .integer(Int64(length)), "offset": .integer(Int64(offset))] }
}

extension MediaInitialization {
    fileprivate var json: JSONValue { ["uri": .string(uri), "byterange": byteRange?.json ?? .null] }
}

extension EncryptionKey {
    fileprivate var json: JSONValue {
        [
            "method": .string(method), "uri": .optional(uri), "iv": .optional(initializationVector),
            "keyformat": .string(keyFormat),
        ]
    }
}

extension MediaSegment {
    fileprivate var json: JSONValue {
        [
            "seq": .integer(Int64(sequence)), "discontinuity_sequence": .integer(Int64(discontinuitySequence)),
            "uri": .string(uri), "duration_ms": .milliseconds(duration), "start_ms": .milliseconds(start),
            "title": .optional(title), "pdt_ms": .date(date), "pdt_source": .optional(dateSource?.rawValue),
            "discontinuity": .bool(isDiscontinuity), "gap": .bool(isGap), "byterange": byteRange?.json ?? .null,
            "map": map?.json ?? .null, "keys": .array(keys.map(\.json)), "bitrate_kbps": .optional(bitrate),
        ]
    }
}

extension PartialSegment {
    fileprivate var json: JSONValue {
        [
            "seq": .integer(Int64(sequence)), "index": .integer(Int64(index)), "uri": .string(uri),
            "duration_ms": .milliseconds(duration), "independent": .bool(isIndependent), "gap": .bool(isGap),
            "byterange": byteRange?.json ?? .null,
        ]
    }
}

extension PreloadHint {
    fileprivate var json: JSONValue {
        [
            "type": .string(kind.rawValue), "uri": .string(uri), "byterange_start": .integer(Int64(byteRangeStart)),
            "byterange_length": .optional(byteRangeLength),
        ]
    }
}

extension RenditionReport {
    fileprivate var json: JSONValue {
        ["uri": .string(uri), "last_msn": .optional(lastSequence), "last_part": .optional(lastPart)]
    }
}
