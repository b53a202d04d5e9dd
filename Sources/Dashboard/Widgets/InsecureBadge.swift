import Screen

/// The warning of `--insecure` in headers.
enum InsecureBadge {
    /// As loud as the mode, and one of the last to shrink; nothing where certificates are verified.
    static func item(_ settings: DashboardSettings) -> FittedRow.Item {
        guard settings.isInsecure else { return .nothing }
        return FittedRow.Item(
            [StyledLine(" INSECURE ", .headerArmed), StyledLine("INSECURE", .headerArmed)], ranks: [1], gap: 2)
    }
}
