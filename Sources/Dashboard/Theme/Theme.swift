package import Screen

/// A theme with everything it inherits: gives the style of a role at a depth.
package struct Theme: Sendable, Equatable {
    /// The theme's name.
    package var name: String { layers.first?.name ?? "" }
    /// The background it is made for.
    package var variant: ThemeFile.Variant { layers.first?.variant ?? .any }
    /// Warnings about ignored parts of the file and of the files it inherits.
    package var warnings: [ThemeProblem] { layers.flatMap(\.warnings) }

    /// The file itself, then the files it inherits, nearest first.
    let layers: [ThemeFile]
    /// Named colours of all layers; the nearest wins, so a theme can recolour what it inherits.
    private let colors: [String: ThemeColor]

    /// Fails when a style names a colour that no palette has.
    init(layers: [ThemeFile]) throws(ThemeProblem) {
        self.layers = layers
        var colors: [String: ThemeColor] = [:]
        for layer in layers { colors.merge(layer.palette) { nearest, _ in nearest } }
        self.colors = colors
        for layer in layers {
            for (_, style) in layer.roles.sorted(by: { $0.key < $1.key }) {
                for reference in [style.foreground, style.background] {
                    guard case .named(let name, let place) = reference, colors[name] == nil else { continue }
                    throw ThemeProblem(layer.file, place, "\"\(name)\": no such colour in the palette")
                }
            }
        }
    }

    /// Every role resolved for a depth.
    package func palette(at depth: ColorDepth) -> Palette {
        Palette(depth: depth) { style(of: $0, at: depth) }
    }

    /// The style of a role at a depth.
    package func style(of role: Role, at depth: ColorDepth) -> Style {
        guard depth != .none else { return Style(attributes: mono(of: role)) }
        let own = styleString(of: role)
        let ground = styleString(of: .text)
        let foreground = color(own?.foreground ?? ground?.foreground)
        let background = color(own?.background ?? ground?.background)
        var style = Style(
            foreground: foreground.color(at: depth), background: background.color(at: depth),
            attributes: own?.attributes ?? [])
        // Eight colours have no light grey on black: dim keeps muted text readable, bold replaces bright.
        if depth == .ansi8, case .ansi(let color) = foreground.color(at: .ansi16), color.isBright {
            if color == .brightBlack {
                style.foreground = Theme.muted(on: style.background)
                style.attributes.insert(.dim)
            } else {
                style.attributes.insert(.bold)
            }
        }
        return style
    }

    /// The colour of muted text where there are eight. On a ground of the theme the terminal's own could be that of the ground.
    private static func muted(on ground: Color) -> Color {
        guard ground != .terminal else { return .terminal }
        return .ansi(ground == .ansi(.black) ? .white : .black)
    }

    /// The colour a style names; the terminal's own without one.
    func color(_ reference: StyleString.Reference?) -> ThemeColor {
        switch reference {
        case .color(let color): color
        case .named(let name, _): colors[name] ?? ThemeColor()
        case nil: ThemeColor()
        }
    }

    /// Rule 1: the role, then its prefixes, in each layer before the layer it inherits; `text` ends the chain.
    ///
    /// For a role of another family, `text` comes only after all layers: a theme that sets it keeps what it inherits.
    func styleString(of role: Role) -> StyleString? {
        let names = role.lookupNames
        for layer in layers {
            for name in names {
                if let style = layer.roles[name] { return style }
            }
        }
        return layers.lazy.compactMap { $0.roles[Role.text.name] }.first
    }

    /// Attributes without colour: the nearest layer with `mono=` for the role or its prefix, else the style's own.
    private func mono(of role: Role) -> Attributes {
        for layer in layers {
            for name in role.lookupNames {
                if let mono = layer.roles[name]?.mono { return mono }
            }
        }
        return styleString(of: role)?.attributes ?? []
    }
}
