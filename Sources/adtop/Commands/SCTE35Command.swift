import ArgumentParser
import HLS
import Ports

/// `adtop scte35 PAYLOAD…`
struct SCTE35Command: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scte35", abstract: "Decode SCTE-35 messages.",
        discussion: """
            A payload is base64, hexadecimal with or without 0x, or - for one a line on standard input.

            Examples:
              adtop scte35 /DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==
              adtop scte35 --json 0xFC301100000000000000FFFFFF0000004F253396

            Exit codes: 0 fine, 1 a message whose CRC is wrong, 4 a payload that cannot be decoded.
            """)

    @Argument(help: "Messages.")
    var payloads: [String]

    @Flag(help: "Print JSON (schema adtop-scte35/1).")
    var json = false

    func run() throws {
        var isDamaged = false
        var isUnreadable = false
        var documents: [JSONValue] = []
        for payload in try texts() {
            do throws(SpliceInfoProblem) {
                let message = try SpliceTransport.decode(payload)
                isDamaged = isDamaged || !message.isCRCValid
                documents.append(["input": .string(payload), "expect": message.json, "error": nil])
                if !json { Report.tree(message.json).forEach { Output.line($0) } }
            } catch {
                isUnreadable = true
                documents.append(
                    [
                        "input": .string(payload), "expect": nil, "error": .string(error.kind.rawValue),
                        "message": .string(error.explanation), "offset": .integer(Int64(error.offset)),
                    ])
                if !json { Output.error("\(payload.prefix(40)): \(error)") }
            }
        }
        if json {
            Output.write(
                (["schema": "adtop-scte35/1", "vectors": .array(documents)] as JSONValue).text(indented: true) + "\n")
        }
        if isUnreadable { throw ExitStatus.unreadable.code }
        if isDamaged { throw ExitStatus.findings.code }
    }

    /// Arguments, with `-` replaced by the lines of standard input.
    private func texts() throws(CommandFailure) -> [String] {
        var texts: [String] = []
        for payload in payloads {
            guard payload == "-" else {
                texts.append(payload)
                continue
            }
            let input = try InputFile.text("-", or: "a payload")
            texts += input.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        return texts
    }
}
