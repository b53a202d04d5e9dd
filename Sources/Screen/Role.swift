/// What a cell means. Panes name roles; only a `Palette` knows colours (TERM-25, TERM-36), so one golden serves every
/// theme.
package enum Role: UInt8, CaseIterable, Sendable {
    case text, textMuted, textEscaped, textURLHost, textURLPath, textURLQuery
    case paneBorder, paneFocus, paneTitle, paneCount
    case header, headerLive, headerArmed, headerObserve
    case selection, selectionInactive, match, matchCurrent
    case stateIdle, stateBusy, stateRetry, stateDone, stateFailed, stateOff
    case statePartial, stateUnknown, stateObserved
    case http2xx, http3xx, http4xx, http5xx
    case timelineTrack, timelinePast, timelineFuture, timelinePlayhead, timelineBreak, timelineError
    case spark, sparkBad
    case logTime, logDebug, logInfo, logWarn, logError
    case footerKey, footerLabel
    case toastOK, toastBad
    case bannerFrozen
    case input, inputError

    /// The dotted name used in theme files and style sidecars, such as `state.failed`.
    package var name: String { Role.names[Int(rawValue)] }

    /// The role of that dotted name, nil when there is none.
    package init?(name: String) {
        guard let index = Role.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt8(index))
    }

    /// Dotted names in the order of the raw values.
    private static let names = [
        "text", "text.muted", "text.escaped", "text.url.host", "text.url.path", "text.url.query",
        "pane.border", "pane.focus", "pane.title", "pane.count",
        "header", "header.live", "header.armed", "header.observe",
        "selection", "selection.inactive", "match", "match.current",
        "state.idle", "state.busy", "state.retry", "state.done", "state.failed", "state.off",
        "state.partial", "state.unknown", "state.observed",
        "http.2xx", "http.3xx", "http.4xx", "http.5xx",
        "timeline.track", "timeline.past", "timeline.future", "timeline.playhead", "timeline.break", "timeline.error",
        "spark", "spark.bad",
        "log.time", "log.debug", "log.info", "log.warn", "log.error",
        "footer.key", "footer.label",
        "toast.ok", "toast.bad",
        "banner.frozen",
        "input", "input.error",
    ]
}

/// A layer over the roles of a row or a span: what is selected or matched, without losing what the cells mean.
package enum Mark: UInt8, CaseIterable, Sendable {
    case none, selection, selectionInactive, match, matchCurrent

    /// The role whose style is applied on top, nil for `none`.
    package var role: Role? {
        switch self {
        case .none: nil
        case .selection: .selection
        case .selectionInactive: .selectionInactive
        case .match: .match
        case .matchCurrent: .matchCurrent
        }
    }
}
