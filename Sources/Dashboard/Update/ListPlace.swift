/// The rows of a view for moving the cursor.
protocol ListRows: Sendable {
    /// The identity of a row.
    associatedtype Item: Hashable & Sendable
    /// All rows, also those scrolled away.
    var count: Int { get }
    /// The row under the cursor.
    var selectedRow: Int { get }
    /// Moves the cursor, clamped to the rows.
    mutating func select(_ row: Int)
    /// The identity of a row, nil outside.
    func item(at row: Int) -> Item?
}

extension PlaylistModel: ListRows {
    var count: Int { rows.count }
}

extension CreativeModel: ListRows {
    var count: Int { rows.count }
}

extension AuctionModel: ListRows {
    var count: Int { rows.count }
}

/// Where the dashboard keeps a list: its state and its rows.
struct ListPlace<Rows: ListRows> {
    let pane: Pane
    let state: WritableKeyPath<DashboardState, ListState<Rows.Item>>
    let rows: WritableKeyPath<DashboardState, Rows>
}

extension ListPlace<PlaylistModel> {
    /// The list of the playlist view.
    static var playlist: Self { Self(pane: .playlist, state: \.playlist, rows: \.playlistModel) }
}

extension ListPlace<CreativeModel> {
    /// The list of the creative view.
    static var creative: Self { Self(pane: .creative, state: \.creative, rows: \.creativeModel) }
}

extension ListPlace<AuctionModel> {
    /// The list of the auction view.
    static var auction: Self { Self(pane: .auction, state: \.auction, rows: \.auctionModel) }
}
