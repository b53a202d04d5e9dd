package import Ports

/// What an SVTA 2053 ad creative signaling envelope says (TRK-28): the ads of an asset, or of a whole break,
/// and what to report of them.
package struct CreativeSignal: Hashable, Sendable {
    /// The member of an asset list and the attribute of a date range that carry an envelope.
    package static let member = "X-AD-CREATIVE-SIGNALING"

    /// Something to report.
    package struct Event: Hashable, Sendable {
        /// As written, e.g. `firstQuartile`.
        package var type: String
        /// From the start of what contains it; nil: when the type says.
        package var offset: Duration?
        package var urls: [String]
    }

    /// A name of the creative in some registry.
    package struct Identifier: Hashable, Sendable {
        package var scheme: String?
        package var value: String
    }

    /// One ad.
    package struct Slot: Hashable, Sendable {
        /// `linear` when not said.
        package var type = "linear"
        /// From the start of its pod, asset or date range; nil: after the slot before.
        package var start: Duration?
        package var duration: Duration?
        package var identifiers: [Identifier] = []
        package var tracking: [Event] = []
        package var verifications: [Verification] = []
        package var clickThrough: String?
        package var skipOffset: Duration?
        /// Addresses under `$remote` and members nobody reads, as they came.
        package var extras = JSONObject()
    }

    /// Ads that follow each other.
    package struct Pod: Hashable, Sendable {
        package var start: Duration?
        package var duration: Duration?
        package var slots: [Slot] = []
        package var tracking: [Event] = []
    }

    package var pods: [Pod] = []
    /// Slots outside a pod.
    package var slots: [Slot] = []
    /// Events outside a slot or pod.
    package var tracking: [Event] = []
    package var findings: [Finding] = []

    /// Ads in order, those of pods first, their starts counted from the same point as those of the pods.
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
