public import Staging

/// Computes with the instants and intervals of a stage for Combine, up to 292 years.
extension StageScheduler {
  /// An instant of a stage, for Combine.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The instant.
    public let instant: StageInstant

    /// Creates a time from an instant.
    public init(_ instant: StageInstant) {
      self.instant = instant
    }

    /// Returns the time until the other instant. Negative if that is earlier.
    public func distance(to other: SchedulerTimeType) -> Stride {
      Stride(nanoseconds: other.instant.nanoseconds - instant.nanoseconds)
    }

    /// Returns the time after a stride, at most 292 years after the start.
    public func advanced(by stride: Stride) -> SchedulerTimeType {
      SchedulerTimeType(
        StageInstant(nanoseconds: instant.nanoseconds.saturatingAdding(stride.nanoseconds))
      )
    }

    /// Returns whether the left time is earlier.
    public static func < (left: SchedulerTimeType, right: SchedulerTimeType) -> Bool {
      left.instant < right.instant
    }
  }
}

extension StageScheduler.SchedulerTimeType {
  /// A duration in whole nanoseconds. A literal is a number of seconds, as with Combine's own
  /// schedulers.
  public struct Stride: Hashable, Sendable {
    /// The number of nanoseconds.
    public var nanoseconds: Int64

    /// Creates a stride of nanoseconds.
    public init(nanoseconds: Int64) {
      self.nanoseconds = nanoseconds
    }

    /// Creates a stride from a duration, rounded up to whole nanoseconds; at most 292 years.
    public init(_ duration: Duration) {
      nanoseconds = duration.nanosecondsRoundedUp
    }

    /// The stride as a duration.
    public var duration: Duration { .nanoseconds(nanoseconds) }
  }
}

extension StageScheduler.SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// Returns a stride of seconds.
  public static func seconds(_ seconds: Int) -> Self { Self(.seconds(seconds)) }

  /// Returns a stride of seconds, rounded to nanoseconds.
  public static func seconds(_ seconds: Double) -> Self { Self(floatLiteral: seconds) }

  /// Returns a stride of milliseconds.
  public static func milliseconds(_ milliseconds: Int) -> Self {
    Self(.milliseconds(milliseconds))
  }

  /// Returns a stride of microseconds.
  public static func microseconds(_ microseconds: Int) -> Self {
    Self(.microseconds(microseconds))
  }

  /// Returns a stride of nanoseconds.
  public static func nanoseconds(_ nanoseconds: Int) -> Self {
    Self(nanoseconds: Int64(nanoseconds))
  }
}

extension StageScheduler.SchedulerTimeType.Stride: SignedNumeric, Comparable,
  ExpressibleByFloatLiteral
{
  /// Creates a stride of seconds.
  public init(integerLiteral seconds: Int) {
    self.init(.seconds(seconds))
  }

  /// Creates a stride of seconds, rounded to nanoseconds.
  public init(floatLiteral seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    self.init(
      nanoseconds: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)
    )
  }

  /// Creates a stride of nanoseconds, nil if they do not fit.
  public init?(exactly nanoseconds: some BinaryInteger) {
    guard let nanoseconds = Int64(exactly: nanoseconds) else { return nil }
    self.init(nanoseconds: nanoseconds)
  }

  /// The number of nanoseconds without its sign.
  public var magnitude: UInt64 { nanoseconds.magnitude }

  /// Returns whether the left stride is shorter.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the sum, at most 292 years.
  public static func + (left: Self, right: Self) -> Self {
    Self(nanoseconds: left.nanoseconds.saturatingAdding(right.nanoseconds))
  }

  /// Returns the difference, at most 292 years.
  public static func - (left: Self, right: Self) -> Self {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    guard overflow else { return Self(nanoseconds: difference) }
    return Self(nanoseconds: left.nanoseconds < 0 ? .min : .max)
  }

  /// Returns the product of both numbers of nanoseconds, at most 292 years.
  public static func * (left: Self, right: Self) -> Self {
    let (product, overflow) = left.nanoseconds.multipliedReportingOverflow(by: right.nanoseconds)
    guard overflow else { return Self(nanoseconds: product) }
    return Self(nanoseconds: (left.nanoseconds < 0) == (right.nanoseconds < 0) ? .max : .min)
  }

  /// Multiplies the left stride by the right one.
  public static func *= (left: inout Self, right: Self) { left = left * right }
}
