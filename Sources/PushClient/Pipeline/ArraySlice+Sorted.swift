/// For lines that are kept in order, and change mostly at their ends.
extension ArraySlice {
    /// The index of the first element that satisfies the condition. Those before it must not, and those after it must.
    func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Removes an element. The others move, unless it is at an end.
    mutating func take(at index: Int) -> Element { index == startIndex ? removeFirst() : remove(at: index) }
}
