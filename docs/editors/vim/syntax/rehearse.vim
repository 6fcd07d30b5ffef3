" Vim syntax file
" Language: Rehearse scripts, one command a line
" Generated from the definitions of the commands; do not edit it.

if exists("b:current_syntax")
  finish
endif
syntax case match

syntax cluster rehearseParts contains=rehearseVerb,rehearseOtherVerb,@rehearseArguments
syntax cluster rehearseArguments contains=rehearseName,rehearseKeyword,rehearseState,rehearseOperator,rehearsePipe,rehearseType,rehearseMethod,rehearseLiteral,rehearseNumber,rehearseAttempt,rehearseDuration,rehearseTarget,rehearseLater,rehearseText,rehearseComment

syntax match rehearseName /[[:alpha:]_][[:alnum:]_.-]*/
syntax match rehearseKeyword /\%([[:alnum:]_.-]\)\@<!\%(CancelLoadable\|CancelProcess\|ResetLoadable\|ResetProcess\|after\|all\|and\|any\|appTransportSecurityRequiresSecureConnection\|appear\|as\|ascii\|assertion\|at\|attempts\|awaited\|background\|backoff\|badServerResponse\|badURL\|base64\|behaviours\|body\|bytes\|callIsActive\|caller\|cancel\|cancellation\|cancelled\|cancelling\|cannotConnectToHost\|cannotDecodeContentData\|cannotDecodeRawData\|cannotFindHost\|cannotLoadFromNetwork\|cannotParseResponse\|chunked\|claiming\|clientCertificateRejected\|clientCertificateRequired\|clock\|colour\|compactmap\|constant\|coverage\|crash\|cut\|dataLengthExceedsMaximum\|dataNotAllowed\|decoding\|default\|disable\|disappear\|dnsLookupFailed\|do\|dripping\|empty\|endpoint\|every\|exhaustive\|fail\|failfast\|failing\|file\|fileDoesNotExist\|fileIsDirectory\|finish\|for\|from\|full\|garbage\|generate\|gzip\|hang\|header\|high\|html\|http\|httpTooManyRedirects\|ignore\|image\|internationalRoamingOff\|interrupt\|jitter\|join\|json\|keep-going\|kinds\|last\|latest\|list\|live\|lognormal\|low\|map\|marble\|medium\|mermaid\|milliseconds\|mixed\|most\|network\|networkConnectionLost\|never\|next\|noPermissionsToReadFile\|not\|notConnectedToInternet\|nothing\|off\|on\|or\|over\|pager\|parallel\|pct\|policy\|pos\|preempt\|priority\|processed\|processedWrapper\|queue\|random\|redacted\|redirectToNonExistentLocation\|refused\|remoteContent\|remoteContentArticle\|requestBodyStreamExhausted\|requests\|reset\|resetting\|resourceUnavailable\|retry\|route\|run\|scene\|search\|seconds\|secrets\|secureConnectionFailed\|seed\|sending\|serverCertificateHasBadDate\|serverCertificateHasUnknownRoot\|serverCertificateNotYetValid\|serverCertificateUntrusted\|silent\|silently\|socket\|start\|stop\|surw\|svg\|table\|text\|then\|throw\|tick\|timedOut\|timeout\|times\|tls\|to\|trace\|transport\|type\|uncancellable\|unknown\|unsupportedURL\|until\|url\|urw\|userAuthenticationRequired\|userCancelledAuthentication\|userInitiated\|utility\|value\|virtual\|widened\|width\|with\|within\|yielding\|zeroByteResource\)\%([[:alnum:]_.-]\)\@!/
syntax match rehearseState /\%([[:alnum:]_.-]\)\@<!\%(absent\|loading\|loaded\|error\|idle\|running\|finished\|failed\)\%([[:alnum:]_.-]\)\@!/
syntax match rehearseOperator /\%([[:alnum:]_.-]\)\@<!\%(compactMap\|tryMap\|replaceNil\|filter\|removeDuplicates\|scan\|throttle\|debounce\|delay\|receive\|subscribe\|handleEvents\|switchToLatest\|flatMap\|buffer\|replaceError\|mapError\|catch\|merge\|combineLatest\|zip\|prepend\|append\|share\|prefix\|dropFirst\|drop\|first\|collect\|count\|reduce\|replaceEmpty\|just\|values\|load\|future\|timer\|deferred\)\%([[:alnum:]_.-]\)\@!/
syntax match rehearsePipe /|\|→/
syntax match rehearseType /\%([[:alnum:]_.-]\)\@<!\%(String\|Int\|Double\|Bool\|Date\|JSON\|Text\|Data\|Image\)\%([[:alnum:]_.-]\)\@!/
syntax match rehearseMethod /\%([[:alnum:]_.-]\)\@<!\%(GET\|HEAD\|POST\|PUT\|PATCH\|DELETE\|OPTIONS\|TRACE\)\%([[:alnum:]_.-]\)\@!/
syntax match rehearseLiteral /\%([[:alnum:]_.-]\)\@<!\%(true\|false\|null\)\%([[:alnum:]_.-]\)\@!/
syntax match rehearseNumber /\%([[:alnum:]_.-]\)\@<!-\?\d\+\%(\.\d\+\)\?\%([eE][+-]\?\d\+\)\?%\?\%([[:alnum:]_.-]\)\@!/
syntax match rehearseAttempt /#\d\+/
syntax match rehearseDuration /\%([[:alnum:]_.-]\)\@<!\d\+\%(\.\d\+\)\?\%(min\|ns\|us\|µs\|ms\|s\|m\|h\)\%([[:alnum:]_.-]\)\@!/
syntax match rehearseTarget /\%(\s\)\@<=\%(https\?:\/\/\|\/\)[^ \t"]*/
syntax match rehearseLater /\%([[:alnum:]_.-]\)\@<!do\s\+\%(loadable\|process\|shape\|list\|show\|forget\|policy\|scenes\|scene\|load\|run\|cancel\|reset\|retry\|set\|inject\|route\|routes\|requests\|endpoint\|hold\|release\|serve\|allow\|input\|enter\|marble\|pipe\|publisher\|wait\|settle\|step\|in\|at\|between\|now\|clock\|schedule\|expect\|always\|never\|eventually\|sometimes\|assertions\|view\|waiting\|log\|timeline\|states\|watch\|undo\|redo\|rewind\|source\|record\|save\|test\|explore\|simulate\|help\|quit\)\%([[:alnum:]_.-]\)\@!/
syntax match rehearseLater /\%(^\%(> \?\)\?\s*\%(in\|at\|between\)\s\+[0-9.]\+\a\+\%(\s\+\%(to\|and\)\s\+[0-9.]\+\a\+\)\?\s\+\)\@<=\%(loadable\|process\|shape\|list\|show\|forget\|policy\|scenes\|scene\|load\|run\|cancel\|reset\|retry\|set\|inject\|route\|routes\|requests\|endpoint\|hold\|release\|serve\|allow\|input\|enter\|marble\|pipe\|publisher\|wait\|settle\|step\|in\|at\|between\|now\|clock\|schedule\|expect\|always\|never\|eventually\|sometimes\|assertions\|view\|waiting\|log\|timeline\|states\|watch\|undo\|redo\|rewind\|source\|record\|save\|test\|explore\|simulate\|help\|quit\)\%([[:alnum:]_.-]\)\@!/
syntax match rehearseOtherVerb /\%(^\%(> \?\)\?\s*\)\@<=[[:alpha:]_][[:alnum:]_.-]*/
syntax match rehearseVerb /\%(^\%(> \?\)\?\s*\)\@<=\%(loadable\|process\|shape\|list\|show\|forget\|policy\|scenes\|scene\|load\|run\|cancel\|reset\|retry\|set\|inject\|route\|routes\|requests\|endpoint\|hold\|release\|serve\|allow\|input\|enter\|marble\|pipe\|publisher\|wait\|settle\|step\|in\|at\|between\|now\|clock\|schedule\|expect\|always\|never\|eventually\|sometimes\|assertions\|view\|waiting\|log\|timeline\|states\|watch\|undo\|redo\|rewind\|source\|record\|save\|test\|explore\|simulate\|help\|quit\)\%([[:alnum:]_.-]\)\@!/
syntax region rehearseText start=/"/ skip=/\\./ end=/"/ end=/$/ contains=rehearseEscape oneline
syntax match rehearseEscape /\\./ contained
syntax match rehearseComment /#\d\@!.*/

highlight default link rehearseComment Comment
highlight default link rehearseVerb Statement
highlight default link rehearseLater Statement
highlight default link rehearseOtherVerb Function
highlight default link rehearseName Identifier
highlight default link rehearseKeyword Keyword
highlight default link rehearseState Constant
highlight default link rehearseOperator Function
highlight default link rehearsePipe Operator
highlight default link rehearseType Type
highlight default link rehearseMethod Constant
highlight default link rehearseLiteral Boolean
highlight default link rehearseNumber Number
highlight default link rehearseAttempt Number
highlight default link rehearseDuration Number
highlight default link rehearseTarget Underlined
highlight default link rehearseText String
highlight default link rehearseEscape SpecialChar

let b:current_syntax = "rehearse"
