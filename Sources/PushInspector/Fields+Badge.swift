import PushAdapter
import PushPages

extension Fields {
    /// A number, or a text such as `+1`; an empty text is no badge.
    func badge(_ name: String) throws(PageRefusal) -> Badge? {
        if try field(name, "a value", { $0 }) == "" { return nil }
        return try field(name, "a number, or a change such as +1") { value in
            if let number = value.intValue { return number >= 0 ? .set(number) : nil }
            guard let text = value.stringValue, let number = Int(text) else { return nil }
            return text.hasPrefix("+") || text.hasPrefix("-") ? .change(by: number) : .set(number)
        }
    }
}
