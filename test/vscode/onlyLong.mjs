/**
 * `npm test` tells a story of each promise of README.md, and those of which nothing inner shows the core. The others run
 * with `npm run test:long`, with their ring (`npm run test:vscode`), and when they are named.
 */
export const longStories = [
  'agentInstall',
  'anywhere',
  'api',
  'askMenus',
  'attachments',
  'attention',
  'autoKeep',
  'changesBar',
  'changesTree',
  'checkAgent',
  'comments',
  'conflicts',
  'conformance',
  'conversation',
  'diskMarks',
  'elicitation',
  'eraseData',
  'firstMinute',
  'gallery',
  'manyTurns',
  'mcpServers',
  'newProblems',
  'noProcessLeft',
  'open',
  'options',
  'permissionRules',
  'sessionEditor',
  'sessionFolders',
  'sessions',
  'severalRoots',
  'signIn',
  'sourceControl',
  'subagentTab',
  'trouble',
  'twoWindows',
  'unprompted',
  'unsaved',
  'updates',
  'v2',
];

/** They run only with `npm run test:long`, in parts of their own, and when they are named. */
export const longParts = ['ownWrites', 'remote', 'thousands', 'vsixWithoutNative'];

/** @param {string} name of a story */
export const storyFile = (name) => `test/vscode/e2e/${name}.test.ts`;
