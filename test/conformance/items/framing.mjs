import { items } from '../item.mjs';

/** The wire itself: framing and JSON-RPC. */
export const framing = items(
  [1, 'M', 'a-message-is-one-line', 'Every message that we write is one line of UTF-8 JSON, whatever line breaks are in it.', 'transports', ['stdio/framing › 1 ']],
  [2, 'M', 'every-message-says-jsonrpc', 'Every message carries "jsonrpc":"2.0".', 'JSON-RPC 2.0', ['stdio/framing › 2, 3 ']],
  [3, 'M', 'nothing-but-messages-on-stdin', 'The agent reads messages only: no banner, no byte order mark, no headers.', 'transports', ['stdio/framing › 2, 3 ']],
  [4, 'M', 'every-line-obeys-the-schema', 'Everything we write is valid against the schema of ACP v1, made strict.', 'schema', ['conformance/wire › 4 ']],
  [5, 'R', 'cut-and-joined-writes-are-read', 'Messages may arrive byte by byte, cut inside a character, or many at once.', 'ours', ['stdio/framing › 5 ']],
  [6, 'R', 'line-ends-are-lenient', 'CR LF, blank lines and a last line without an end are accepted.', 'ours', ['stdio/framing › 6 ']],
  [7, 'R', 'odd-characters-are-text', 'Line separators, NUL and lone surrogates inside strings do not break a line.', 'ours', ['stdio/framing › 7 ']],
  [8, 'R', 'long-lines-are-read-to-a-limit', 'A line of 10 MiB is read; one over 32 MiB ends the connection with the reason.', 'ours', ['stdio/framing › 8 ']],
  [9, 'R', 'noise-on-stdout-is-skipped', 'Lines that are no JSON are skipped and logged, and the session goes on.', 'transports', ['stdio/framing › 9 ', 'unit/fuzz/incoming › 9, 10: ']],
  [10, 'R', 'what-is-no-envelope-does-nothing', 'Scalars, batches, log lines with an id: none of them settles a call or ends the connection.', 'ours', ['stdio/framing › 10 ', 'unit/fuzz/incoming › 9, 10: ', 'unit/fuzz/responses › 10, 16, 20: ']],
  [11, 'M', 'we-never-write-a-batch', 'No line that we write is a JSON array.', 'transports', ['conformance/wire › 11 ']],
  [12, 'Y', 'stderr-is-for-the-log', 'Stderr is kept for the log, never parsed, and never blocks stdout, whatever its bytes.', 'transports', ['stdio/framing › 12 ']],
  [13, 'M', 'notifications-are-not-answered', 'No notification is answered, known or unknown.', 'JSON-RPC 2.0', ['stdio/rpc › 13 ', 'unit/fuzz/incoming › 13, 182: ']],
  [14, 'M', 'each-request-gets-one-response', 'Each request gets exactly one response, with the identical id.', 'JSON-RPC 2.0', ['stdio/rpc › 14 ', 'unit/fuzz/incoming › 14, 201: ', 'unit/fuzz/incoming › 14, 181: ']],
  [15, 'M', 'our-ids-are-unique', 'The ids of our pending requests differ and are integers.', 'schema', ['stdio/rpc › 15 ']],
  [16, 'R', 'stray-responses-are-ignored', 'A response with an unknown id, a second one, or one without an id is logged and ignored.', 'ours', ['stdio/rpc › 16 ', 'unit/fuzz/responses › 10, 16, 20: ']],
  [17, 'R', 'odd-responses-still-settle', 'A response with both or neither of result and error settles its call.', 'ours', ['stdio/rpc › 17 ', 'unit/fuzz/responses › 17, 18: ', 'unit/fuzz/responses › 17, 19: ']],
  [18, 'R', 'null-is-a-void-result', 'Void methods may be answered with null, or with no result at all.', 'session setup', ['stdio/rpc › 18 ', 'unit/fuzz/responses › 17, 18: ']],
  [19, 'S', 'unknown-error-codes-are-shown', 'An error code that nobody knows is shown with its message.', 'JSON-RPC 2.0', ['stdio/rpc › 19 ', 'unit/fuzz/responses › 17, 19: ']],
  [20, 'M', 'ids-of-both-sides-are-apart', 'Both sides may use the same id at the same time.', 'JSON-RPC 2.0', ['stdio/rpc › 20 ']],
  [21, 'S', 'requests-run-side-by-side', 'While a question waits, files, terminals and updates are served.', 'JSON-RPC 2.0', ['stdio/rpc › 21 ']],
);
