/// The reward of a viewer for watching an ad.
package struct Reward: Sendable, Hashable {
    /// Name of the unit, for example `Lives`.
    package var name: String
    /// Amount, above 0.
    package var amount: Int

    package init(name: String, amount: Int) {
        self.name = name
        self.amount = amount
    }
}
