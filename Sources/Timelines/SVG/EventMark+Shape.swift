/// The shape of a mark in pictures with graphics: strokes on a disc with a radius of seven points,
/// or a filled path. Paths are relative to the mark's centre.
struct MarkShape {
  /// The meaning of a colour, in every picture. If several marks share a position, the last of
  /// these cases wins.
  enum Tone: String, CaseIterable {
    case ink, good, calm, hand, warn, bad
  }

  let tone: Tone
  /// The shape under the strokes.
  let ground: Ground
  /// Lines, in the tone's colour or, on a full disc, in the background's.
  let strokes: String

  enum Ground: Equatable {
    case full, hollow, none
    /// A filled path.
    case shape(String)
  }
}

extension EventMark {
  /// Nil for marks that the bar itself shows.
  var shape: MarkShape? {
    switch self {
    case .started, .left: nil
    case .replaced, .restarted: MarkShape(tone: .ink, ground: .none, strokes: "M0-9V9")
    case .queued: MarkShape(tone: .calm, ground: .hollow, strokes: "M-1.8-2.6V2.6M1.8-2.6V2.6")
    case .refused: MarkShape(tone: .warn, ground: .hollow, strokes: "M-3.2 0H3.2")
    case .yielded: MarkShape(tone: .good, ground: .shape("M0-7 7 0 0 7-7 0Z"), strokes: "")
    case .interrupted: MarkShape(tone: .warn, ground: .shape("M-6.5-5.5H6.5L0 6.5Z"), strokes: "")
    case .retrying: MarkShape(tone: .warn, ground: .full, strokes: Self.turn)
    case .succeeded: MarkShape(tone: .good, ground: .full, strokes: "M-3.4.3-1 2.7 3.4-2.5")
    case .failed: MarkShape(tone: .bad, ground: .full, strokes: "M-2.6-2.6 2.6 2.6M2.6-2.6-2.6 2.6")
    case .empty: MarkShape(tone: .calm, ground: .hollow, strokes: "M-2.4-2.4H2.4V2.4H-2.4Z")
    case .cancelled: MarkShape(tone: .calm, ground: .full, strokes: "M-3 3 3-3")
    case .reset: MarkShape(tone: .calm, ground: .full, strokes: Self.turnBack)
    case .assigned: MarkShape(tone: .hand, ground: .full, strokes: "M-3-1.6H3M-3 1.6H3")
    case .changed:
      MarkShape(tone: .hand, ground: .shape("M-4 0A4 4 0 1 0 4 0 4 4 0 1 0-4 0Z"), strokes: "")
    case .performed:
      MarkShape(tone: .ink, ground: .shape("M-4-5.5 5 0-4 5.5Z"), strokes: "")
    case .dropped: MarkShape(tone: .calm, ground: .hollow, strokes: "")
    case .forgotten: MarkShape(tone: .calm, ground: .none, strokes: "M0-6V6M-3.4-2.4H3.4")
    case .entered: MarkShape(tone: .ink, ground: .none, strokes: "M2-5-3 0 2 5")
    case .open: MarkShape(tone: .ink, ground: .none, strokes: "M-2-5 3 0-2 5")
    case .several: MarkShape(tone: .ink, ground: .none, strokes: "M0-5V5")
    }
  }

  private static let turn = "M3.2-1.2A3.4 3.4 0 1 0 3.2 1.4M3.5-4V-1.1H.7"
  private static let turnBack = "M-3.2-1.2A3.4 3.4 0 1 1-3.2 1.4M-3.5-4V-1.1H-.7"
}
