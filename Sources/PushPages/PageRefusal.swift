import PushAdapter
package import PushSimulation

/// Why a page refuses a request.
package struct PageRefusal: Error {
    package let status: Int
    package let message: String

    package init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    package var response: SimulatedResponse { .json(["error": .string(message)], status: status) }
}
