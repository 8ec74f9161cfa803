public import FoundationEssentials
public import PushAdapter

extension Recurrence {
    /// The moments of a recurrence after one date and up to another.
    /// - Parameters:
    ///   - first: the date after which they are.
    ///   - last: the date up to which they are.
    ///   - offset: the offset of the vendor's clock from UTC.
    public func moments(after first: Date, through last: Date, offset: Duration) -> [Date] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: Int(offset.components.seconds)) ?? .gmt
        let firstDay = calendar.startOfDay(for: start)
        let end = min(last, self.end)
        var moments: [Date] = []
        var day = max(firstDay, calendar.startOfDay(for: first))
        while day <= end {
            let moment = day.addingTimeInterval(Double(time.hour * 3600 + time.minute * 60 + time.second))
            if moment > first, moment >= start, moment <= end, isOn(day, since: firstDay, calendar) {
                moments.append(moment)
            }
            guard let next = calendar.date(byAdding: .day, value: 1, to: day) else { break }
            day = next
        }
        return moments
    }

    private func isOn(_ day: Date, since first: Date, _ calendar: Calendar) -> Bool {
        let days = calendar.dateComponents([.day], from: first, to: day).day ?? 0
        switch rhythm {
        case .daily: return days % interval == 0
        case .weekly(let weekdays):
            // Sunday is 1 in the calendar and 7 in the model.
            let weekday = (calendar.component(.weekday, from: day) + 5) % 7 + 1
            let isNamed = Weekday(rawValue: weekday).map(weekdays.contains) ?? false
            let offset = (calendar.component(.weekday, from: first) + 5) % 7
            return isNamed && (days + offset) / 7 % interval == 0
        case .monthly(let numbers):
            let (here, there) = (
                calendar.dateComponents([.year, .month], from: day),
                calendar.dateComponents([.year, .month], from: first)
            )
            let months = ((here.year ?? 0) - (there.year ?? 0)) * 12 + (here.month ?? 0) - (there.month ?? 0)
            return numbers.contains(calendar.component(.day, from: day)) && months % interval == 0
        }
    }
}
