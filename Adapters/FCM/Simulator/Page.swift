import PushCrypto
import PushSimulation

/// One page of a list, selected by the request's parameters.
struct Page<Item> {
    let items: [Item]
    /// The token of the next page; nil on the last page.
    let next: String?

    init(_ request: SimulatedRequest, _ sizes: (standard: Int, most: Int), of all: [Item]) throws(Refusal) {
        let size = try Self.size(request, sizes)
        let start = try Self.start(request)
        guard start <= all.count else { throw .argument("Invalid page token.") }
        items = Array(all[start...].prefix(size))
        let end = start + items.count
        next = end < all.count ? Base64URL.encode(Array("page-\(end)".utf8)) : nil
    }

    /// A size of 0 means the standard size. A size above the maximum counts as the maximum.
    private static func size(_ request: SimulatedRequest, _ sizes: (standard: Int, most: Int)) throws(Refusal) -> Int {
        guard let text = FCMSimulator.parameter(request, "page_size") else { return sizes.standard }
        guard let size = Rules.count(text) else { throw .argument("Invalid page size.") }
        return size == 0 ? sizes.standard : min(size, sizes.most)
    }

    private static func start(_ request: SimulatedRequest) throws(Refusal) -> Int {
        guard let token = FCMSimulator.parameter(request, "page_token"), !token.isEmpty else { return 0 }
        let text = Base64URL.decode(token).flatMap { String(validating: $0, as: UTF8.self) }
        guard let text, text.hasPrefix("page-"), let start = Rules.count(String(text.dropFirst(5))) else {
            throw .argument("Invalid page token.")
        }
        return start
    }
}
