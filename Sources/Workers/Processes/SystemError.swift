/// An error number of the system.
package struct SystemError: Error, Sendable, Equatable {
  package let code: Int32

  package init(code: Int32) { self.code = code }
}
