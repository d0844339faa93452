import { attack } from '../attack.mjs';

/** What a repository, an index or an installation brings along. */
export const repositories = [
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
    ['unit/permission/rules › item 122: ', 'vscode/e2e/severalRoots › a workspace of several folders'],
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
  attack(
    'repository-in-a-prompt',
    'A repository configures programs for git’s diff and log, names a file like a pattern, and has secrets among its changes, when a commit message is asked for.',
    'Nothing of it runs. Protected files and files that often contain secrets are sent by name alone.',
    [
      'unit/host/ask/repositoryChanges › nothing that the repository configures runs',
      'unit/host/ask/repositoryChanges › protected files and those with secrets',
      'unit/host/ask/pendingReview › an agent sees the diffs, and not what is protected or secret',
    ],
  ),
];
