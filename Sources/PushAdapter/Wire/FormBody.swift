/// A body in the form of HTML forms. The fields stand in the order in which they are added.
package struct FormBody: Sendable {
    package private(set) var text = ""

    package init() {}

    package mutating func add(_ name: String, _ value: String) { add(name, encoded: PercentEncoding.encode(value)) }

    /// Adds a value that is percent-encoded already.
    package mutating func add(_ name: String, encoded value: String) {
        if !text.isEmpty { text += "&" }
        text += PercentEncoding.encode(name) + "=" + value
    }

    package var body: WireBody {
        .bytes(Array(text.utf8), contentType: "application/x-www-form-urlencoded;charset=UTF-8")
    }
}
