/// An error number of the system.
package struct SystemError: Error, Sendable, Equatable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The error of the last failed call on this thread.
  package static var last: SystemError { SystemError(code: errno) }
}
