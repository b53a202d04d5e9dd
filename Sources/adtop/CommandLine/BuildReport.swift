import CVersions

/// What `adtop --version` shows: the version in the first line, for scripts, then `what: value` about the build, for reports of faults.
struct BuildReport {
    /// A library, with the version in use where that is another one.
    struct Library: Equatable {
        var name: String
        var built: String
        var used: String

        var text: String { "\(name) \(built)" + (built == used ? "" : " (in use: \(used))") }
    }

    var libraries: [Library]
    var hasStaticRuntime: Bool

    /// This program.
    static var ofProgram: BuildReport {
        BuildReport(libraries: systemLibraries, hasStaticRuntime: adtop_has_static_runtime() != 0)
    }

    /// Without a final newline.
    var text: String {
        let system = libraries.filter { $0.name == "glibc" }.map { ", \($0.text)" }.joined()
        let linked = libraries.filter { $0.name != "glibc" }.map(\.text) + [Self.tlsLibrary]
        return """
            adtop \(Version.current)
            build: \(Self.configuration), Swift \(Self.swift), \(hasStaticRuntime ? "static" : "shared") Swift runtime
            platform: \(Self.platform)\(system)
            libraries: \(linked.joined(separator: ", "))
            """
    }

    /// The TLS library is compiled in; `scripts/check-pins` compares the version with that of the package.
    private static let tlsLibrary = "BoringSSL of swift-nio-ssl 2.37.6"

    private static var systemLibraries: [Library] {
        var libraries: [Library] = []
        while true {
            let library = adtop_library_at(Int32(libraries.count))
            guard let name = library.name else { return libraries }
            let used = library.used.map { String(cString: $0) } ?? ""
            let built = library.built.map { String(cString: $0) } ?? ""
            let title = String(cString: name)
            libraries.append(Library(name: title, built: version(built), used: version(used)))
        }
    }

    /// The versions as people write them: `ncurses 6.4.20221231` without the name, and libxml2's `20914` or `20914-GIT…` as `2.9.14`.
    static func version(_ text: String) -> String {
        let word = text.split(separator: " ").last.map(String.init) ?? ""
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        guard digits.count > 4, let number = Int(digits), !word.dropFirst(digits.count).hasPrefix(".") else {
            return word
        }
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }

    private static var configuration: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    private static var platform: String {
        #if os(macOS)
            let system = "macOS"
        #else
            let system = "Linux"
        #endif
        #if arch(x86_64)
            return "\(system) x86_64"
        #elseif arch(arm64)
            return "\(system) arm64"
        #else
            return system
        #endif
    }

    /// The compiler's version; it can only be compared with others, not read.
    private static var swift: String {
        #if compiler(>=6.5)
            "6.5 or newer"
        #elseif compiler(>=6.4.1)
            "6.4.1 or newer"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3.4)
            "6.3.4 or newer"
        #elseif compiler(>=6.3.3)
            "6.3.3"
        #elseif compiler(>=6.3.2)
            "6.3.2"
        #elseif compiler(>=6.3.1)
            "6.3.1"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
