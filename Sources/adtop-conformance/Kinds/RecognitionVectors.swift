import AdTracking
import Ports

/// Cases of recognition: whose a stream is, by its address and the text behind it.
enum RecognitionVectors {
    static func result(_ input: VectorNode) throws(VectorProblem) -> JSONObject {
        let text = input.value["text"]?.stringValue.map { Array($0.utf8) }
        let url = try MediaTailorVectors.url(try input.member("url"))
        guard let found = Recognition(of: url, text: text) else { return JSONObject() }
        var members = JSONObject()
        members.append("provider", .string(found.name))
        members.append("by", found.isByText ? "text" : "url")
        if let place = found.place {
            members.append("role", .string(place.role.rawValue))
            members.append("tracking", .optional(place.tracking?.text))
        }
        return members
    }
}
