public import PushAdapter

/// A target at a route, and where the message goes instead if that vendor certainly did not take it. A router plans them,
/// an outbox keeps them.
public struct RoutedTarget: Sendable, Hashable {
    /// A target at a route.
    public struct Way: Sendable, Hashable {
        /// The name of the client that sends to it.
        public var route: RouteName
        /// The recipient.
        public var target: Target

        /// A target at a route.
        public init(_ target: Target, at route: RouteName) { (self.target, self.route) = (target, route) }
    }

    /// The way that the message takes.
    public var first: Way
    /// The way to the same installation at another route; nil if there is none, or if the message must not take it.
    public var second: Way?

    /// A way, and another to take instead.
    public init(_ first: Way, or second: Way? = nil) { (self.first, self.second) = (first, second) }
}
