// Our side of webpush.py: a push service with a browser for each name in the arguments, a sender, and the encryption by
// itself. Prints a line of JSON with what the other side must know, and then one in answer to each line of standard
// input. Ends with its standard input.

import Foundation
import PushAdapter

/// One element for each line of standard input. The thread ends with the program.
func lines() -> AsyncStream<String> {
    let (lines, found) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
        while let line = readLine() { found.yield(line) }
        found.finish()
    }
    return lines
}

func write(_ answer: JSONValue) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(JSONWriter.bytes(of: answer) + [0x0A]))
}

try await Peer.run(browsers: Array(CommandLine.arguments.dropFirst())) { peer, introduction in
    try write(introduction)
    for await line in lines() { try write(await peer.answer(line)) }
}
