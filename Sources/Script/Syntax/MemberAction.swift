/// What a command does to a member, for commands that only some members support.
package enum MemberAction: CaseIterable, Sendable {
  case expect, cancel, reset, retry, set, inject, view, policy
}
