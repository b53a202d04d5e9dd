/// The rows of the tree for one snapshot and one `TreeState`, with what the rows add up to.
package struct TreeModel: Sendable {
    package init() {}
}
