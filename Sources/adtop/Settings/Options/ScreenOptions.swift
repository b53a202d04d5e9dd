import ArgumentParser

/// The screen options, shared by every verb that draws.
struct ScreenOptions: ParsableArguments {
    @Option(help: .of(.view, "name"), completion: .of(.view))
    var view: String?

    @Option(help: .of(.theme), completion: .files("yaml", "yml", or: ThemeName.all))
    var theme: String?

    @Option(help: .of(.color), completion: .of(.color))
    var color: String?

    @Flag(help: "Use plain ASCII glyphs (default if the locale is not UTF-8).")
    var ascii = false

    @Flag(help: "Do not use the mouse, so that the terminal can.")
    var noMouse = false

    @Option(
        help: ArgumentHelp("Config file (default $XDG_CONFIG_HOME/adtop/config.yaml).", valueName: "file"),
        completion: .files("yaml", "yml"))
    var config: String?

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.view] = view
        settings[.theme] = theme
        settings[.color] = color
        settings[.ascii] = ascii ? "yes" : nil
        settings[.mouse] = noMouse ? "no" : nil
        return settings
    }
}
