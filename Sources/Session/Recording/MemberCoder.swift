import Ports

/// A value with one form in recordings.
protocol RecordedValue {
    /// The form that is written.
    var recorded: JSONValue { get }
    /// Reads the member of that name. A missing or mistyped one is a problem with its name, unless nil is a value.
    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> Self
}

/// An element of a list in recordings.
protocol RecordedElement {
    var recorded: JSONValue { get }
    /// Reads an element; nil if it is dropped from the list.
    static func element(_ json: JSONValue) throws(RecordingFormat.Problem) -> Self?
}

extension RecordedElement {
    /// Reads the list in the member of that name.
    static func list(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> [Self] {
        var list: [Self] = []
        for json in try fields.array(name) {
            if let element = try element(json) { list.append(element) }
        }
        return list
    }
}

/// An object whose members are listed once, for writing and for reading.
protocol RecordedMembers {
    /// Lists the members in the order in which they are written.
    mutating func code(_ members: inout MemberCoder)
}

extension RecordedMembers {
    var recorded: JSONValue { recorded(after: []) }

    /// The members, after others.
    func recorded(after first: [JSONObject.Member]) -> JSONValue {
        var copy = self
        var members = MemberCoder(writingAfter: JSONObject(first))
        copy.code(&members)
        return .object(members.written)
    }

    /// This value with the members of an object.
    func reading(_ fields: Fields) throws(RecordingFormat.Problem) -> Self {
        var value = self
        var members = MemberCoder(reading: fields)
        value.code(&members)
        if let problem = members.problem { throw problem }
        return value
    }
}

/// Such an object in a member or a list.
protocol RecordedObject: RecordedMembers, RecordedValue, RecordedElement {
    /// The value into which a reader puts the members.
    static var blank: Self { get }
}

extension RecordedObject {
    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> Self {
        try blank.reading(fields.object(name))
    }

    static func element(_ json: JSONValue) throws(RecordingFormat.Problem) -> Self? {
        try blank.reading(Fields(json))
    }
}

/// Writes or reads the members of one object, in one description for both.
struct MemberCoder {
    /// What was written so far.
    private(set) var written: JSONObject
    /// The first problem in reading; what follows it is not read.
    private(set) var problem: RecordingFormat.Problem?
    /// What is read; nil in writing.
    private let fields: Fields?

    init(reading fields: Fields) {
        self.fields = fields
        written = JSONObject()
    }

    init(writingAfter first: JSONObject) {
        fields = nil
        written = first
    }

    /// A member that every recording has.
    mutating func code<Value: RecordedValue>(_ name: String, _ value: inout Value) {
        code(name, value.recorded) { fields throws(RecordingFormat.Problem) in
            value = try Value.member(name, of: fields)
        }
    }

    /// A member that earlier recordings do not have: they replay with `earlier`.
    mutating func code<Value: RecordedValue>(_ name: String, _ value: inout Value, earlier: Value) {
        code(name, value.recorded) { fields throws(RecordingFormat.Problem) in
            value = fields.has(name) ? try Value.member(name, of: fields) : earlier
        }
    }

    /// A list; recordings may lack it if `isOptional`, and replay with an empty one.
    mutating func code<Element: RecordedElement>(
        _ name: String, _ list: inout [Element], isOptional: Bool = false
    ) {
        code(name, .array(list.map(\.recorded))) { fields throws(RecordingFormat.Problem) in
            list = isOptional && !fields.has(name) ? [] : try Element.list(name, of: fields)
        }
    }

    /// A member that is written only if there is a value.
    mutating func codeIfPresent<Value: RecordedValue>(_ name: String, _ value: inout Value?) {
        if fields == nil, value == nil { return }
        code(name, &value)
    }

    /// Bytes as text if they are UTF-8, so that a recording can be read and searched and its secrets are found; else in
    /// another member as hexadecimal digits.
    mutating func code(text: String, hex: String, _ bytes: inout [UInt8]) {
        if let fields {
            read(fields) { fields throws(RecordingFormat.Problem) in
                bytes =
                    fields.has(text)
                    ? Array(try fields.string(text).utf8) : try Hexadecimal.bytes(try fields.string(hex))
            }
        } else if let valid = String(validating: bytes, as: UTF8.self) {
            written.append(text, .string(valid))
        } else {
            written.append(hex, .string(bytes.hexadecimal))
        }
    }

    /// A member with a form of its own.
    mutating func code(
        _ name: String, _ form: @autoclosure () -> JSONValue, _ body: (Fields) throws(RecordingFormat.Problem) -> Void
    ) {
        if let fields { read(fields, body) } else { written.append(name, form()) }
    }

    private mutating func read(_ fields: Fields, _ body: (Fields) throws(RecordingFormat.Problem) -> Void) {
        guard problem == nil else { return }
        do throws(RecordingFormat.Problem) {
            try body(fields)
        } catch {
            problem = error
        }
    }
}
