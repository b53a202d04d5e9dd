import HLS
import Ports

/// Parts of `adtop-hls-timeline/1`; times are integer milliseconds, rounded half up.
extension TimelineWindow {
    var json: JSONValue {
        [
            "first_seq": .integer(Int64(firstSequence)),
            "last_seq": .integer(Int64(lastSequence)),
            "start_stream_ms": .integer(start.roundedMilliseconds),
            "end_stream_ms": .integer(end.roundedMilliseconds),
            "start_pdt_ms": .optional(startDate?.roundedMilliseconds),
            "end_pdt_ms": .optional(endDate?.roundedMilliseconds),
            "duration_ms": .integer(duration.roundedMilliseconds),
        ]
    }

    var playheadRangeJSON: JSONValue {
        [
            "earliest_stream_ms": .integer(start.roundedMilliseconds),
            "latest_stream_ms": .integer(latest.roundedMilliseconds),
            "earliest_pdt_ms": .optional(startDate?.roundedMilliseconds),
            "latest_pdt_ms": .optional(latestDate?.roundedMilliseconds),
        ]
    }
}

extension PlayheadReading {
    func json(at wall: UnixTime) -> JSONValue {
        [
            "at_ms": .integer(wall.milliseconds),
            "state": .string(state.rawValue),
            "stream_ms": .optional(stream?.roundedMilliseconds),
            "pdt_ms": .optional(date?.roundedMilliseconds),
            "segment_seq": .optional(segmentSequence),
            "behind_edge_ms": .optional(behindEdge?.roundedMilliseconds),
            "interstitial": interstitial?.json ?? .null,
            "presentation_pdt_ms": .optional(presentationDate?.roundedMilliseconds),
        ]
    }
}

extension InterstitialReading {
    fileprivate var json: JSONValue {
        [
            "id": .string(id),
            "elapsed_ms": .integer(elapsed.roundedMilliseconds),
            "asset_index": .optional(assetIndex),
            "asset_offset_ms": .optional(assetOffset?.roundedMilliseconds),
        ]
    }
}

extension TrackedInterstitial {
    /// An entry of `interstitials`; nil before it is played.
    var json: JSONValue? {
        guard let play else { return nil }
        let request: JSONValue = [
            "url": .optional(definition.assetList), "hls_start_offset": .optional(startOffset?.inSeconds),
        ]
        return [
            "id": .string(id),
            "asset_list_request": definition.assetList == nil ? .null : request,
            "scheduled_pdt_ms": .optional(definition.start?.roundedMilliseconds),
            "start_stream_ms": .optional(position?.roundedMilliseconds),
            "out_at_ms": .integer(play.out.wall.roundedMilliseconds),
            "joined_offset_ms": .integer(play.joinedOffset.roundedMilliseconds),
            "assets": .array(knownAssets.map(\.json)),
            "in_at_ms": .optional(play.back?.wall.roundedMilliseconds),
            "resume_stream_ms": .optional(play.resume?.roundedMilliseconds),
            "result": .optional(play.result?.rawValue),
            "played_ms": .integer(play.played.roundedMilliseconds),
        ]
    }
}

extension AssetList.Asset {
    fileprivate var json: JSONValue {
        ["uri": .string(uri), "duration_ms": .optional(duration?.roundedMilliseconds)]
    }
}

extension TrackedBreak {
    var json: JSONValue {
        [
            "source": .string(source.rawValue),
            "id": .optional(markerID),
            "start_ms": .optional(start?.roundedMilliseconds),
            "end_ms": .optional(end?.roundedMilliseconds),
            "start_seq": .optional(startSequence),
            "end_seq": .optional(endSequence),
            "planned_duration_ms": .optional(plannedDuration?.roundedMilliseconds),
            "joined_mid": .bool(isJoinedMid),
            "closed_by": .optional(closedBy?.rawValue),
            "first_seen_reload": .integer(Int64(firstSeenReload)),
            "ended_reload": .optional(endedReload),
        ]
    }
}
