import PushAdapter
import PushClient
import PushDevice

/// Calls for statistics and support. The session's phone keeps their data, because no server API accepts it; without a
/// phone as the session's host, nothing happens.
extension SequencedPushService {
    var clock: any PushClock { session.client.configuration.clock }

    // MARK: Pages

    /// A page appeared; call ``stopLogPageView(_:)`` when it disappears.
    public func startLogPageView(_ pageName: String) {
        guard session.phone != nil, has(.pages, "startLogPageView") else { return }
        let now = clock.elapsed
        state.pages.withLock { $0[pageName] = now }
    }

    /// A page disappeared: reports how long it was on the screen, by the client's clock. A page that did not appear is
    /// refused, and the refusal is logged.
    public func stopLogPageView(_ pageName: String) {
        guard let phone = session.phone, has(.pages, "stopLogPageView") else { return }
        let now = clock.elapsed
        guard let start = state.pages.withLock({ $0.removeValue(forKey: pageName) }) else {
            return log.write("stopLogPageView: the page \(pageName) was not started")
        }
        phone.record(.page(name: pageName, seconds: (now - start).seconds))
    }

    /// Reports how many seconds a page was on the screen. A negative number is refused, and the refusal is logged.
    public func beginLogPageView(_ pageName: String, duration seconds: Int) {
        guard has(.pages, "beginLogPageView") else { return }
        guard seconds >= 0 else {
            return log.write("beginLogPageView: the duration must be at least 0 and is \(seconds)")
        }
        session.phone?.record(.page(name: pageName, seconds: Double(seconds)))
    }

    // MARK: Place

    /// Reports the place of the phone, in degrees. The guide states no range, and its own example passes 100 for both.
    /// A value that is not a number is refused, and the refusal is logged.
    public func setLatitude(_ latitude: Double, longitude: Double) {
        guard has(.location, "setLatitude") else { return }
        guard latitude.isFinite, longitude.isFinite else {
            return log.write("setLatitude: the latitude or the longitude is no number")
        }
        session.phone?.record(.location(latitude: latitude, longitude: longitude))
    }

    /// Reports the place of the phone; refuses the same as ``setLatitude(_:longitude:)``, and nil.
    public func setLocation(_ location: DeviceLocation?) {
        guard let location else { return log.write("setLocation: there is no location") }
        setLatitude(location.latitude, longitude: location.longitude)
    }

    // MARK: Log and settings

    /// Writes more to the log: also the code of every call.
    public func setDebugMode() { log.level = .debug }

    /// Writes only errors to the log; for releases.
    public func setLogOFF() { log.level = .errors }

    /// Lets the SDK collect crash logs.
    public func crashLogON() { if has(.crashLog, "crashLogON") { session.phone?.record(.crashLog) } }

    /// Whether the SDK's own connection is encrypted, since MTPush 3.3.0. Call it before the service is started: later
    /// calls are refused, and the refusal is logged.
    public func setTcpSSL(_ isSSL: Bool) {
        guard has(.encryption, "setTcpSSL") else { return }
        guard case .unregistered = session.service else {
            return log.write("setTcpSSL: the service was started already; call it before")
        }
        session.phone?.record(.encryption(isSSL))
    }

    /// Names the data center: EngageLab's call, before the service is started. The phone keeps the name in its records.
    /// Later calls are refused, and the refusal is logged. From version 4.3.5 on, the SDK needs no name.
    ///
    /// The requests go to the client's data center, which is chosen where the adapter is made.
    public func setSiteName(_ siteName: String?) {
        guard case .unregistered = session.service else {
            return log.write("setSiteName: the service was started already; call it before")
        }
        if let siteName { session.phone?.record(.site(siteName)) }
    }

    /// Names the storage that the app shares with its extension, which needs it for spoken notifications: since MTPush
    /// 4.3.4. The extension must name the same one.
    public func setAppGroupId(_ appGroupId: String?) {
        guard has(.appGroup, "setAppGroupId") else { return }
        state.appGroup.withLock { $0 = appGroupId }
        if let appGroupId { session.phone?.record(.appGroup(appGroupId)) }
    }

    /// An id of the installation with 40 hexadecimal digits, derived from the device's id; empty until the device is
    /// registered, and except in JPush's old generation. It is not a secret: anyone who has the device's id can compute it.
    public func openUDID() -> String {
        guard has(.openUDID, "openUDID"), let id = session.device?.rawValue else { return "" }
        var digits = ""
        for part: UInt64 in 0..<3 {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ part
            for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            let text = String(hash, radix: 16)
            digits += String(repeating: "0", count: 16 - text.count) + text
        }
        return String(digits.prefix(40))
    }
}
