public import Pipelines
import RehearsalBase
import RemoteLoading
import Script

extension SceneBuilder {
  /// A scheduler of Combine's for pipelines of the scene: the stage's time.
  public var scheduler: StageScheduler { StageScheduler(stage) }

  /// Follows a publisher: its values are printed as they come, and how it ends.
  ///
  /// OpenCombine's own subjects serve several subscribers in an order that differs from run to run; where
  /// that order shows, take an `OrderedSubject`.
  ///
  /// - Parameters:
  ///   - name: of the member. `cancel NAME` ends the subscription.
  ///   - publisher: subscribed to when the scene is set up.
  public func values(_ name: String, _ publisher: some Publisher) {
    add(name) { session in
      StreamMember(name: name, following: publisher, session: session)
    }
  }

  /// Shows a property that publishes its values, as `$name` of `@Published` does: every value that it
  /// takes is printed as a change.
  ///
  /// `@Published` publishes a value before the property has it; what is printed is what was published.
  ///
  /// - Parameters:
  ///   - name: of the member.
  ///   - publisher: publishes its present value to whoever subscribes, and never fails.
  public func property<P: Publisher>(_ name: String, _ publisher: P) where P.Failure == Never {
    add(name) { session in
      PropertyMember(name: name, following: publisher, session: session)
    }
  }
}

extension StreamMember {
  fileprivate convenience init<P: Publisher>(name: String, following publisher: P, session: Session)
  {
    self.init(name: name, type: typeName(P.Output.self), session: session)
    let subscription = publisher.sink { [weak self] completion in
      switch completion {
      case .finished: self?.note(.finished)
      case .failure(let error): self?.note(.failed(error))
      }
    } receiveValue: { [weak self] value in
      self?.note(JSONValue(showing: value))
    }
    onCancel = { subscription.cancel() }
  }
}

extension PropertyMember {
  fileprivate convenience init<P: Publisher>(
    name: String,
    following publisher: P,
    session: Session
  ) where P.Failure == Never {
    let values = PublishedValues<P.Output>()
    let subscription = publisher.sink { values.take(JSONValue(showing: $0)) }
    self.init(
      name: name,
      type: typeName(P.Output.self),
      value: values.latest,
      session: session,
      write: nil
    )
    values.member = self
    onTearDown = { subscription.cancel() }
  }
}

/// What a publisher has published, from before there is a member that shows it.
@MainActor private final class PublishedValues<Value> {
  private(set) var latest = JSONValue.null
  weak var member: PropertyMember?

  func take(_ value: JSONValue) {
    latest = value
    member?.note(value)
  }
}
