package import Ports

/// A session that another process follows, as that process saved it: a viewer of a fleet.
package struct PictureView: Sendable, Equatable {
    /// The agent that follows it; nil for none.
    package var agent: String?
    /// When it was saved, by our uptime; nil where there is none yet.
    package var takenAt: Moment?
    /// Why no newer one comes, in one sentence.
    package var problem: String?

    package init(agent: String?, takenAt: Moment? = nil, problem: String? = nil) {
        (self.agent, self.takenAt, self.problem) = (agent, takenAt, problem)
    }
}

extension SessionView {
    /// Whether this is the picture of a session of which there is none yet.
    package var lacksPicture: Bool { picture.map { $0.takenAt == nil } ?? false }
}
