/**
 * One attack: what was tried, what must hold, and the tests that make it.
 * @typedef {object} Attack
 * @property {string} name
 * @property {string} tried What the attacker does, in one line.
 * @property {string} holds What must be true all the same, in one line.
 * @property {readonly string[]} proofs As in the conformance checklist: `FILE › TITLE`.
 * @property {string} [open] What of it does not hold yet, and why.
 */

/**
 * @param {string} name
 * @param {string} tried
 * @param {string} holds
 * @param {readonly string[]} proofs
 * @param {string} [open]
 * @returns {Attack}
 */
const attack = (name, tried, holds, proofs, open) => ({
  name,
  tried,
  holds,
  proofs,
  ...(open === undefined ? {} : { open }),
});

const repositories = [
  attack(
    'repository-program',
    'A repository brings `node_modules/<agent>`, an `.npmrc` with another registry, overrides, and programs named node, npm and npx.',
    "The installed agent is the one of the user's registry, pinned by a lockfile; nothing of the repository runs.",
    [
      'unit/node/installPackage › happens in a folder of its own',
      'unit/node/installPackage › follows a lockfile of ours',
      'stdio/agentInstall › an agent from npm is what the user',
      'vscode/e2e/agentInstall › an agent is installed once',
    ],
  ),
  attack(
    'program-lookup',
    "Programs in the workspace have the names of the agent's command, of node and of git, and PATH names folders of the workspace.",
    'A bare name is never found inside the workspace.',
    [
      'unit/node/findProgram › a name means nothing in a folder to avoid',
      'stdio/agentInstall › a command of the user',
      'unit/node/hostileGit › does not decide which git runs',
    ],
  ),
  attack(
    'broken-install',
    'The window is killed during an installation; the disk is full; the registry refuses; two windows install at once.',
    'Nothing half installed is ever started, nothing keeps running, and the reason is said.',
    [
      'unit/node/installPackage › that fails with',
      'unit/node/installPackage › that is done twice at once',
      'unit/node/installPackage › that npm calls done although',
      'stdio/agentInstall › an installation whose window is killed',
    ],
  ),
  attack(
    'hostile-index',
    "The index of agents has broken, huge and double entries, versions that are paths, arguments with NUL, names of other agents and names that look like them, two installs at once, the user's variables, icons on other servers, hidden characters, and pictures with scripts, entities and addresses.",
    'A bad entry drops only itself, no agent takes the place of another, and nothing is installed before the user agreed to exactly what was shown.',
    [
      'unit/registry/decodeIndex › drops only the bad entry',
      'unit/registry/lookAlikes › ',
      'unit/host/agents/agentEntries › ',
      'unit/host/gallery/galleryAgents › variables of the user that were for',
      'unit/host/gallery/gallery › icons are asked of the server',
      'unit/registry/drawableIcon › is not drawn',
      'unit/host/gallery/galleryAgents › an agent of the index does not take the name',
      'unit/host/gallery/galleryAgents › a built-in agent is known in the index',
      'unit/host/gallery/gallery › what is installed is what the question showed',
      'stdio/signInTerminal › 45: runs only what the user has agreed to',
      'unit/host/gallery/gallery › what is too long to be read',
      'webview/gallery › shows what an index hides',
      'webview/gallery › draws icons as pictures',
    ],
  ),
  attack(
    'hostile-archive',
    'An archive has entries outside of its folder, links that lead out one by one and together, hard links, devices, pipes, files through links, doubles; a download is cut off, huge, changed, redirected, or another one.',
    'Nothing is written outside of the folder, and nothing of it starts.',
    [
      'unit/node/unpackArchive › is refused, and nothing outside changes',
      'unit/node/unpackArchive › hard links in a tar',
      'unit/node/archivePackages › says so and leaves nothing',
      'unit/node/archivePackages › with another checksum is not unpacked',
      'stdio/agentInstall › a host that is killed while it downloads',
    ],
  ),
  attack(
    'restricted-mode',
    'An agent, a rule and a server are asked for in Restricted Mode.',
    'Nothing starts and no rule allows.',
    [
      'vscode/e2e/trouble › Restricted Mode starts nothing',
      'unit/permission/rules › item 122: ',
      'vscode/e2e/severalRoots › a workspace of several folders',
    ],
  ),
  attack(
    'repository-git',
    "Filters, hooks, pager, file system monitor, external diff, textconv, credential helper, ssh, gpg, aliases and promisor remotes in the repository's configuration; pipes and devices in the place of git's files.",
    'Git reads no configuration of the repository, so none of them runs, and nothing waits.',
    [
      'unit/node/hostileGit › runs none of the programs',
      'unit/node/hostileGit › with a pipe or an endless device',
      'unit/node/hostileGit › says nothing of a repository',
      'unit/node/hostileGit › looks at no share',
    ],
  ),
  attack(
    'programs-run',
    'A hostile repository is opened: before trust, in a turn, with `@`, `@changes`, Undo and Restore; every program that is executed is recorded.',
    'Only programs of an allow list run.',
    [
      'vscode/e2e/hostileRepository › a hostile repository runs nothing',
      'unit/outsideWorld › programs are started in few places',
    ],
  ),
  attack(
    'repository-files',
    '`.gitignore` and `.vscode/mcp.json` are links to `/dev/zero`, pipes, devices, loops, or lead outside.',
    'They are skipped with one line in the log; memory stays, nothing waits.',
    [
      'unit/node/readRepositoryFile › reads regular files',
      'unit/outsideWorld › files are read in few places',
      'vscode/e2e/hostileRepository › a hostile repository runs nothing',
    ],
  ),
  attack(
    'helper-programs',
    'ripgrep, git and the login shell are made to grow, to hang, and to leave processes behind.',
    'Each has a deadline, an output limit and (Linux) a memory limit, and ends with the window.',
    [
      'unit/node/runProgram › does not grow beyond',
      'unit/node/runProgram › ends with all that it started',
      'unit/host/files/fileListing › a repository cannot make',
    ],
  ),
  attack(
    'mcp-consent',
    'A repository defines MCP servers, hides a variable behind a long one, and changes them after they were agreed to.',
    'No server reaches an agent before the user agreed to exactly that definition, and saw the name of each variable and header.',
    [
      'unit/host/mcp/adoption › is remembered for a definition',
      'unit/host/mcp/adoption › shows each variable',
      'unit/host/mcp/adoption › nobody agrees to',
      'vscode/e2e/mcpServers › 65, 66',
    ],
  ),
  attack(
    'many-files',
    'A workspace of 200,000 files without git.',
    'The panel opens, `@` finds a file, and the change of a command is listed.',
    ['attacks/long/manyFiles › a workspace of 200,000 files'],
    'On a busy machine the text from before is not read in time, and such a change can be kept but not undone.',
  ),
];

