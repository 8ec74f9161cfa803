/// Which of Apple's two push environments an app was built for.
public enum APNsEnvironment: String, Sendable, Hashable, Codable {
    case production
    case development
}
