package import Ports

extension TrackingPlan {
    /// All URLs requested for the ad: events by time, each URL as written and expanded with `values`; `refused` is the
    /// reason why one is never requested.
    package func json(values: MacroValues, seed: UInt64) -> JSONValue {
        [
            "duration_ms": .optional(durationMilliseconds), "skip_from_ms": .optional(skipFromMilliseconds),
            "events": .list(events) { event in
                [
                    "event": .string(event.name), "cause": .string(event.cause.rawValue),
                    "at_ms": .optional(event.atMilliseconds), "offset": .optional(event.offset),
                    "never": .optional(event.never?.rawValue),
                    "urls": .list(event.urls) { url in
                        let expanded = url.expansion(values, at: event.atMilliseconds, seed: seed).url
                        return [
                            "level": .integer(Int64(url.level)), "template": .string(url.template),
                            "url": .string(expanded), "refused": .optional(TrackingPlan.refusal(of: expanded)),
                        ]
                    },
                ]
            },
        ]
    }
}

extension TrackingPlan {
    /// Why an expanded URL is never requested, as one clause; nil when it is an http or https URL.
    package static func refusal(of url: String) -> String? {
        do throws(WebURLProblem) {
            _ = try WebURL(url)
            return nil
        } catch {
            return error.explanation
        }
    }
}

extension MacroExpander.Step {
    /// The replacement of a token and the reason for it.
    package var json: JSONValue {
        ["token": .string(token), "replacement": .string(replacement), "reason": .string(reason.rawValue)]
    }
}
