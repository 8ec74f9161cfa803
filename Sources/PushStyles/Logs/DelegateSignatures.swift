import PushCore

/// Finds methods of delegates that are never called because their signature is wrong.
///
/// The methods of a delegate are optional, so a method with a wrong label or type compiles, and the default
/// implementation is called in its place. Every default notes that here. In debug builds, the executable's symbols then
/// tell whether the delegate's class has a method of the same base name.
///
/// This is a hint, not a proof. It misses a misspelt base name, generic methods, methods of a superclass, methods that
/// the compiler has removed, classes in a dynamic library, and stripped executables. An unrelated method of the same
/// base name gives a wrong hint.
enum DelegateSignatures {
    #if DEBUG
        /// Where the defaults that are called on this thread leave their findings.
        @TaskLocal static var heard: Locked<[String]>?
        /// The methods of classes by base name. The executable does not change, so each class is read once.
        private static let known = Locked<[ObjectIdentifier: [String: Set<String>]]>([:])
        /// Methods of delegates that share their base name: each is right, whichever default is called.
        private static let overloads: Set<String> = [
            "application(_:didFinishLaunchingWithOptions:)", "application(_:didReceiveRemoteNotification:)",
            "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)", "application(_:didReceive:)",
            "jpushNotificationCenter(_:willPresent:withCompletionHandler:)",
            "jpushNotificationCenter(_:didReceive:withCompletionHandler:)",
            "mtpNotificationCenter(_:willPresent:withCompletionHandler:)",
            "mtpNotificationCenter(_:didReceive:withCompletionHandler:)", "mtpNotificationCenter(_:openSettingsFor:)",
        ]
    #endif

    /// Calls delegates and returns what their defaults found.
    static func findings(during call: () -> Void) -> [String] {
        #if DEBUG
            let found = Locked<[String]>([])
            $heard.withValue(found, operation: call)
            return found.withLock { $0 }
        #else
            call()
            return []
        #endif
    }

    /// To be called by the default implementation of a delegate's method.
    static func noteDefault(of delegate: AnyObject, _ expected: String = #function) {
        #if DEBUG
            guard let heard, let text = finding(in: type(of: delegate), expected) else { return }
            heard.withLock { $0.append(text) }
        #endif
    }

    #if DEBUG
        private static func finding(in type: AnyClass, _ expected: String) -> String? {
            let base = String(expected.prefix { $0 != "(" })
            let found = methods(of: type)[base, default: []].filter { $0 == expected || !overloads.contains($0) }
            guard let method = found.min() else { return nil }
            if method == expected {
                return "\(type) has a method \(method) with other types, which is never called; compare the types"
            }
            return "\(type) has a method \(method), which is never called; the delegate's method is \(expected)"
        }

        private static func methods(of type: AnyClass) -> [String: Set<String>] {
            let id = ObjectIdentifier(type)
            if let methods = known.withLock({ $0[id] }) { return methods }
            let methods = ExecutableSymbols.methods(of: type)
            known.withLock { $0[id] = methods }
            return methods
        }
    #endif
}
