/// Elements of charts as SVG.
enum SVGMarkup {
    static func rectangle(_ style: String, x: Double, y: Double, width: Double, height: Double) -> String {
        #"<rect class="\#(style)" x="\#(figure(x))" y="\#(figure(y))" width="\#(figure(width))" height="\#(figure(height))"/>"#
    }

    static func label(_ text: String, x: Double, y: Double, anchor: String) -> String {
        #"<text x="\#(figure(x))" y="\#(figure(y))" text-anchor="\#(anchor)">\#(HTMLText.escaped(text))</text>"#
    }

    /// One decimal, with a point in every locale.
    static func figure(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
