import AdTracking

/// docs/states.md, made from the words that the program uses.
enum StatePage {
    /// The page as Markdown.
    static var markdown: String {
        ([intro] + states + [reasons]).joined(separator: "\n")
    }

    private static let intro = """
        # States and reasons

        One state has one word on the screen, in log lines, in the report and in these pages. JSON, events, CSV and metrics keep stable
        names beside it. This page is made from the code; a test keeps it current.

        ## Events and URLs

        `reportingState` and the counters name the state of an event, which is the aggregate of its URLs; `urls[].state` names that of one URL.

        """

    private static var states: [String] {
        ["| word | event in JSON | URL in JSON | meaning |", "|---|---|---|---|"]
            + StateWord.allCases.map { word in
                let events = ReportingState.allCases.filter { $0.word == word }.map { "`\($0.rawValue)`" }
                let urls = DeliveryState.allCases.filter { $0.word == word }.map { "`\($0.rawValue)`" }
                let retried = word == .retry ? ["`connecting`"] : []
                return "| \(word.rawValue) | \((events + retried).joined(separator: ", ")) "
                    + "| \(urls.joined(separator: ", ")) | \(word.meaning) |"
            }
    }

    private static var reasons: String {
        let rows = SkipReason.allCases.map { reason in
            "| \(reason.words.short) | `\(reason.rawValue)` | \(reason.words.sentence) |"
        }
        let join = ReasonWord.beforeJoin
        let before = "| \(join.short) | `\(SkipReason.seekedOver.rawValue)`, `beforeJoin` true | \(join.sentence) |"
        let withdrawn = ReasonWord.withdrawn
        let gone =
            "| \(withdrawn.short) | `\(SkipReason.noMetadataInTime.rawValue)`, `withdrawn` true | \(withdrawn.sentence) |"
        let timeless = ReasonWord.withoutMoment
        let never =
            "| \(timeless.short) | `\(SkipReason.userClass.rawValue)`, `userTriggered` false | \(timeless.sentence) |"
        let empty = "| \(ReasonWord.withoutURL.short) | null | \(ReasonWord.withoutURL.sentence) |"
        return """

            ## Counts

            Progress counts events: `11 of 18 done`. Losses count beacons, each URL of an event once: `2 failed`,
            `1 unknown` mean the same in the header, in rows and details, in the report, in metrics and in the line that stays in the shell. An event that lost
            several of its URLs is one of the events and several of the beacons: then it reads `15 of 18 done, 4 beacons failed`, in
            a row that has room for it `✗4 beacons  15/18`, and the summary names which of its columns are beacons. What an earlier process lost counts
            as long as its break is listed; what is due and sent counts in this process alone. In JSON losses are `beaconsFailed` and `beaconsUnknown` of this process,
            `earlierFailed` and `earlierUnknown` of an earlier one; `beacons.failed` and `beacons.unknown` of the table of sessions have both.

            An event is late if it was sent, or in observe mode would have been sent, more than a second after it was due: `6 of 6 done, 6 late`.

            ## Reasons

            An event or URL that is not sent, only observed, or still idle has one reason.

            | word | JSON | meaning |
            |---|---|---|
            \(([before, gone, never, empty] + rows).joined(separator: "\n"))

            ## What is on air

            A break or an ad on air reads `on air`, whatever its beacons are; the bar and the counts beside it show these. A break that only
            playlist cues announce has nothing to report: it reads `cues only`. An interstitial whose assets could not be loaded reads
            `cancelled`; one whose tag left the playlist before it played reads `removed`, and its state in JSON is `withdrawn`.

            In observe mode nothing is `done`: a break then reads `12 of 12 due, none sent (observe)`.

            """
    }
}
