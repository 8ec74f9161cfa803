import PushAdapter
package import PushSimulation

/// The files of a page: its own, and those that all pages share.
package struct PageFiles: Sendable {
    private let html: [UInt8]
    private let css: [UInt8]
    private let js: [UInt8]

    package init(html: [UInt8], css: [UInt8], js: [UInt8]) {
        (self.html, self.css, self.js) = (html, css, js)
    }

    /// The file at a path; nil if there is none.
    package func answer(_ path: [String]) -> SimulatedResponse? {
        switch path {
        case []: Self.file(html, "text/html")
        case ["page.css"]: Self.file(css, "text/css")
        case ["page.js"]: Self.file(js, "text/javascript")
        case ["base.css"]: Self.file(PackageResources.base_css, "text/css")
        case ["base.js"]: Self.file(PackageResources.base_js, "text/javascript")
        default: nil
        }
    }

    private static func file(_ bytes: [UInt8], _ type: String) -> SimulatedResponse {
        SimulatedResponse(status: 200, headers: [.contentType: "\(type); charset=utf-8"], body: bytes)
    }
}
