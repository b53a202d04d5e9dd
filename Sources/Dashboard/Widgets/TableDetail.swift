import Screen

/// What is known of a row of a table, in the few rows below it.
enum TableDetail {
    typealias Field = (label: SafeText, value: StyledLine)

    private static let labelColumns = 9

    /// The fields, wrapped where there are rows for it; else each cut to the columns.
    /// - Parameter address: the index of a field that is cut in its middle.
    static func rows(_ fields: [Field], _ context: ViewContext, in size: Size, address: Int? = nil) -> [HintRow] {
        let room = max(0, size.columns - labelColumns)
        let wrapped = fields.flatMap { field in
            field.value.wrapped(columns: room).enumerated().map { index, line in
                labelled(index == 0 ? field.label : .empty, line)
            }
        }
        if wrapped.count <= size.rows { return wrapped.map { HintRow($0) } }
        return fields.enumerated().map { index, field in
            let value =
                index == address
                ? field.value.truncatedMiddle(to: room, context.glyphs)
                : field.value.truncatedTail(to: room, context.glyphs)
            return HintRow(labelled(field.label, value))
        }
    }

    static func labelled(_ label: SafeText, _ value: StyledLine) -> StyledLine {
        var line = StyledLine(label, .textMuted)
        line.pad(to: labelColumns)
        line.append(value)
        return line
    }
}
