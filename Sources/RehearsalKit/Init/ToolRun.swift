import LibC
import Workers

/// A finished run of another program.
struct ToolRun {
  let output: [UInt8]
  let errors: String
  let end: ProcessEnd

  /// Runs a program of the search path to its end, without input.
  ///
  /// - Parameter words: the program's name and its arguments.
  /// - Throws: the error of the system if it cannot be started.
  init(_ words: [String]) throws(SystemError) {
    let (reading, writing) = try Descriptor.makePipe()
    defer { close(reading) }
    let messages = tmpfile()
    defer { if let messages { fclose(messages) } }
    let process: SpawnedProcess
    do throws(SystemError) {
      process = try SpawnedProcess(
        program: words[0],
        arguments: words,
        streams: [
          .nothing, .descriptor(writing), .descriptor(messages.map { fileno($0) } ?? STDERR_FILENO),
        ],
        hasOwnGroup: false
      )
    } catch {
      close(writing)
      throw error
    }
    close(writing)
    var output: [UInt8] = []
    while let chunk = Descriptor.readChunk(reading) { output += chunk }
    end = process.wait()
    self.output = output
    var errors: [UInt8] = []
    if let messages {
      lseek(fileno(messages), 0, SEEK_SET)
      while let chunk = Descriptor.readChunk(fileno(messages)) { errors += chunk }
    }
    self.errors = String(decoding: errors, as: UTF8.self)
  }

  /// The first line of its messages and its output with an error of the compiler or of the package manager.
  var firstError: String {
    let text = errors + "\n" + String(decoding: output, as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    return lines.first { $0.contains("error: ") } ?? lines.first ?? "no message"
  }
}
