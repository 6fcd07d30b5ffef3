import Loading
import Script

/// A page of help that belongs to no command.
struct HelpTopic: Sendable {
  let name: String
  let summary: String
  let paragraphs: @Sendable () -> [String]

  static let all: [HelpTopic] = [
    states, policies, ties, errors, http, pipes, values, durations, options, transcripts, keys,
  ]

  private static let states = HelpTopic(name: "states", summary: "What a member can be.") {
    [
      "A loadable is absent, loading, error or loaded. A process is idle, running, failed or finished.",
      "'loading #2' is a loadable whose attempt #2 is in flight. 'loading' without a number says that nobody is loading any more: under 'processed' a cancelled load leaves it so.",
      "Every start is an attempt with a number of its own. An answer counts only while its attempt does; what comes later is dropped, and the drop is printed.",
    ]
  }

  private static let policies = HelpTopic(
    name: "policies",
    summary: "What a load does while another one is in flight, and the like."
  ) {
    LoadingPolicy.all.map { "\($0.name): \(explanation(of: $0))" }
      + [
        "'loadable NAME policy P' and 'process NAME policy P' choose one; 'latest' is the default."
      ]
  }

  static func explanation(of policy: LoadingPolicy) -> String {
    switch policy.name {
    case "latest":
      "a new load replaces the one in flight, whose late answer is dropped; cancelling goes back to what was there before."
    case "ignore": "a load is refused while one is in flight."
    case "join": "a load while one is in flight shares that one's answer."
    case "queue": "loads run one after the other."
    case "parallel": "loads run side by side, and every answer is written as it comes."
    case "processed":
      "what Processed 2.2 does in classes, with its oddities: cancelled loads stay loading, late answers are written."
    case "processedWrapper":
      "what Processed 2.2 does in its property wrappers: late values are dropped, late errors are written."
    case "remoteContent":
      "what RemoteContentView does: a load is refused while one is in flight, cancelling goes back to absent."
    case "remoteContentArticle":
      "what the article about RemoteContentView does: a load restarts, and cancelling wipes content."
    default: "a policy of its own."
    }
  }

  private static let ties = HelpTopic(
    name: "ties",
    summary: "What happens first at one instant."
  ) {
    [
      "At one instant things happen in the order in which they were scheduled: of two loads that answer at 2s, the one that began to wait first answers first.",
      "There is one exception. What 'load' and 'run' start and answers at the very instant of an interrupt or of its own 'timeout' has answered: the answer comes first, and the interrupt does not fire. In a pipe the first rule holds: 'load VALUE after 1s | timeout 1s' ends without the value, since the timeout began to wait before the load did.",
      "What a command starts happens before the next command, as far as it takes no time.",
      "The ends of windows are scheduled as they begin: those of throttle, debounce and timeout, what delay holds back, and the answer of a load. A marble diagram, and 'enter … every', are scheduled as a whole when they begin. So what they bring at the very end of a window that began later comes before that end: it still belongs to throttle's window, breaks debounce's silence, saves a pipe from its timeout, and replaces a load that would have answered just then. What is typed after 'wait' comes after whatever was due by then.",
    ]
  }

  private static let errors = HelpTopic(
    name: "errors",
    summary: "The errors that a load can fail with."
  ) {
    [
      "A text in quotes, as in \"no network\", is an error of your own. Two errors are the same only if they say the same.",
      "'url NAME' is a URLError: " + ErrorSpec.urlCodes.map(\.name).joined(separator: ", ")
        + ". 'url cancelled' is how URLSession reports that its task was cancelled, so it counts as a cancellation.",
      "'http STATUS' is an answer with a status that is not a success, 'decoding TEXT' one that did not decode, 'image TEXT' bytes that are no image and what they look like, 'timeout' a TimeoutError, 'cancellation' a CancellationError that nobody asked for.",
      "'transport NAME' is a request that got no answer that could be read: "
        + ErrorSpec.transports.joined(separator: ", ")
        + ". The last four may say more, as in: transport forbidden \"example.com\".",
      "'CancelLoadable', 'ResetLoadable', 'CancelProcess' and 'ResetProcess' are the control errors; those of the other family are errors like any other.",
    ]
  }

