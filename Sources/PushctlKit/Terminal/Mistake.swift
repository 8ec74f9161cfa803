import ArgumentParser

/// A mistake in the arguments, in the form of all other errors.
enum Mistake {
    /// A line with the error; where a word is unknown, with the known one that is nearest; and where to read on.
    static func text(of error: any Error) -> String {
        let (command, path, rest) = self.command(of: Array(CommandLine.arguments.dropFirst()))
        let unknown = unknownCommand(rest, of: command, path) ?? unknownOption(rest, of: command)
        return line(unknown ?? message(of: error), path)
    }

    /// The command that a request for help names, if it does not exist; otherwise nil.
    static func ofRequestForHelp() -> String? {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "help" { arguments.removeFirst() }
        let (command, path, rest) = self.command(of: arguments)
        return unknownCommand(rest, of: command, path).map { line($0, path) }
    }

    private static func line(_ mistake: String, _ path: [String]) -> String {
        "error: \(mistake); see 'pushctl \((path + ["--help"]).joined(separator: " "))'"
    }

    /// The command that the arguments name, and the arguments behind its name.
    private static func command(
        of arguments: [String]
    ) -> (command: any ParsableCommand.Type, path: [String], rest: [String]) {
        var command: any ParsableCommand.Type = PushctlCommand.self
        var (path, rest): ([String], [String]) = ([], arguments)
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            command = next
            path.append(word)
            rest.removeFirst()
        }
        return (command, path, rest)
    }

    private static func unknownCommand(
        _ rest: [String], of command: any ParsableCommand.Type, _ path: [String]
    ) -> String? {
        let known = command.configuration.subcommands.map { $0._commandName }
        guard !known.isEmpty, let word = rest.first, !word.hasPrefix("-") else { return nil }
        let place = path.isEmpty ? "" : "\(path.joined(separator: " ")) "
        return "there is no command '\(place)\(word)'" + suggestion(for: word, among: known)
    }

    private static func unknownOption(_ rest: [String], of command: any ParsableCommand.Type) -> String? {
        let help = PushctlCommand.helpMessage(for: command, columns: 200)
        let known = Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) }).sorted()
        let given = rest.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
        guard let word = given.first(where: { !known.contains($0) && $0.count > 2 }) else { return nil }
        return "there is no option '\(word)'" + suggestion(for: word, among: known)
    }

    /// The library's own text, in one line.
    private static func message(of error: any Error) -> String {
        let text = PushctlCommand.message(for: error).split(separator: "\n").joined(separator: " ")
        let isSentence = text.dropFirst().first?.isLowercase ?? false
        let line = isSentence ? text.prefix(1).lowercased() + text.dropFirst() : text
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }

    /// The known word that differs least, if it differs in few letters.
    static func suggestion(for word: String, among known: [String]) -> String {
        let near = known.map { ($0, distance(word, $0)) }.filter { $0.1 <= max(1, word.count / 3) }
        guard let best = near.min(by: { $0.1 < $1.1 }) else { return "" }
        return "; did you mean '\(best.0)'?"
    }

    /// How many letters to insert, remove, replace or swap.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for row in 1...max(1, left.count) where row <= left.count {
            rows.append([row] + Array(repeating: 0, count: right.count))
            for column in 1...max(1, right.count) where column <= right.count {
                let isSame = left[row - 1] == right[column - 1]
                var best = min(
                    rows[row - 1][column] + 1, rows[row][column - 1] + 1, rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                rows[row][column] = best
            }
        }
        return rows[left.count][right.count]
    }
}
