/// Why there is no session: every failed step with its reason, in order.
package struct SessionInitFailure: Error, Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        /// The step's name as log lines show it, e.g. `GET init`.
        package var name: String
        /// One clause that follows the name, e.g. `answered 503`.
        package var problem: String

        package init(name: String, problem: String) {
            self.name = name
            self.problem = problem
        }
    }

    package var steps: [Step]

    package init(steps: [Step]) {
        self.steps = steps
    }

    /// For example `GET init answered 404; POST init answered 405; manifest answered 503`.
    package var explanation: String {
        steps.map { "\($0.name) \($0.problem)" }.joined(separator: "; ")
    }
}
