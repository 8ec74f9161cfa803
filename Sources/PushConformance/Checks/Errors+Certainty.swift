import PushAdapter
import PushClient
import PushSimulation

extension World {
    /// Errors of a send whose status says that the server failed, and that the vendor documents as refusals.
    var documentedRefusals: [DocumentedError] {
        harness.documentedErrors.filter { $0.operation == .send && $0.isRefusal && ($0.status ?? 0) >= 500 }
    }

    /// Expects the adapter to be certain only of failures that the vendor documents as refusals.
    func expectDoubt() throws {
        let hint = "only a row with a source for that status may be certain"
        for error in harness.documentedErrors where !error.isRefusal {
            try expect(
                try diagnosis(of: error).vendor?.isCertain != true, "doubt about the code \(error.code)",
                actual: "certainty", hint: hint)
        }
        for sample in try sampleCalls() {
            let page = WireResponse(
                status: 503, headers: [.contentType: "text/html"], body: Array("<html>busy</html>".utf8))
            let undocumented = WireResponse(status: 599)
            for response in [page, undocumented] {
                let error = provider.diagnose(response, to: sample.exchange.call)
                try expect(
                    error?.vendor?.isCertain != true, "doubt about a bare status of \(sample.operation)",
                    actual: "certainty", hint: hint)
            }
        }
    }

    /// A send gets the body of its acceptance with statuses that refuse. An empty body accepts nothing.
    func meetContradictions() async throws {
        let sending = try required(.send)
        _ = try await client.send(message, to: audience)
        let path = try path(of: sending)
        guard let accepted = host.journal.entries(path: path).last?.response else {
            throw ConformanceFailure(expected: "a response to the send", actual: "none", hint: "answer it")
        }
        guard !accepted.body.isEmpty else { return }
        // 429 comes last, because the client pauses after it.
        for status in [400, 401, 403, 404, 409, 413, 500, 503, 429] {
            var response = accepted
            response.status = status
            host.faults.add(.answer(response), path: path)
            do throws(PushError) {
                try await client.run(sending.exchange)
            } catch {
                try expect(
                    error.effect != .notApplied, "another effect than notApplied with status \(status)",
                    actual: "\(error)", hint: "read the body in diagnose(_:to:) before the status")
            }
        }
    }

    /// A send meets a documented refusal once: nothing was done, so the client sends again if the refusal can pass.
    func meetSending(_ refusal: DocumentedError) async throws {
        let sending = try required(.send)
        // A send with a key is repeated even after a failure.
        let said = try diagnosis(of: refusal)
        try expect(
            said.effect == .notApplied && said.vendor?.isCertain == true, "certainty that nothing was done",
            actual: "\(said)", hint: "use VendorErrorRow.certain(at:)")
        let before = (sent: try sent(sending).count, received: try await inbox(device).count)
        host.faults.add(.answer(answer(refusal)), path: try path(of: sending))
        if refusal.isPassing == true {
            let report = try await client.send(message, to: audience)
            try expect(
                report.isComplete, "a complete report", actual: "\(report)", hint: "nothing was done: advise a retry")
        } else {
            let error = try await expectError("the send", hint: "the vendor refuses it") { () async throws(PushError) in
                try await client.send(message, to: audience)
            }
            try expectEqual(error.effect, .notApplied, "the effect", hint: "use VendorErrorRow.certain(at:)")
        }
        let times = refusal.isPassing == true ? (sent: 2, received: 1) : (sent: 1, received: 0)
        try expectEqual(try sent(sending).count - before.sent, times.sent, "the sends", hint: "use certain(at:)")
        try expectEqual(
            try await inbox(device).count - before.received, times.received, "the messages received", hint: "once")
    }
}
