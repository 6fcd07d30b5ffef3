public import Pipelines
import RehearsalBase
import RemoteLoading
import Script

/// Shows a scene's publishers: their values as a stream, or `@Published` properties.
extension SceneBuilder {
  /// A Combine scheduler for the pipelines of the scene. It uses the time of the stage.
  public var scheduler: StageScheduler { StageScheduler(stage) }

  /// Follows a publisher: prints its values and its completion.
  ///
  /// The subjects of OpenCombine serve several subscribers in an order that differs between runs.
  /// If that order is visible, use an `OrderedSubject`.
  ///
  /// - Parameters:
  ///   - name: the name of the member. `cancel NAME` cancels the subscription.
  ///   - publisher: the publisher. The subscription begins when the scene is set up.
  public func values(_ name: String, _ publisher: some Publisher) {
    add(name) { session in
      StreamMember(name: name, following: publisher, session: session)
    }
  }

  /// Shows a property that publishes its values, as `$name` of `@Published` does: prints each value
  /// as a change.
  ///
  /// `@Published` publishes a value before the property has it. The published value is printed.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - publisher: a publisher that sends its current value to each subscriber, and never fails.
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

/// The values of a publisher before its member exists.
@MainActor private final class PublishedValues<Value> {
  private(set) var latest = JSONValue.null
  weak var member: PropertyMember?

  func take(_ value: JSONValue) {
    latest = value
    member?.note(value)
  }
}
