public import Staging

extension StageScheduler {
  /// An instant of a stage, as Combine reckons with it.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The instant itself.
    public let instant: StageInstant

    /// Makes a time of an instant.
    public init(_ instant: StageInstant) {
      self.instant = instant
    }

    /// How much later the other one is. Negative if it is earlier.
    public func distance(to other: SchedulerTimeType) -> Stride {
      Stride(nanoseconds: other.instant.nanoseconds - instant.nanoseconds)
    }

    /// The time so much later, at most 292 years from the start.
    public func advanced(by stride: Stride) -> SchedulerTimeType {
      SchedulerTimeType(
        StageInstant(nanoseconds: instant.nanoseconds.saturatingAdding(stride.nanoseconds))
      )
    }

    /// Whether the left one is earlier.
    public static func < (left: SchedulerTimeType, right: SchedulerTimeType) -> Bool {
      left.instant < right.instant
    }
  }
}

extension StageScheduler.SchedulerTimeType {
  /// A length of time in whole nanoseconds. As a literal it is a number of seconds, as with Combine's
  /// own schedulers.
  public struct Stride: Hashable, Sendable {
    /// How many nanoseconds.
    public var nanoseconds: Int64

    /// Makes a stride of so many nanoseconds.
    public init(nanoseconds: Int64) {
      self.nanoseconds = nanoseconds
    }

    /// Makes a stride of a duration, in whole nanoseconds, rounded up; at most 292 years.
    public init(_ duration: Duration) {
      nanoseconds = duration.nanosecondsRoundedUp
    }

    /// The same as a duration.
    public var duration: Duration { .nanoseconds(nanoseconds) }
  }
}

extension StageScheduler.SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// So many seconds.
  public static func seconds(_ seconds: Int) -> Self { Self(.seconds(seconds)) }

  /// So many seconds, to the nearest nanosecond.
  public static func seconds(_ seconds: Double) -> Self { Self(floatLiteral: seconds) }

  /// So many milliseconds.
  public static func milliseconds(_ milliseconds: Int) -> Self {
    Self(.milliseconds(milliseconds))
  }

  /// So many microseconds.
  public static func microseconds(_ microseconds: Int) -> Self {
    Self(.microseconds(microseconds))
  }

  /// So many nanoseconds.
  public static func nanoseconds(_ nanoseconds: Int) -> Self {
    Self(nanoseconds: Int64(nanoseconds))
  }
}

extension StageScheduler.SchedulerTimeType.Stride: SignedNumeric, Comparable,
  ExpressibleByFloatLiteral
{
  /// So many seconds.
  public init(integerLiteral seconds: Int) {
    self.init(.seconds(seconds))
  }

  /// So many seconds, to the nearest nanosecond.
  public init(floatLiteral seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    self.init(
      nanoseconds: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)
    )
  }

  /// So many nanoseconds, nil if there are more than fit.
  public init?(exactly nanoseconds: some BinaryInteger) {
    guard let nanoseconds = Int64(exactly: nanoseconds) else { return nil }
    self.init(nanoseconds: nanoseconds)
  }

  /// The number of nanoseconds without its sign.
  public var magnitude: UInt64 { nanoseconds.magnitude }

  /// Whether the left one is shorter.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Both together, at most 292 years.
  public static func + (left: Self, right: Self) -> Self {
    Self(nanoseconds: left.nanoseconds.saturatingAdding(right.nanoseconds))
  }

  /// The difference, at most 292 years.
  public static func - (left: Self, right: Self) -> Self {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    guard overflow else { return Self(nanoseconds: difference) }
    return Self(nanoseconds: left.nanoseconds < 0 ? .min : .max)
  }

  /// The product of both numbers of nanoseconds, at most 292 years.
  public static func * (left: Self, right: Self) -> Self {
    let (product, overflow) = left.nanoseconds.multipliedReportingOverflow(by: right.nanoseconds)
    guard overflow else { return Self(nanoseconds: product) }
    return Self(nanoseconds: (left.nanoseconds < 0) == (right.nanoseconds < 0) ? .max : .min)
  }

  /// Makes the left one the product of both.
  public static func *= (left: inout Self, right: Self) { left = left * right }
}
