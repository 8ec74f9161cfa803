public import Hummingbird
import PushBridge

/// Answers a failed push with an HTTP status, and says whether the vendor may have acted.
public struct PushErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as PushError {
            context.logger.warning("push failed", metadata: ["error": "\(error)"])
            let failure = Failure(kind: error.kind.rawValue, effect: error.effect.rawValue)
            var response = try failure.response(from: request, context: context)
            response.status = Self.status(of: error)
            if case .after(let delay) = error.retry {
                response.headers[.retryAfter] = String(delay.components.seconds + 1)
            }
            return response
        }
    }

    /// Only the kind and the effect: the message may quote the vendor, so it belongs in the log.
    private struct Failure: ResponseEncodable {
        var kind: String
        var effect: String
    }

    private static func status(of error: PushError) -> HTTPResponse.Status {
        switch error.kind {
        case .invalidArgument, .tooLong, .limitExceeded: .badRequest
        case .noTarget, .notRegistered: .notFound
        case .unsupported: .notImplemented
        case .rateLimited, .busy, .quotaExhausted, .stopped: .serviceUnavailable
        case .timeout: .gatewayTimeout
        case .server, .transport, .malformedResponse: .badGateway
        // Credentials, settings and unknown codes are not the caller's fault.
        default: .internalServerError
        }
    }
}
