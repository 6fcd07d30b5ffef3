import Loading
import Script

/// A page of help that explains a topic of several commands.
struct HelpTopic: Sendable {
  let name: String
  let summary: String
  /// The words of the problems that it helps with, for `help search`.
  var problems: [String] = []
  let paragraphs: @Sendable () -> [String]

  static let all: [HelpTopic] = [
    state, policies, ties, errors, http, pipes, values, durations, options, transcripts, keys,
  ]

  private static let state = HelpTopic(name: "state", summary: "The states of members.") {
    [
      "A loadable is absent, loading, error or loaded. A process is idle, running, failed or finished.",
      "'loading #2' is a loadable whose attempt #2 is in flight. 'loading' without a number is the state without an attempt in flight: under 'processed' a cancelled load stays in it.",
      "Every start is an attempt with a new number. The answer of an attempt that was replaced or cancelled is late: it is dropped, and the drop is printed, except under 'processed' and 'processedWrapper'.",
    ]
  }

  private static let policies = HelpTopic(
    name: "policies",
    summary: "What a start does while another attempt is in flight.",
    problems: [
      "stale value, outdated result, race: the policy decides which of several loads wins"
    ]
  ) {
    LoadingPolicy.all.map { "\($0.name): \(explanation(of: $0))" }
      + [
        "'loadable NAME policy P' and 'process NAME policy P' choose a policy; the default is 'latest'."
      ]
  }

  static func explanation(of policy: LoadingPolicy) -> String {
    switch policy.name {
    case "latest":
      "a new load replaces the one in flight, whose late answer is dropped; cancelling restores the state before it."
    case "ignore": "a load is refused while one is in flight."
    case "join": "a new load shares the answer of the one in flight."
    case "queue": "loads run one after the other."
    case "parallel": "loads run at the same time, and every answer is written when it comes."
    case "processed":
      "as the package Processed 2.2 in classes, with its bugs: cancelled loads stay loading, late answers are written."
    case "processedWrapper":
      "as the package Processed 2.2 in property wrappers: late values are dropped, late errors are written."
    case "remoteContent":
      "as the package RemoteContentView: a load is refused while one is in flight, cancelling returns to absent."
    case "remoteContentArticle":
      "as in the article about RemoteContentView, see docs/seeds.md: a new load replaces the one in flight, and cancelling removes the content."
    default: "a policy with its own rules."
    }
  }

  private static let ties = HelpTopic(
    name: "ties",
    summary: "The order of events at one instant."
  ) {
    [
      "Events at one instant happen in the order of their scheduling: if two loads answer at 2s, the load that began to wait first answers first.",
      "There is one exception: a load or run whose answer comes at the instant of the interrupt or 'timeout' of the same load. The answer comes first, and the interrupt does not fire. A pipe has no exception: 'load VALUE after 1s | timeout 1s' ends without the value, because the timeout began to wait before the load.",
      "Everything that a command starts and that takes no time happens before the next command.",
      "throttle, debounce, timeout, delay and a load schedule their end when they begin to wait; 'collect D' does so at its first value. A marble diagram and 'enter … every' schedule all their values when they begin.",
      "So, at one instant, a diagram's value comes before the end of a delay that began after the diagram: the value belongs to throttle's window, restarts debounce, prevents a pipe's timeout, and replaces a load that would have answered then. A command after 'wait' comes after everything that was due by then.",
    ]
  }

  private static let errors = HelpTopic(
    name: "errors",
    summary: "The errors that a load can fail with."
  ) {
    [
      "A text in quotes, such as \"no network\", is a custom error. Two of them are equal if their texts are equal.",
      "'url NAME' is a URLError: " + ErrorSpec.urlCodes.map(\.name).joined(separator: ", ")
        + ". 'url cancelled' is how URLSession reports that its task was cancelled, so it counts as a cancellation.",
      "'http STATUS' is an answer with an error status. 'decoding TEXT' is an answer that did not decode. 'image TEXT' is a body that is not an image, with its apparent format. 'timeout' is a TimeoutError. 'cancellation' is a CancellationError without a cancellation.",
      "'transport NAME' is a request without a readable answer: "
        + ErrorSpec.transports.joined(separator: ", ")
        + ". The last four may have a detail: transport forbidden \"example.com\".",
      "'CancelLoadable', 'ResetLoadable', 'CancelProcess' and 'ResetProcess' are the control errors. For a process, those of loadables are ordinary errors, and vice versa.",
    ]
  }

  private static let http = HelpTopic(
    name: "http",
    summary: "Which of several routes answers, and where requests go.",
    problems: ["mock, stub, fake server: which route answers a request"]
  ) {
    [
      "The routes of the session answer a request to a path, and to a host that a route names, in memory and in virtual time. With 'over socket' it goes to the same routes on the socket of 'serve', in real time. Another URL with 'http' or 'https' is a real server: on this machine, or on a host that 'allow' has allowed.",
      "If several routes match, these rules decide, in this order: a route for the member wins over one for all; the more specific path wins, from the left: literal, capture, rest; a route for a host wins, then one for a method, then the one with more conditions on query, header and body; then the newer route.",
      "When the answers of a route are used up, 'then pass' leaves requests to other routes and 'then fail' makes them fail. A request without a route fails with 'transport unmatched', which names the nearest route and the reason why it did not match.",
      "Random delays and faults depend only on the session's seed and the order of the requests. Over a socket time is real, and 'requests' prints no times.",
    ]
  }

