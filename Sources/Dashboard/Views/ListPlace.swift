/// Where the dashboard keeps the list of a view.
struct ListPlace<Rows: ListRows>: Sendable {
    let pane: Pane
    let list: any WritableKeyPath<DashboardState, ListState<Rows>> & Sendable
    /// The filter of the list.
    let filter: any WritableKeyPath<DashboardState, String> & Sendable
}
