import Ports

/// The rules about a playlist that is followed over many reloads (HLS-8, HLS-9, HLS-28, HLS-30). The raw value is the rule id in
/// findings.
package enum ReloadRule: String, FindingCode {
    case httpError = "http-error"
    case invalidPlaylist = "invalid-playlist"
    case playlistContentType = "playlist-content-type"
    case stalePlaylist = "stale-playlist"
    case playlistStuck = "playlist-stuck"
    case mediaSequenceURIMismatch = "media-sequence-uri-mismatch"
    case mediaSequenceStuck = "media-sequence-stuck"
    case segmentDurationChanged = "segment-duration-changed"
    case pdtChanged = "pdt-changed"
    case discontinuitySequenceMismatch = "discontinuity-sequence-mismatch"
    case targetDurationChanged = "target-duration-changed"
    case endListRemoved = "endlist-removed"
    case variantMismatch = "variant-mismatch"
    case timelineReset = "timeline-reset"
    case windowJump = "window-jump"
    case deltaUpdateIncomplete = "delta-update-incomplete"
    case oldCopy = "old-copy"
    case dateRangeRemovedEarly = "daterange-removed-early"
    case mediaSequenceBackwards = "media-sequence-backwards"
    case discontinuitySequenceBackwards = "discontinuity-sequence-backwards"
    case eventSegmentsRemoved = "event-segments-removed"
    case dateRangeChanged = "daterange-changed"
    case blockingReloadEarly = "blocking-reload-early"
    case deliveryDirectiveRefused = "delivery-directive-refused"
    case fellBehind = "fell-behind"
}
