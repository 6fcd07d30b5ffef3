#if canImport(Testing)
/// Calls `body` with a function that many runs can call.
///
/// A task that waits forever, and the suspended thread of a crash, keep references to the function, but never call it
/// again. These references are released, because Swift ends the process if a function that does not escape is still
/// referenced.
@concurrent func withReusableFunction(
  _ function: @concurrent @Sendable () async throws -> Void,
  _ body: @Sendable (@escaping @concurrent @Sendable () async throws -> Void) async throws -> Void
) async throws {
  try await withoutActuallyEscaping(function) { function in
    let context = FunctionBits(function).context
    defer { releaseLostReferences(to: context) }
    try await body(function)
  }
}

/// The two words of a function value.
private struct FunctionBits {
  let code: UInt
  let context: UnsafeRawPointer?

  init(_ function: @escaping @concurrent @Sendable () async throws -> Void) {
    // A cast of the function itself would yield the context of a thunk.
    self = unsafeBitCast(FunctionValue(function: function), to: Self.self)
  }
}

private struct FunctionValue {
  let function: @concurrent @Sendable () async throws -> Void
}

@inline(never) private func releaseLostReferences(to context: UnsafeRawPointer?) {
  guard let context else { return }
  while retainCount(context) > 1 { Unmanaged<AnyObject>.fromOpaque(context).release() }
}

@_silgen_name("swift_retainCount") private func retainCount(_ object: UnsafeRawPointer) -> UInt
#endif