  private static let http = HelpTopic(
    name: "http",
    summary: "Which of several routes answers, and where requests go."
  ) {
    [
      "A request to a path alone is answered by the session's routes, in memory and in virtual time. 'over socket' it goes to the same routes on the socket that 'serve' opened, in real time. A URL of 'http' or 'https' is a real server, which has to be on this machine or allowed by 'allow'.",
      "Where several routes match, one for the member that asks wins over one for all; then the more specific path: from the left, a literal before a capture before a rest; then a route for a host, one for a method, and the one with more conditions on query, header and body; then the one made later.",
      "A route whose answers are used up is as if it were not there after 'then pass', and fails after 'then fail'. A request that no route matches fails with 'transport unmatched', and says which route came nearest and why it did not match.",
      "Delays, and what is left to chance, depend on the session's seed and on the order of the requests only. On a socket time is real, and its times are not printed.",
    ]
  }

  private static let pipes = HelpTopic(
    name: "pipes",
    summary: "What pipes are made of: sources and operators."
  ) {
    [
      "A pipe is a SOURCE and operators, with '|' between. A source is the name of an input, a pipe, a publisher or a marble diagram, a pipe in parentheses, or one of these:"
    ] + PipeWords.sources.map { "\($0.usage): \($0.summary)" } + [
      "A LOAD is a VALUE, 'fail ERROR', 'never' or 'from REQUEST', then 'after D' and 'as TYPE'. What is left open 'explore' decides, for each load: how it ends, '1 or fail \"x\" or never', and how long it takes, 'after 1s to 2s'; otherwise it is what stands first. It has a number, and is cancelled when its subscriber leaves. The operators are Combine's:"
    ] + PipeWords.stages.map { "\($0.usage): \($0.summary)" } + [
      "In what 'map' and 'flatMap' are told, \"{value}\" stands for the value that comes in, and \"{value.FIELD}\" for a part of it: alone in a text it keeps its type, in a longer text or in an address it is written out. A part is a field, an element by its number from 0, or 'length'; what is not there is null. 'map' takes a number for a value, so the first element of a list is 'map \"{value.0}\"'. 'filter' drops what cannot be compared, such as a text with a number, and 'log' tells it.",
      "After 'map (PIPE)' and 'map load …' publishers come out, which 'switchToLatest' makes values of.",
    ]
  }

  private static let values = HelpTopic(name: "values", summary: "How values are written.") {
    [
      "A value is JSON: \"text\", 1, 2.5, true, null, [1, 2], {\"name\": \"Ann\"}. An open bracket or quote goes on in the next line.",
      "A type is String, Int, Double, Bool, JSON, Date, the name of a shape, [TYPE] or TYPE?. A 'Date' alone is written as in 2019-11-22T08:30:00Z; 'Date seconds' and 'Date milliseconds' count since 1970, and 'Date \"yyyy-MM-dd\"' has a form of its own, of yyyy, MM, dd, HH, mm, ss, SSS, zones, and what stands between them. 'Text', 'Data' and 'Image' are whole bodies over HTTP.",
      "'expect' compares what values mean: 1.50 is 1.5, and the order of an object's fields does not matter.",
      "'#' begins a comment, unless a digit follows: #2 is an attempt.",
    ]
  }

  private static let durations = HelpTopic(name: "durations", summary: "How durations are written.")
  {
    [
      "A number and its unit: 250ms, 2s, 1.5s, 1m, 1h; also us and ns. Decimals are exact, down to a nanosecond.",
      "Time is virtual: it moves when 'wait', 'settle', 'step' or 'expect … within' let it, and then at once.",
    ]
  }

  private static let keys = HelpTopic(name: "keys", summary: "What keys do at the prompt.") {
    [
      "Tab completes the word, or lists what may come next. '?' says what is expected there. Right, at the end of the line, takes the rest of an earlier command, where it shows.",
      "Up and Down go through earlier commands that begin like what was typed, and Ctrl-R searches them. Ctrl-_ takes back the last change of the line; 'undo' takes back a command.",
      "Ctrl-C drops the line, or stops a command that is running; Ctrl-L clears the screen; Ctrl-D leaves, on an empty line.",
      "The others are those of emacs, or of vi after 'bind -v' in ~/.editrc.",
    ]
  }

  private static let transcripts = HelpTopic(
    name: "transcripts",
    summary: "How a session becomes a test."
  ) {
    [
      "A transcript is the text of a session: '> ' begins a command, '. ' continues it, two blanks begin output, '#' a comment. 'save FILE' writes one, '\(ProgramName.current) test FILE' replays it.",
      "In expected output, '[..]' is any text in a line, '...' alone any lines, as few as what stands down to the next one allows, '{{re}}' a regular expression and '{{NAME:re}}', with a NAME in capitals, one whose match '{{NAME}}' must repeat on a line below.",
      "A line '-- name --' begins a file that the transcript's commands can read.",
    ]
  }
}
