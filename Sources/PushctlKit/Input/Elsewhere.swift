import PushAdapter

/// A provider with the addresses of another data center.
struct Elsewhere: ForwardingProvider {
    let base: any PushProvider
    let dataCenter: DataCenter
}
