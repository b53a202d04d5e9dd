package import Ports

/// The content of an SVTA 2053 ad creative signaling envelope (TRK-28): the ads of an asset or of a whole break, and
/// their tracking events.
package struct CreativeSignal: Hashable, Sendable {
    /// Name of the member in an asset list, and of the attribute in a date range.
    package static let member = "X-AD-CREATIVE-SIGNALING"

    /// A tracking event.
    package struct Event: Hashable, Sendable {
        /// Type as written, e.g. `firstQuartile`.
        package var type: String
        /// Offset from the start of its container; nil when the type determines it.
        package var offset: Duration?
        package var urls: [String]
    }

    /// An identifier of the creative in some registry.
    package struct Identifier: Hashable, Sendable {
        package var scheme: String?
        package var value: String
        /// The id of the ad in the tracking data; only in ad-ID decoration.
        package var adPosition: String?
    }

    /// One ad.
    package struct Slot: Hashable, Sendable {
        /// Type of the slot (default `linear`).
        package var type = "linear"
        /// Offset from the start of its pod, asset or date range; nil means after the slot before.
        package var start: Duration?
        package var duration: Duration?
        package var identifiers: [Identifier] = []
        package var tracking: [Event] = []
        package var verifications: [Verification] = []
        package var clickThrough: String?
        package var skipOffset: Duration?
        /// Members under `$remote` and unsupported members, unchanged.
        package var extras = JSONObject()

        /// Whether it is a part of the stream and not over it.
        package var isLinear: Bool { type.lowercased() == "linear" }
    }

    /// Consecutive ads.
    package struct Pod: Hashable, Sendable {
        package var start: Duration?
        package var duration: Duration?
        package var slots: [Slot] = []
        package var tracking: [Event] = []
    }

    /// Version 1: the payload alone.
    package var isBare = false
    package var pods: [Pod] = []
    /// Slots outside a pod.
    package var slots: [Slot] = []
    /// Events outside a slot or pod.
    package var tracking: [Event] = []
    package var findings: [Finding] = []

    /// Ads in order, those of pods first; all starts are offsets from the same point.
    package var allSlots: [Slot] {
        pods.flatMap { pod in
            pod.slots.enumerated().map { index, slot in
                var slot = slot
                let start = pod.start ?? .zero
                slot.start = slot.start.map { start + $0 } ?? (index == 0 ? pod.start : nil)
                return slot
            }
        } + slots
    }

    var isEmpty: Bool { pods.isEmpty && slots.isEmpty && tracking.isEmpty }
}
