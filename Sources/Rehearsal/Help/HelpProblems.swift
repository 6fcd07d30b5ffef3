/// What users look for without knowing the commands: problems and the words of other tools, with the
/// pages that help. `help search` finds a page by these words too.
enum HelpProblems {
  /// Short texts by the name of the page: the words of the problem, then what the page offers.
  static let byPage: [String: [String]] = [
    "explore": [
      "race, race condition, data race, flaky: runs the session under many schedules and shows what differs",
      "stale value, outdated result, wrong order: the checks 'no-stale-writes' and 'latest-request-wins' report it",
      "stuck spinner, endless loading, hang: the check 'completes' reports it",
      "leaked task, work after cancellation: the check 'no-leaked-work' reports it",
    ],
    "schedule": ["flaky, race: repeats the order of jobs that fails"],
    "policies": [
      "stale value, outdated result, race: the policy decides which of several loads wins"
    ],
    "never": [
      "stale value, outdated result: 'never NAME loaded VALUE' fails as soon as it appears"
    ],
    "eventually": [
      "stuck spinner, endless loading: 'eventually NAME loaded within 2s' fails if it does not end"
    ],
    "expect": ["assert, check, verify: fails if a state or a number does not hold"],
    "settle": [
      "main queue, DispatchQueue, OperationQueue, Timer: names work outside virtual time",
      "stuck spinner, endless loading: names everything that still waits",
    ],
    "load": [
      "latency, slow answer: 'after 2s' delays the answer",
      "mock, stub, fake: answers with a value, without a request",
      "flaky, unreliable: 'failing ERROR times N' makes the first tries fail",
    ],
    "route": [
      "mock, stub, fake server: answers requests without a network",
      "latency, slow server: 'after 300ms' delays the answer",
    ],
    "hold": ["latency, slow server, race: holds answers back and releases them in any order"],
    "inject": ["flaky network, unreliable server: makes a share of all requests fail"],
    "serve": ["mock server, localhost: serves the routes to other programs"],
    "http": ["mock, stub, fake server: which route answers a request"],
    "view": ["spinner, progress, skeleton, placeholder: shows what a view would show"],
    "enter": ["debounce, typing: 'every' types a text key by key"],
    "wait": ["sleep, advance, timer: advances virtual time"],
    "test": ["regression, snapshot, golden file, flaky: replays transcripts"],
  ]
}
