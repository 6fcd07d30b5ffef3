/// Blocks the thread in real time. On a thread that runs a stage, `usleep` and its relatives sleep in virtual time.
public func sleepInRealTime(milliseconds: Int32) { _ = poll(nil, 0, milliseconds) }
