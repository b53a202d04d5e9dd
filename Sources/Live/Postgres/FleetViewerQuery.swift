package import Fleet
package import Ports

/// What `adtop fleet top` reads beyond the status: viewers, and the picture of one.
extension FleetRegister {
    /// All viewers that are wanted, by channel, region and number.
    package func viewers() async throws(StoreProblem) -> [FleetViewer] {
        let viewers = try await connection.call(Self.viewerQuery).rows.map { row throws(StoreProblem) in
            var viewer = FleetViewer(
                id: try row.integer("viewer"), channel: try row.text("channel"),
                labels: try row.texts("labels").compactMap(\.self), region: try row.text("region"),
                number: try row.integer("number"), agent: try row.optionalText("agent"),
                epoch: try row.integer("epoch"), phase: try row.text("phase"))
            viewer.problem = try row.optionalText("problem")
            if let due = try row.optionalInteger("due", as: Int.self) {
                viewer.beacons = FleetViewer.Beacons(
                    due: due, sent: try row.integer("sent"), acknowledged: try row.integer("acknowledged"),
                    failed: try row.integer("failed"), unknown: try row.integer("unknown"))
            }
            viewer.worstLate = try row.optionalInteger("worst_late_ms", as: Int64.self).map { .milliseconds($0) }
            viewer.pollAge = try row.optionalInteger("poll_age_ms", as: Int64.self).map { .milliseconds($0) }
            viewer.healthAge = try row.optionalInteger("health_age", as: Int64.self).map { .microseconds($0) }
            viewer.aloneFor = try row.optionalInteger("alone", as: Int64.self).map { .microseconds($0) }
            return viewer
        }
        return viewers.sorted(by: FleetViewer.precedes)
    }

    /// The fleet with its viewers.
    /// - Parameters: as of `overview(by:claims:)`.
    package func reading(
        by time: any TimeSource, claims known: FleetClaims? = nil
    ) async throws(StoreProblem) -> FleetReading {
        FleetReading(overview: try await overview(by: time, claims: known), viewers: try await viewers())
    }

    /// Asks the owner of a viewer for pictures during the next ten seconds; for operators.
    package func watch(_ viewer: Int) async throws(StoreProblem) {
        _ = try await connection.call("SELECT fleet.watch($1)", [.integer(viewer)])
    }

    /// The last picture of a viewer, and its age; nil where there is none.
    package func picture(of viewer: Int) async throws(StoreProblem) -> (text: String, age: Duration)? {
        let rows = try await connection.call(
            "SELECT snapshot, \(Self.age("at", as: "age")) FROM fleet.pictures WHERE viewer = $1", [.integer(viewer)])
        guard let row = rows.rows.first else { return nil }
        return (try row.text("snapshot"), max(.zero, .microseconds(try row.integer("age", as: Int64.self))))
    }

    private static let viewerQuery = """
        SELECT viewer, channel, labels, region, number, agent, epoch, phase, problem, due, sent, acknowledged, failed,
            unknown, worst_late_ms, poll_age_ms, \(age("at", as: "health_age")),
            \(age("without_agent_since", as: "alone"))
        FROM fleet.viewers
        """
}
