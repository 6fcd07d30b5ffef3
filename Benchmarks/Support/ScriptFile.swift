#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A temporary script that goes with whoever needed it.
final class ScriptFile {
  let path: String

  init?(_ text: String) {
    var template = Array("/tmp/rehearse-bench.XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0, let file = fdopen(descriptor, "w") else { return nil }
    fputs(text, file)
    fclose(file)
  }

  deinit { unlink(path) }
}
