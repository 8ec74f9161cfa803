public import PushAdapter

extension Capabilities {
    /// The phone makers that the vendor passes messages to, including itself if it is one: those with a row in
    /// `classQuotas`.
    public var makers: Set<ProviderID> { Set(classQuotas.map(\.maker)) }

    /// The platforms that an app at the vendor reaches. A phone maker is a platform of its own: `huawei` is
    /// its phones without Google's services, as in mainland China. `android` is Android phones with these services.
    ///
    /// A maker reaches its own phones only. An adapter that names no platforms is taken to reach iOS and Android.
    public func reach(of vendor: ProviderID) -> Set<Platform> {
        let phones = Set(makers.map { Platform($0.rawValue) })
        return makers.contains(vendor) ? phones : phones.union(platforms ?? [.ios, .android])
    }
}
