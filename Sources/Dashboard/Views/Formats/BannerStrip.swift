import AdFormats
import Screen
import Session

/// The screen banner in its place, the bottom of the view, as high as on a device (FMT-2): where the list leaves
/// room for it. The place stays reserved while it has no ad.
enum BannerStrip {
    /// Draws it into the last rows of `rect` that `free` rows allow.
    static func draw(_ context: ViewContext, in rect: Rect, free: Int, on grid: inout Grid) {
        guard let slot = context.snapshot.formats?.screenBanner, let size = slot.size, size.rows + 1 <= free else {
            return
        }
        let place = rect.splitBottom(size.rows + 1).bottom
        grid.fill(place.row(0), with: context.glyphs.light.horizontal, role: .paneBorder)
        var title = StyledLine.of(" \(slot.name)  \(size.text)  ", .textMuted)
        if slot.machine.isPresented {
            title.add(FormatsRowLine.refreshText(slot, context), .textMuted)
        } else {
            title.add(slot.state.rawValue, .textMuted)
        }
        title.space()
        grid.put(title, at: Point(x: place.x + 1, y: place.y), maxColumns: place.width - 1)
        guard slot.machine.isPresented, case .surface(let surface, _) = slot.content else { return }
        let columns = min(place.width - 2, size.columns)
        let lines = surface.lines.flatMap { StyledLine.of($0).wrapped(columns: max(2, columns)) }
        for (index, line) in lines.prefix(size.rows).enumerated() {
            grid.put(
                line.truncatedTail(to: columns, context.glyphs), at: Point(x: place.x + 1, y: place.y + 1 + index),
                maxColumns: columns)
        }
    }
}
