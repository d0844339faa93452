import { attack } from '../attack.mjs';

/** What an agent writes, and links and pages from elsewhere. */
export const texts = [
  attack(
    'hostile-markdown',
    'Scripts, event handlers, odd link schemes, remote images, cards that are painted in Markdown, quotes and lists in each other without end.',
    'Nothing runs, nothing is loaded, nothing looks like a card, and what stands around it is shown.',
    ['webview/hostileMarkdown › are inert', 'webview/hostileMarkdown › in each other without end'],
  ),
  attack(
    'hostile-diagram',
    'A Mermaid diagram has links, scripts, HTML, settings and addresses to load, or takes minutes to draw; what draws it is taken over.',
    'It is drawn apart from the panel, reaches it only as an image, loads nothing, and is ended.',
    ['webview/diagrams › a hostile diagram'],
  ),
  attack(
    'hostile-plan',
    'A plan that asks for approval is long, changes while it is read, or says something else than the input of its call.',
    'It is shown whole, comments stay where they were made, and the input stays beside it.',
    [
      'webview/plan › is a document, whole',
      'webview/plan › keeps comments over a reload',
      'webview/plan › hides no line',
      'unit/view/planText › does not hide an input',
    ],
  ),
  attack(
    'hostile-subagent',
    'Calls are their own parents, in circles, thousands deep or of nobody; a subagent has the name of another asker, and asks in a fold.',
    'Nothing is lost or waits, what asks is always shown, and the agent is named before its subagent.',
    [
      'unit/webview/subagents › take no parent',
      'unit/webview/subagents › of any depth',
      'unit/webview/subagents › fold away what they did, but never',
      'unit/view/pendingQuestions › is the agent first',
      'webview/subagents › that asks shows only',
    ],
  ),
  attack(
    'hostile-proposal',
    'A request proposes an edit of a file outside the folders, behind dots or links, or that is not there.',
    'Open diff reads nothing outside of the folders: it shows what the agent sent, and writes nothing.',
    ['unit/host/panel/proposedDiff › '],
  ),
  attack(
    'disguised-links',
    'A link whose words name another host than its address, also with a user name or letters of another alphabet.',
    'The true host is shown behind the words.',
    ['unit/webview/links › ', 'webview/hostileMarkdown › a link whose words name another host'],
  ),
  attack(
    'disguised-pages',
    'A form asks to open an address with a user name, look-alike letters, a bare number or no encryption.',
    'The host is shown, and what could mislead is said in words.',
    ['unit/host/platform/webPage › ', 'webview/elicitation › 165: says what could make one'],
  ),
  attack(
    'acting-export',
    "A file that is imported says that a rule or the user decided, in the names of the user's own rules, brings notices in Parley's words, and its view asks for anything that changes something.",
    'It is a quotation without buttons, and the host refuses what is not reading, copying or leaving.',
    [
      'unit/thread/exportedSession › says only as a quotation',
      'unit/host/panel/limitedViews › ',
      'webview/imported › of rules, decisions and notices',
    ],
  ),
  attack(
    'taken-panel',
    'What runs in the panel is taken over: it installs, tests, saves, removes and downgrades agents and switches rules off by its own messages, twice at once, with commands that are too long to be read.',
    "VS Code's own dialog names what runs or changes before anything does, and what it cannot show in full is not possible.",
    [
      'unit/host/gallery/agentForms › a command is run and saved only',
      'unit/host/gallery/agentForms › a command that is too long',
      'unit/host/gallery/agentForms › nothing in a command poses',
      'unit/host/gallery/gallery › a second click while the question is open',
      'unit/host/gallery/gallery › what is installed is what the question showed',
      'vscode/e2e/permissionRules › 122 a rule answers in sight',
    ],
  ),
  attack(
    'hostile-export',
    'A file that is imported as a session has millions of values, endless depth, requests that wait, pages to open, parents in a circle, and any other JSON.',
    'It is refused in words, or shown read-only: no agent starts, nothing is sent, and nothing of it is stored.',
    [
      'unit/thread/exportedSession › is refused in words',
      'unit/thread/exportedSession › is refused, or is a session',
      'unit/host/sessions/importedSession › an imported session starts no agent',
      'unit/host/platform/slices › a session of any length',
      'webview/imported › has a line with New Session',
    ],
  ),
  attack(
    'hostile-link',
    'A web page links to Parley with a prompt, hidden characters in it, a path in the place of a session, or megabytes.',
    'The prompt is shown in the message box with its hidden characters as marks; nothing is sent, started or replaced.',
    ['unit/host/panel/parleyLinks › ', 'vscode/e2e/anywhere › links lead to its prompts'],
  ),
  attack(
    'password-form',
    'A form asks for a password without marking it as one.',
    'The field is hidden, kept in no file, and the form says who reads it.',
    ['unit/acp/decodeElicitation › ', 'webview/elicitation › 163: shows who asks'],
  ),
  attack('secrets', 'An agent repeats a key in errors and on stderr.', 'No key is in the log.', [
    'unit/host/signIn/apiKeys › 51: no key that an agent was given',
    'unit/host/platform/redact › stderr and errors in the log',
    'stdio/signInKey › ',
  ]),
  attack(
    'logged-secrets',
    'With the traffic log on, keys and passwords are in arguments, prompts, files, addresses, names and headers, encoded, cut off by the limit, and cut in two by an option and its value.',
    'None is in the log, known or not.',
    [
      'unit/host/platform/redact › the traffic log has no secret by value',
      'unit/host/platform/redact › 51: the traffic log says nothing of',
    ],
  ),
];
