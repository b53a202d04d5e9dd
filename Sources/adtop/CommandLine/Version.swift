/// The version of the program: of `--version`, of User-Agents and of what is written to disk.
enum Version {
    static let current = "0.1.0"
}
