import { attack } from '../attack.mjs';

/** What an agent asks for, and what it may do without asking. */
export const requests = [
  attack(
    'swapped-command',
    'The tool call says `npm test`, the permission request `rm -rf ~/.ssh`; other fields of the raw input say something else again.',
    'The request counts everywhere; the difference is shown; no rule allows it.',
    [
      'stdio/permissionRules › 126 what the request says',
      'unit/permission/subject › ',
      'vscode/e2e/permissions › a request that says another thing',
    ],
  ),
  attack(
    'address-as-path',
    'A request names its file by an address (`file:///home/me/.bashrc`), in quotes, after a blank or behind a variable, so that it looks like a file in the workspace.',
    'An address of a file is that file everywhere. No rule allows the others, and the card says why.',
    ['unit/permission/inputFields › an edit of ', 'unit/permission/subject › the subject of a permission'],
  ),
  attack(
    'unseen-script',
    'A command gives a shell its script in a here-document, through a pipe, or as the output of a download.',
    'A script in the line is read like the line. The card says that the others run code that is not shown.',
    ['unit/permission/commands › what a command comes to'],
  ),
  attack(
    'changed-while-waiting',
    'The call is updated while the request waits, also in the moment before a click, and in a loop.',
    'A change makes a new request with a new 0.4 s; a click on the old one does nothing; a loop is cancelled.',
    [
      'stdio/permissionRules › 126 an update makes',
      'stdio/permissionRules › 126 an agent that changes it in a loop',
      'webview/permissionAnswers › takes no click for what it asked before',
      'vscode/e2e/permissions › a request that says another thing',
    ],
  ),
  attack(
    'own-prompt',
    "An agent adds a message in the user's name, within a turn and after it, and works on: files, commands, requests.",
    "The message is marked as the agent's and is no prompt to go back to or send again; the work is shown apart, watched, reviewed and can be stopped.",
    [
      'stdio/unprompted › is not the user',
      'webview/unprompted › says whose words',
      'vscode/e2e/unprompted › work after the answer',
    ],
  ),
  attack(
    'broken-request',
    "A request cannot be looked into, a listener throws, the agent writes into a card of Parley's own.",
    "It is shown all the same, later requests too, and Parley's card stays.",
    [
      'stdio/permissionRules › 122 a request that cannot',
      'stdio/permissionRules › 122 a listener that throws',
      'stdio/permissionRules › 126 a card of Parley',
    ],
  ),
  attack(
    'endless-options',
    'An option of 2,000 characters; 500 options; 5,000 options.',
    'The request can be read and answered by mouse and keyboard.',
    [
      'webview/permissionAnswers › can be seen and answered whatever',
      'webview/permissionAnswers › many options are a list',
      'attacks/long/growth › a request with 5,000 options',
    ],
  ),
  attack(
    'end-out-of-sight',
    'A command, a title, a reason or raw input is so long that what matters at its end is out of view while the answers are in view; the key or the note is used instead of the button.',
    'Every answer is locked, says so and leads on until the beginning and the end were in view; no layout is a dead end.',
    [
      'webview/readFirst › is answered by clicks',
      'webview/readFirst › is answered by one key',
      'webview/readFirst › offers no way around',
      'unit/host/panel/permissionAnswers › answers what was read',
      'webview/readFirst › is led to by the command',
    ],
  ),
  attack(
    'invisible-text',
    'Bidirectional controls, zero-width, default-ignorable, tag and blank-looking characters, 400 blanks, in every text of an agent.',
    'They are shown as marks, in one line and in code; runs of blanks collapse visibly; what has no mark is unchanged.',
    ['unit/base/visibleText › ', 'unit/hostileText › ', 'webview/permission › shows characters that turn'],
  ),
  attack(
    'dishonest-buttons',
    'An option that is called Reject and allows; an empty or invisible name; one name for two kinds.',
    "The button says what its kind does, the agent's words stand beside it as a quotation.",
    ['unit/protocol/optionLabel › ', 'webview/permissionAnswers › says what each option does'],
  ),
  attack(
    'tangled-subagents',
    'Calls name themselves, each other, unknown or later calls as the subagent that made them, thousands deep; a subagent has a name of 500 characters and one that poses as another agent.',
    "Every entry stands in one place and costs the same; a request is never folded away, and the agent's own name comes first.",
    [
      'unit/webview/subagents › of any depth cost the same',
      'unit/webview/subagents › take no parent that is unknown',
      'webview/subagents › may have subagents',
      'unit/view/pendingQuestions › is the agent first',
    ],
  ),
  attack(
    'hidden-plan',
    'A request to leave the planning mode shows one plan and has another one, or more, in its raw input.',
    'What the plan does not say stands beside it.',
    ['unit/view/planText › does not hide an input', 'unit/view/planText › is in the input where'],
  ),
  attack(
    'code-file-name',
    'A block of code names a path outside of the workspace, a device, or a name with hidden characters as its file.',
    'Only the last part of a path is proposed, and only the file that the user chooses is written.',
    ['unit/host/panel/codeFileName › ', 'unit/host/panel/saveCode › writes only what the user chose'],
  ),
  attack(
    'turned-link',
    'A link is turned while the request waits, for a read and for a write; a file is attached or mentioned and then exchanged.',
    'The call fails and says so; nothing is written or returned; the request shows where the link led.',
    [
      'vscode/suite/exchangedPaths › is refused where a link was turned',
      'vscode/suite/exchangedPaths › goes into a prompt as a link',
      'unit/host/files/outsideWorkspaceRequest › ',
    ],
  ),
  attack(
    'exchanged-folder',
    'Another process exchanges the parent folder for a link again and again, 0 to 29 ms, during writes, reads, creations and Undo.',
    'Nothing outside is written or read for closed files; for open editors it is reported.',
    [
      'vscode/suite/exchangedPaths › is not written where another process',
      'vscode/suite/exchangedPaths › is not written in an open document',
      'vscode/suite/exchangedPaths › is not undone where the folder',
      'unit/node/openWithoutLinks › whenever a part is exchanged',
      'unit/node/changeFiles › nothing is done through a link',
    ],
    'VS Code saves an open editor by its path. Parley checks before and after and reports a save that went elsewhere, but cannot prevent it.',
  ),
  attack(
    'outside-files',
    "An agent reads and writes outside the session's folders, also behind links.",
    'Nothing happens before the user allowed that file.',
    ['unit/host/files/pathPolicy › ', 'vscode/suite/writeTextFile › 140: '],
  ),
  attack(
    'own-settings',
    "An agent changes VS Code's settings, keys, tasks, profiles or extensions, or Parley's storage, where they are in the open folder: a home folder, a repository of settings with links in either direction, a second name of a file, a folder or pattern around them.",
    "They are in no session's folders: each file is asked for, no rule allows it, and Keep All skips it.",
    [
      'unit/host/files/protectedPlaces › ',
      'unit/host/files/outsideWorkspaceRequest › ',
      'stdio/permissionRules › a rule allows no command that touches the settings',
      'vscode/e2e/permissionRules › an agent that has VS Code’s own settings',
    ],
  ),
  attack(
    'unasked-rules',
    "An agent, a script or Settings Sync writes rules into the user's settings, widens one that was confirmed, switches one on again, or brings back one that was removed.",
    "What allows waits until the user confirms it in VS Code's own dialog; what restrains counts at once.",
    ['unit/host/permissions/ruleSettings › ', 'vscode/e2e/permissionRules › a rule that something else writes'],
  ),
  attack(
    'chosen-folder',
    'An agent lists a session in a folder of its choice (`/`, another project, a link in the workspace), and asks there for edits and commands.',
    "The folder is in reach only after the user agreed to its real path; Open diff, snippets and rules use the session's own folders; the head names the folder.",
    [
      'unit/host/sessions/folderElsewhere › ',
      'unit/host/sessions/sessionViews › has the folder that the agent names',
      'unit/host/sessions/setupView › the panel says where a session works',
      'unit/host/panel/proposedDiff › reads nothing outside of the roots',
      'stdio/permissionRules › a rule allows nothing in a session that works outside',
    ],
  ),
  attack(
    'named-program',
    'A request names its shell by a path (`./x/bash`, a folder of the workspace, one outside), as a list, as `command` with `args`, `cmd` or `argv`; a program has the name of a tool; its words hold what a shell would run.',
    'Card, risks and rules have the program that runs. A rule sees through a wrapper only where it is a bare name or a shell of the system.',
    ['unit/permission/inputFields › the program of a request'],
  ),
  attack(
    'further-input',
    'A request for a command has `shell`, `env_vars`, `pre_command`, `dangerouslyDisableSandbox`, `host` or any other field beside it, in the request, in its call, or in a request of v2.',
    'No rule allows it, and the card shows each field with its value.',
    [
      'unit/permission/inputFields › a field beside the command',
      'unit/view/toolCallView › shows what the input says besides the command',
    ],
  ),
  attack(
    'wildcard-programs',
    'Rules with a wildcard are asked for programs that run others, under names that nobody listed, and for options, settings and files that make a known program run or write something else.',
    'A wildcard covers only known programs, and of these only known options; everything else must be written out.',
    ['unit/permission/generousRules › what no generous rule allows', 'unit/permission/rules › a wildcard'],
  ),
  attack(
    'other-shells',
    'Lines that fish, zsh, ksh, PowerShell or cmd read in another way than bash: backslashes in quotes, curly quotes, dashes, blanks, commas, `%x%`, `^`, `{a,b}`, `=x`, comments, line ends.',
    'No rule allows them; what rules allow, each installed shell reads alike.',
    ['unit/permission/generousRules › what no generous rule allows', 'unit/permission/realShells › simple commands'],
  ),
  attack(
    'no-auto-allow',
    'Time passes, the panel closes, options are odd, a rule could be read two ways.',
    'Nobody but the user or a rule of theirs allows.',
    ['stdio/permissions › 122 ', 'unit/permission/generousRules › ', 'unit/permission/rules › '],
  ),
  attack(
    'unread-input',
    '500 reads of 9 MB by an agent that does not read its input; one that reads slowly.',
    'Little is kept; the link ends with the reason; the slow one gets all of its answers.',
    ['stdio/flow › 500 reads of 9 MB', 'stdio/flow › an agent that reads slowly'],
  ),
  attack(
    'request-flood',
    '5,000 requests at once; requests without end; more updates than the host can handle.',
    'Each is answered once, what is too many gets an error, and the agent has to wait.',
    [
      'stdio/flow › 14 5,000 requests',
      'stdio/flow › an agent that talks faster',
      'stdio/flow › an agent that asks without end',
      'stdio/flow › requests that wait for the user',
    ],
  ),
];
