import LibC

/// A temporary script that is removed together with this object.
final class ScriptFile {
  let path: String

  init?(_ text: String) {
    guard let name = TemporaryName.file() else { return nil }
    path = name
    guard let file = fopen(path, "w") else { return nil }
    fputs(text, file)
    fclose(file)
  }

  deinit { unlink(path) }
}
