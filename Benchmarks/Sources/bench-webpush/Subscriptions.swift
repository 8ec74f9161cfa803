import PushAdapter
import PushCrypto
import PushWebPush
import WebPushSimulator

/// As many targets as wanted, made one at a time. All have different addresses; a thousand pairs of keys take turns.
struct Subscriptions: AsyncSequence, Sendable {
    let count: Int
    private let pool: [String]

    /// Subscriptions that browsers made with a key.
    init(_ count: Int, madeWith key: WebPushKey) throws(PushError) {
        self.count = count
        pool = try (0..<Swift.min(count, 1000)).map { (_) throws(PushError) in
            let browser = try BrowserSubscription.generate(
                at: "https://updates.push.services.mozilla.com", applicationServerKey: Base64URL.decode(key.publicKey))
            return try WebPushSubscription(json: browser.json, vapidKey: key.id).deviceID.rawValue
        }
    }

    /// The target with this number: one of the pool, with the number as its query.
    func target(_ number: Int) -> DeviceID {
        let text = pool[number % pool.count]
        let end = text.firstRange(of: #"","keys""#)?.lowerBound ?? text.endIndex
        return DeviceID("\(text[..<end])?\(number)\(text[end...])")
    }

    func makeAsyncIterator() -> Iterator { Iterator(all: self) }

    struct Iterator: AsyncIteratorProtocol {
        let all: Subscriptions
        private var number = 0

        init(all: Subscriptions) { self.all = all }

        mutating func next() async -> DeviceID? {
            guard number < all.count else { return nil }
            defer { number += 1 }
            return all.target(number)
        }
    }
}