  private static let pipes = HelpTopic(
    name: "pipes",
    summary: "The sources and operators of pipes."
  ) {
    [
      "A pipe is a source followed by operators, separated by '|'. A SOURCE is the name of an input, pipe, publisher or marble diagram; a pipe in parentheses; or one of these:"
    ] + PipeWords.sources.map { "\($0.usage): \($0.summary)" } + [
      "A LOAD is a VALUE, 'fail ERROR', 'never' or 'from REQUEST', then 'after D' and 'as TYPE'. 'explore' tries alternatives for each load: answers, '1 or fail \"x\" or never', and delays, 'after 1s to 2s'; outside of 'explore', the first answer and the shorter delay hold. Each load has a number, and is cancelled when its subscriber cancels. The operators are Combine's:"
    ] + PipeWords.stages.map { "\($0.usage): \($0.summary)" } + [
      "In the arguments of 'map', 'compactMap', 'tryMap' and 'flatMap', \"{value}\" is the incoming value and \"{value.FIELD}\" a part of it. Alone in a text it keeps its type; in a longer text or an address it is inserted as text. A part is a field, an element by its number from 0, or 'length'; a missing part is null. 'map 0' maps to the number, so the first element of a list is 'map \"{value.0}\"'. 'filter' drops values that cannot be compared, such as a text with a number, and 'log' shows it.",
      "'map (PIPE)' and 'map load …' send publishers; 'switchToLatest' after them sends the values of the latest.",
      "An operator can limit its demand: 'flatMap max 1' has none while its publisher runs. 'values' and 'load' wait for demand. An input, a diagram and a timer cannot wait, nor can 'debounce', 'throttle', 'share' and 'combineLatest': a value without demand is dropped, and 'log NAME' shows it. An input with a first value keeps the latest one, and 'buffer N' before 'flatMap' keeps N.",
      "'main' in 'receive' and 'subscribe' is like DispatchQueue.main, RunLoop.main and OperationQueue.main; 'background' is like DispatchQueue.global(). Both run in virtual time, and each action is a job of 'explore'. Values keep their order on 'main'; on 'background' they may overtake each other, and values that the end overtakes are lost.",
    ]
  }

  private static let values = HelpTopic(name: "values", summary: "The syntax of values and types.")
  {
    [
      "A value is JSON: \"text\", 1, 2.5, true, null, [1, 2], {\"name\": \"Ann\"}. A value with an open bracket or quote continues in the next line.",
      "A type is String, Int, Double, Bool, JSON, Date, the name of a shape, [TYPE] or TYPE?. 'Date' is written as 2019-11-22T08:30:00Z. 'Date seconds' and 'Date milliseconds' count since 1970. 'Date \"yyyy-MM-dd\"' sets a format of yyyy, MM, dd, HH, mm, ss, SSS, zones, and other characters between them. 'Text', 'Data' and 'Image' are whole bodies over HTTP.",
      "'expect' compares meanings: 1.50 equals 1.5, and the order of fields in an object does not matter.",
      "'#' begins a comment, except before a digit: #2 is an attempt.",
    ]
  }

  private static let durations = HelpTopic(name: "durations", summary: "The syntax of durations.") {
    [
      "A duration is a number with a unit: 250ms, 2s, 1.5s, 1m, 1h; also us and ns. Decimals are exact, down to a nanosecond.",
      "Time is virtual: only 'wait', 'settle', 'step', 'watch' and 'expect … within' advance it, without real waiting. At a terminal, 'watch' and 'clock live' let it pass at its real pace.",
    ]
  }

  private static let keys = HelpTopic(name: "keys", summary: "The keys at the prompt.") {
    [
      "Tab completes the word, or lists possible continuations. '?' explains them. Right, at the end of the line, accepts the suggested rest of an earlier command.",
      "Up and Down show earlier commands that begin with the typed text, and Ctrl-R searches them. Ctrl-_ undoes the last edit of the line; 'undo' undoes a command.",
      "Ctrl-C clears the line or stops a running command; Ctrl-L clears the screen; Ctrl-D on an empty line ends the session.",
      "Other keys are those of emacs, or of vi after 'bind -v' in ~/.editrc.",
    ]
  }

  private static let transcripts = HelpTopic(
    name: "transcripts",
    summary: "Transcripts: sessions as tests."
  ) {
    [
      "A transcript is the text of a session: '> ' begins a command, '. ' continues it, two blanks begin output, '#' begins a comment. 'save FILE' writes one, '\(ProgramName.current) test FILE' replays it.",
      "In expected output, '[..]' matches any text in a line. '...' alone matches any number of lines, as few as possible. '{{re}}' is a regular expression. '{{NAME:re}}', with a NAME in capitals, is one whose match a later '{{NAME}}' must repeat.",
      "A line '-- name --' begins a file that the commands of the transcript can read.",
    ]
  }
}
