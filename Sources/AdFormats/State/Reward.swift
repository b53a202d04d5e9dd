/// What a viewer gets for watching.
package struct Reward: Sendable, Hashable {
    /// `Lives`, for example.
    package var name: String
    /// Above 0.
    package var amount: Int

    package init(name: String, amount: Int) {
        self.name = name
        self.amount = amount
    }
}
