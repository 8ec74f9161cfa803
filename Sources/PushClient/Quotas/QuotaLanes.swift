import PushAdapter

/// The lanes of a client's quotas.
///
/// A bucket whose size is unknown, such as that of one origin, has a lane only from a throttle or a rate header on. There
/// may be any number of origins, so of more than 4,096 lanes those leave that come to rest first.
struct QuotaLanes {
    private struct Key: Hashable {
        var bucket: QuotaBucket
        var share = QuotaShare.all
    }

    /// The most lanes before some leave.
    private static let most = 4096

    /// The quotas whose size is known.
    private let quotas: [QuotaBucket: Quota]
    private var lanes: [Key: QuotaLane] = [:]

    init(_ quotas: [QuotaBucket: Quota]) { self.quotas = quotas }

    /// How many lanes there are.
    var count: Int { lanes.count }

    /// Changes the lane of a bucket; returns nil if it has none and needs none.
    @discardableResult
    mutating func change<Result>(
        _ bucket: QuotaBucket, _ share: QuotaShare = .all, _ body: (inout QuotaLane) -> Result
    ) -> Result? {
        let key = Key(bucket: bucket, share: share)
        if let index = lanes.index(forKey: key) { return body(&lanes.values[index]) }
        guard quotas[bucket] != nil || lanes[Key(bucket: bucket)] != nil else { return nil }
        return body(&lanes[key, default: QuotaLane(quotas[bucket], share)])
    }

    /// Changes a lane that exists.
    mutating func changeIfPresent(_ bucket: QuotaBucket, _ share: QuotaShare, _ body: (inout QuotaLane) -> Void) {
        guard let index = lanes.index(forKey: Key(bucket: bucket, share: share)) else { return }
        body(&lanes.values[index])
    }

    /// Makes the lane of a bucket, unless there is one.
    mutating func open(_ bucket: QuotaBucket) {
        let key = Key(bucket: bucket)
        guard lanes[key] == nil else { return }
        lanes.makeRoom(below: Self.most) { [quotas] key, lane in quotas[key.bucket] == nil ? lane.restsAt : nil }
        lanes[key] = QuotaLane(quotas[bucket])
    }
}

extension Dictionary {
    /// Before a new entry: of as many as `most`, removes a quarter, those of the lowest rank. Those without a rank stay.
    mutating func makeRoom<Rank: Comparable>(below most: Int, by rank: (Key, Value) -> Rank?) {
        guard count >= most else { return }
        let ranked = compactMap { key, value in rank(key, value).map { (key, $0) } }.sorted { $0.1 < $1.1 }
        for (key, _) in ranked.prefix(most / 4) { self[key] = nil }
    }
}
