import CreativeServer
import Foundation
import Ports
import Testing

@Suite struct CreativeServerErrorTests {
    @Test func aTakenPortSaysWhatToDo() {
        let error = CreativeServerError.cannotListen(ListenProblem(port: 16257, code: EADDRINUSE))
        #expect(
            error.text(portFlag: "--cache-port")
                == "port 16257 is taken on 127.0.0.1; choose another with --cache-port, or 0 for any "
                + "(ss -ltnp shows who has it)")
        #expect("\(error)".contains("--port"))
    }
}
