import FuzzTargets

#if LIBFUZZER
/// The target that libFuzzer's callback knows, which is a C function and captures nothing.
nonisolated(unsafe) private var guidedTarget: (any FuzzTarget)?

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Lets libFuzzer choose inputs by the ways that they take through the code.
func guided(_ arguments: Arguments) throws(Usage) -> Int32 {
  guidedTarget = arguments.targets.first
  var words: [UnsafeMutablePointer<CChar>?] = (["fuzz"] + arguments.options).map { strdup($0) }
  words.append(nil)
  var count = Int32(words.count - 1)
  return words.withUnsafeMutableBufferPointer { buffer in
    guard var base = buffer.baseAddress else { return 2 }
    return runDriver(&count, &base) { bytes, count in
      do throws(Finding) {
        try guidedTarget?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
      } catch {
        fatalError(error.description)
      }
      return 0
    }
  }
}
#else
/// Says how to build with libFuzzer.
func guided(_ arguments: Arguments) throws(Usage) -> Int32 {
  throw Usage(
    "this program was built without libFuzzer; 'scripts/fuzz --guided' builds one with it"
  )
}
#endif
