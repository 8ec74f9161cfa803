public import PushAdapter

extension Capabilities {
    /// Whether the vendor carries a message field, for people: `yes`, or `ignored` or `no` with the reason.
    public func summary(of field: MessageField) -> String {
        if let reason = ignoredFields[field] { return "ignored: \(reason)" }
        if fields.contains(field) { return "yes" }
        return "no" + (absentFields[field].map { ": \($0)" } ?? "")
    }
}
