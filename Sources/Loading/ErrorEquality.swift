/// Returns whether two errors are proven equal: of the same type, and equal by `==` or in all their
/// contents.
///
/// Contents that cannot be compared, such as a stored closure, make two errors different: a
/// transcript that calls errors equal must be right.
public func isSameError(_ left: any Error, _ right: any Error) -> Bool {
  isSame(left, right, depth: 0)
}

private func isSame(_ left: Any, _ right: Any, depth: Int) -> Bool {
  guard type(of: left) == type(of: right), depth < 16 else { return false }
  if let left = left as? any Equatable { return isEqual(left, right) }
  let (leftMirror, rightMirror) = (Mirror(reflecting: left), Mirror(reflecting: right))
  switch leftMirror.displayStyle {
  case .class:
    return left as AnyObject === right as AnyObject
  case .enum:
    return sameCase(left, right, leftMirror, rightMirror, depth: depth)
  case .struct, .tuple, .optional, .collection:
    return sameChildren(leftMirror, rightMirror, depth: depth)
  default:
    return false  // A closure or metatype: equality cannot be proven.
  }
}

func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
  right as? Value == left
}

private func sameCase(
  _ left: Any,
  _ right: Any,
  _ leftMirror: Mirror,
  _ rightMirror: Mirror,
  depth: Int
) -> Bool {
  guard leftMirror.children.isEmpty == rightMirror.children.isEmpty else { return false }
  if leftMirror.children.isEmpty { return "\(left)" == "\(right)" }
  return sameChildren(leftMirror, rightMirror, depth: depth)
}

private func sameChildren(_ left: Mirror, _ right: Mirror, depth: Int) -> Bool {
  guard left.children.count == right.children.count else { return false }
  return Swift.zip(left.children, right.children).allSatisfy { left, right in
    left.label == right.label && isSame(left.value, right.value, depth: depth + 1)
  }
}
