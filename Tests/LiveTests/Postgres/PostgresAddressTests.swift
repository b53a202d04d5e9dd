import Fleet
import Testing

@testable import Live

@Suite(.enabled(if: PostgresAddress.isLibraryThere, "libpq is not installed (scripts/setup)"))
struct PostgresAddressTests {
    private static func problem(_ text: String) -> StoreProblem? {
        do throws(StoreProblem) {
            _ = try PostgresAddress(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "postgres://adtop_agent@db.example.com:5432/adtop?sslmode=verify-full",
        "postgresql://a@db1,db2:5433/adtop", "postgres://", "service=fleet", "postgres://a@/adtop?host=/tmp/x",
    ])
    func takesAddresses(_ text: String) {
        #expect(Self.problem(text) == nil)
    }

    @Test(arguments: [
        ("postgre://db", "postgre://db"), ("", ""), ("db.example.com", "db.example.com"), ("service=", "service="),
        ("service=a host=b", "service=a host=b"), ("postgres://a@db/x?nonsense=1", "postgres://***@db/x?nonsense=1"),
        ("postgre://anna:s3cret@db", "postgre://***@db"), ("anna:s3cret@db", "***@db"),
        ("host=db password=s3cret", "host=db ***"), ("postgre://db?password=s3cret", "postgre://db?***"),
    ])
    func rejectsWhatIsNone(_ text: String, _ shown: String) {
        #expect(Self.problem(text) == .wrongAddress(shown))
    }

    @Test(arguments: [
        "postgres://anna:s3cret@db/adtop", "postgres://anna@db/adtop?password=s3cret",
        "postgres://anna@db/adtop?sslpassword=s3cret",
    ])
    func rejectsPasswords(_ text: String) {
        #expect(Self.problem(text) == .passwordInAddress)
    }

    @Test func knowsWhatLeavesTheMachine() {
        func isOfThisMachine(_ name: String, _ address: String = "") -> Bool {
            PostgresHost(name: name, address: address, port: "5432").isOfThisMachine
        }
        #expect(isOfThisMachine(""))
        #expect(isOfThisMachine("/tmp"))
        #expect(isOfThisMachine("@abstract"))
        #expect(isOfThisMachine("LocalHost"))
        #expect(isOfThisMachine("127.0.0.1"))
        #expect(isOfThisMachine("::1"))
        #expect(isOfThisMachine("db.example.com", "127.0.0.1"))
        #expect(!isOfThisMachine("localhost", "192.0.2.1"))
        #expect(!isOfThisMachine("localhost.example.com"))
        #expect(!isOfThisMachine("10.0.0.1"))
    }
}
