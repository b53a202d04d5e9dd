import CreativeServer
import Testing

@Suite struct CreativeServerErrorTests {
    @Test func aTakenPortSaysWhatToDo() {
        #expect("\(CreativeServerError.portTaken(16257))".contains("--port"))
    }
}