const agents = [
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
    'changed-while-waiting',
    'The call is updated while the request waits, also in the moment before a click, and in a loop.',
    'A change makes a new request with a new 0.4 s; a click on the old one does nothing; a loop is cancelled.',
    [
      'stdio/permissionRules › 126 an update makes',
      'stdio/permissionRules › 126 an agent that changes it in a loop',
      'webview/permission › takes no click for what it asked before',
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
      'webview/permission › can be seen and answered whatever',
      'webview/permission › many options are a list',
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
      'vscode/e2e/permissions › every request of the demo',
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
    ['unit/protocol/optionLabel › ', 'webview/permission › says what each option does'],
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
  attack(
    'slow-text',
    'Text that is made to be slow: one line of many megabytes, fences, blanks, dashes and quotes without end, diffs in which nothing is the same, long texts within long texts, thousands of paths and defaults, globs that multiply.',
    'It takes time by its length alone, or is given up.',
    [
      'unit/view/toolCallView › is bounded',
      'unit/view/toolCallView › compares very many diffs',
      'unit/base/findText › takes no longer',
      'unit/permission/secretText › is looked for in a long text',
      'unit/permission/subject › is compared with its call',
      'unit/view/proposedText › is made in bounded time',
      'unit/acp/decodeElicitation › with very long lists',
      'unit/host/files/ignoreRules › a glob of the settings',
      'unit/host/sessions/transcriptSearch › takes the pieces',
      'unit/webview/splitter › looks at a long blank line',
    ],
  ),
  attack(
    'huge-lists',
    '20 plans of 10,000 entries; calls with 10,000 locations; tables of 400,000 cells; a list of 150,000 sessions while another one streams.',
    'The beginning is shown, the rest is counted and opens as a document, in good time.',
    [
      'unit/view/longLists › ',
      'unit/host/sessions/sessionRows › what happens in one session',
      'unit/host/sessions/sessionRows › of many are made in slices',
      'unit/webview/tables › ',
      'webview/bounds › ',
      'attacks/long/growth › a flood of plans',
    ],
  ),
  attack(
    'many-turns',
    'An agent loads a session of 1,500 turns.',
    'It opens, its beginning can be reached, and the panel shows it again.',
    ['attacks/long/growth › a session of 1,500 turns'],
  ),
  attack(
    'orphans',
    'A busy machine, 60 marked processes that become other processes and ignore SIGTERM, and a host that is killed, crashes or closes.',
    'Nothing is left.',
    ['stdio/orphans › ', 'attacks/long/orphans › '],
    'A daemon of one command that becomes another process every few milliseconds can outlive that command while the window is open.',
  ),
  attack(
    'terminal-title',
    'A command prints sequences that rename the terminal, move its folder or pose as shell integration, cut anywhere.',
    'The tab keeps its name and folder.',
    ['unit/thread/titleFilter › ', 'vscode/suite/terminals › nothing that a command prints renames'],
  ),
  attack(
    'git-under-review',
    'Checkout, rebase with a conflict, and stash while changes are pending.',
    'Undo takes no line that git or another branch brought.',
    [
      'vscode/suite/gitUnderReview › Undo on another branch',
      'vscode/suite/gitUnderReview › Undo in a rebase',
      'vscode/suite/gitUnderReview › a stash and its return',
    ],
  ),
  attack(
    'formatters',
    "VS Code's own JSON formatter on save, and a second program that writes the same file during the save.",
    'Undo brings back the exact text; the file can be written again.',
    ['vscode/suite/formatters › what it changes counts', 'vscode/suite/formatters › a second writer'],
  ),
  attack(
    'other-encodings',
    'Files in Latin-1, Windows-1251, Shift-JIS, GBK, UTF-16, invalid UTF-8, with mixed line ends or a lone CR are written by an agent, on disk and through Parley, and undone, restored and redone.',
    'No byte that the agent did not touch changes, or the write is refused.',
    [
      'vscode/suite/bytes › and that an agent writes by fs stay',
      'vscode/suite/bytes › of files with unsaved work',
      'vscode/suite/bytes › writes on disk come back exactly',
      'vscode/suite/bytes › follow the encoding',
      'unit/host/files/fileText › ',
      'unit/changes/lineEnds › ',
    ],
  ),
  attack(
    'full-disk',
    "The workspace's disk is full when the agent writes, creates, or the user undoes.",
    'The file is as it was, and agent and user are told.',
    [
      'vscode/suite/fullDisk › a write of the agent leaves a closed file',
      'vscode/suite/fullDisk › a write of the agent leaves an open file',
      'vscode/suite/fullDisk › a new file is not left',
      'vscode/suite/fullDisk › Undo says so',
    ],
  ),
  attack(
    'unsaved-conversation',
    "The disk of Parley's storage takes nothing any more while agents talk: full at any byte, no rights, gone, or a half line that cannot even be cut away; then the window closes.",
    'It is said at once and written later in order; no record is cut or joined to another; the next window says what is missing, and never that a finished turn was interrupted.',
    [
      'unit/host/sessions/transcriptStore › a disk that takes nothing any more',
      'unit/host/storage/storageTrouble › ',
      'unit/thread/transcript › turns that ended were not interrupted',
    ],
  ),
  attack(
    'huge-conversation',
    'An agent fills its session with hundreds of megabytes of output, corrupt and endless lines, to make it unreadable.',
    'It opens in bounded memory, its output has limits on disk, and it is never offered for removal as if it were gone.',
    [
      'unit/host/sessions/transcriptStore › a transcript of any size',
      'unit/host/sessions/transcriptStore › a transcript that is not there',
      'unit/thread/threadBudget › ',
      'unit/host/sessions/sessionViews › one that cannot be read is there',
    ],
  ),
  attack(
    'refused-delete',
    'The agent refuses to delete a session, or the window closes or is killed before the time for Undo is over.',
    "Parley's own copy is deleted, with its prompts, answers, checkpoints and attachments; the refusal is said.",
    [
      'unit/host/sessions/sessionList › deletes',
      'unit/host/sessions/deletedText › ',
      'unit/host/permissions/permissionHistory › forgets',
    ],
  ),
  attack(
    'full-storage',
    "The disk of Parley's own storage takes nothing any more (full, quota, no rights), from any step on.",
    'A write, Undo, Keep or Restore is refused with words, or what it replaces is kept.',
    [
      'unit/host/review/fullDisk › whenever the storage takes nothing',
      'vscode/suite/fullStorage › a write of the agent to a file',
      'vscode/suite/fullStorage › Undo says so',
      'vscode/suite/fullStorage › what an agent writes to disk itself',
    ],
  ),
  attack(
    'own-write-crash',
    'The host is killed at any step after an agent has written to disk by itself, also at once.',
    'The next window lists the change, and Undo brings back what was there.',
    [
      'unit/host/changes/disk/crash › at once: the next window',
      'unit/host/changes/disk/crash › at any step',
      'vscode/e2e/ownWrites › ms after it: the change is pending',
    ],
    'What was not on disk three seconds after the prompt was sent (a very large or slow folder) is kept as soon as it is read; killed before that, its lines are lost.',
  ),
  attack(
    'whose-change',
    'The user writes files in another program before a turn, while the agent thinks, while a request waits, and right after the answer, on a machine that is late with everything.',
    "None of these files is an agent's change, and Undo removes no line of them.",
    [
      'unit/host/changes/disk/whoseChange › ',
      'unit/thread/turnEvidence › calls run from one time',
      'unit/acp/receivedAt › a message has the time',
      'vscode/e2e/diskChanges › what the user makes while the agent works',
    ],
    "What another program writes while a call or command of the agent runs is taken for the agent's.",
  ),
  attack(
    'late-writer',
    'Another program writes a file between the last look of Undo, Restore or Redo and their write.',
    'The file is left as it is, and what happened is said.',
    ['unit/host/changes/lastMoment › '],
  ),
  attack(
    'two-windows',
    "Two windows on one folder, each with an agent's changes; one is closed or killed, the other is reloaded.",
    'The changes of both are pending, and Undo finds the originals of both.',
    ['unit/host/storage/adoptStorage › ', 'vscode/e2e/twoWindows › the changes of both'],
  ),
];

const texts = [
  attack(
    'hostile-markdown',
    'Scripts, event handlers, odd link schemes, remote images, and cards that are painted in Markdown.',
    'Nothing runs, nothing is loaded, nothing looks like a card.',
    ['webview/markdown › are inert'],
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
    ['unit/webview/links › ', 'webview/markdown › a link whose words name another host'],
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
      'unit/host/panel/importedView › ',
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

/** @type {readonly Attack[]} */
export const attacks = [...repositories, ...agents, ...texts];
