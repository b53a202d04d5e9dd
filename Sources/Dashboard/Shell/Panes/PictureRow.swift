import Ports
import Screen
import Session

/// Whose picture is shown, and how old it is.
enum PictureRow {
    static func draw(_ picture: PictureView, _ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard !rect.isEmpty else { return }
        grid.fill(rect, role: .bannerFrozen)
        let area = rect.inset(columns: 1, rows: 0)
        grid.put(
            line(picture, context).truncatedTail(to: area.width, context.glyphs), at: area.origin,
            maxColumns: area.width)
    }

    /// `PICTURE 3s old, of agent a1`
    static func line(_ picture: PictureView, _ context: ViewContext) -> StyledLine {
        var line = StyledLine("PICTURE ", .bannerFrozen)
        if let at = picture.takenAt {
            line.add("\(TimeText.coarse(max(.zero, context.realNow.uptime - at.uptime))) old", .bannerFrozen)
            if let agent = picture.agent { line.add(", of agent \(agent)", .bannerFrozen) }
        } else if let agent = picture.agent {
            line.add("none yet: agent \(agent) saves one after its next poll", .bannerFrozen)
        } else {
            line.append("none: no agent follows this viewer", .bannerFrozen)
        }
        if let problem = picture.problem { line.add("   " + context.prose(problem), .bannerFrozen) }
        return line
    }
}
