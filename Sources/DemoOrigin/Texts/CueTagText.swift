/// The tags before a segment that mark a stitched break, in the dialect of the break (HLS-22).
enum CueTagText {
    /// The lines before `segment`, each with its line end; empty when it needs no marker.
    static func text(before segment: LiveStream.Segment) -> String {
        var lines: [String] = []
        if let mark = segment.endedMark { lines += end(mark) }
        if let mark = segment.mark {
            let elapsedMs = segment.startMs - mark.startMs
            lines += elapsedMs == 0 ? start(mark) : middle(mark, elapsedMs: elapsedMs)
        }
        return lines.map { "#EXT-\($0)\n" }.joined()
    }

    private static func start(_ mark: LiveStream.BreakMark) -> [String] {
        let duration = SecondsText.text(milliseconds: mark.durationMs + mark.error.longerMs)
        // Few dialects have the message, and each playlist lists the mark again.
        func message() -> String { SpliceSection(mark, isOut: true).base64 }
        return switch mark.dialect {
        case .elemental: ["X-CUE-OUT:\(duration)"]
        case .enhanced: ["OATCLS-SCTE35:\(message())", "X-ASSET:CAID=\(caid(mark))", "X-CUE-OUT:\(duration)"]
        case .attributes: [#"X-CUE-OUT:DURATION=\#(duration),ID=\#(mark.number),CUE="\#(message())""#]
        case .scte35: [#"X-SCTE35:CUE="\#(message())",CUE-OUT=YES,ID="\#(mark.number)",DURATION=\#(duration)"#]
        case .splicepoint: ["X-SPLICEPOINT-SCTE35:\(message())"]
        case .adobe: [#"X-CUE:TYPE="SpliceOut",ID="\#(mark.number)",TIME=\#(seconds(mark)),DURATION=\#(duration)"#]
        case .open: ["X-CUE-OUT"]
        case .dateranges, nil: []
        }
    }

    private static func middle(_ mark: LiveStream.BreakMark, elapsedMs: Int) -> [String] {
        let duration = SecondsText.text(milliseconds: mark.durationMs + mark.error.longerMs)
        let elapsed = SecondsText.text(milliseconds: elapsedMs)
        return switch mark.dialect {
        case .elemental: ["X-CUE-OUT-CONT:\(elapsed)/\(duration)"]
        case .enhanced:
            [
                "X-CUE-OUT-CONT:ElapsedTime=\(elapsed),Duration=\(duration),"
                    + "SCTE35=\(SpliceSection(mark, isOut: true).base64)"
            ]
        case .attributes: ["X-CUE-SPAN:TIMEFROMSIGNAL=PT\(elapsed)S,ID=\(mark.number)"]
        case .scte35:
            [
                #"X-SCTE35:CUE="\#(SpliceSection(mark, isOut: true).base64)",CUE-OUT=CONT,ID="\#(mark.number)","#
                    + "ELAPSED=\(elapsed)"
            ]
        case .adobe: [#"X-CUE-CONT:ID="\#(mark.number)",AVAIL-DUR-ELAPSED=\#(elapsed)"#]
        case .splicepoint, .open, .dateranges, nil: []
        }
    }

    private static func end(_ mark: LiveStream.BreakMark) -> [String] {
        func message() -> String { SpliceSection(mark, isOut: false).base64 }
        return switch mark.dialect {
        case .elemental, .enhanced, .open: ["X-CUE-IN"]
        case .attributes: ["X-CUE-IN:\(mark.number)"]
        case .scte35: [#"X-SCTE35:CUE="\#(message())",CUE-IN=YES,ID="\#(mark.number)""#]
        case .splicepoint: ["X-SPLICEPOINT-SCTE35:\(message())"]
        // The Adobe style, as AWS writes it, has no tag for the end.
        case .adobe, .dateranges, nil: []
        }
    }

    /// The number of the break as the content asset id, 8 bytes.
    private static func caid(_ mark: LiveStream.BreakMark) -> String {
        let digits = String(mark.number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }

    /// Start in seconds of the 90 kHz clock, which wraps.
    private static func seconds(_ mark: LiveStream.BreakMark) -> String {
        SecondsText.text(milliseconds: mark.startMs % ((1 << 33) / 90))
    }
}
