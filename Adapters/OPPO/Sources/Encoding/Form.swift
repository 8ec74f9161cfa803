import PushAdapter

/// A body in the form of HTML forms. The fields stand in the order in which they are added.
struct Form: Sendable {
    private var text = ""

    mutating func add(_ name: String, _ value: String) { add(name, encoded: PercentEncoding.encode(value)) }

    /// Adds a value that is percent-encoded already.
    mutating func add(_ name: String, encoded value: String) {
        if !text.isEmpty { text += "&" }
        text += PercentEncoding.encode(name) + "=" + value
    }

    var body: WireBody {
        .bytes(Array(text.utf8), contentType: "application/x-www-form-urlencoded;charset=UTF-8")
    }
}
