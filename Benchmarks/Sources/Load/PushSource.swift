import Synchronization

/// The addresses of a list of tokens, in turn, each time with a new id of Apple's form.
public final class PushSource: Sendable {
    private let urls: [String]
    private let count = Atomic(0)

    /// At least one address.
    public init(_ urls: [String]) { self.urls = urls }

    /// The address and the id of the next push.
    public func next() -> (url: String, id: String) {
        let number = count.add(1, ordering: .relaxed).oldValue
        let digits = String(number, radix: 16)
        let id = "4f6f0c1e-8f0a-4c9b-9b1c-" + String(repeating: "0", count: 12 - digits.count) + digits
        return (urls[number % urls.count], id)
    }
}
