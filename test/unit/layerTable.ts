/** What all of the host may import. */
const core = [
  'src/base',
  'src/acp',
  'src/permission',
  'src/thread',
  'src/changes',
  'src/registry',
  'src/protocol',
  'src/view',
  'src/node',
];
const hostPackages = [/^node:/, /^(type )?vscode$/, /^type @agentclientprotocol\/sdk$/, /^ignore$/, /^@vscode\/l10n$/];
/** A folder of the host, and the folders of the host that it may import. */
const room = (...rooms: readonly string[]) => ({
  folders: [...core, ...rooms.map((name) => `src/host/${name}`)],
  packages: hostPackages,
});

/**
 * What a folder may import besides itself, types included. Imports point up in this table, never down, so there is no
 * cycle (src/ARCHITECTURE.md).
 */
export const layers: Readonly<
  Record<string, { readonly folders: readonly string[]; readonly packages: readonly RegExp[] }>
> = {
  'src/base': { folders: [], packages: [] },
  'src/protocol': { folders: ['src/base'], packages: [/^@vscode\/l10n$/] },
  'src/acp': {
    folders: ['src/base'],
    packages: [/^@vscode\/l10n$/, /^type @agentclientprotocol\/sdk$/, /^vscode-jsonrpc$/],
  },
  'src/changes': { folders: ['src/base'], packages: [/^@vscode\/l10n$/, /^diff$/] },
  'src/registry': { folders: ['src/base', 'src/acp'], packages: [/^@vscode\/l10n$/] },
  'src/permission': { folders: ['src/base', 'src/acp', 'src/changes'], packages: [/^@vscode\/l10n$/, /^unbash$/] },
  'src/thread': {
    folders: ['src/base', 'src/acp', 'src/permission'],
    packages: [/^@vscode\/l10n$/, /^type @agentclientprotocol\/sdk$/],
  },
  'src/view': {
    folders: ['src/base', 'src/acp', 'src/changes', 'src/permission', 'src/thread', 'src/protocol'],
    packages: [/^@vscode\/l10n$/, /^diff$/, /^type @agentclientprotocol\/sdk$/],
  },
  'src/node': {
    folders: ['src/base', 'src/acp', 'src/registry', 'src/thread', 'src/protocol'],
    packages: [
      /^@vscode\/l10n$/,
      /^node:/,
      /^vscode-jsonrpc\/node$/,
      /^(type )?node-pty$/,
      /^(type )?@xterm\/headless$/,
      /^cross-spawn$/,
      /^tar$/,
      /^yauzl$/,
      /^unbzip2-stream$/,
    ],
  },
  'src/demo': { folders: [], packages: [/^node:/, /^type @agentclientprotocol\/sdk$/] },
  'src/host/platform': room(),
  'src/host/storage': room('platform'),
  'src/host/files': room('platform', 'storage'),
  'src/host/changes/stored': room('platform', 'storage', 'files'),
  'src/host/changes/disk': room('platform', 'storage', 'files', 'changes/stored'),
  'src/host/changes': room('platform', 'storage', 'files', 'changes/stored', 'changes/disk'),
  'src/host/agents': room('platform'),
  'src/host/agents/check': room('platform', 'agents'),
  'src/host/gallery': room('platform', 'agents'),
  'src/host/terminals': room('platform'),
  'src/host/attachments': room('platform'),
  'src/host/mcp': { ...room('platform'), packages: [...hostPackages, /^jsonc-parser$/] },
  'src/host/signIn': room('platform', 'agents'),
  'src/host/permissions': room('platform', 'files'),
  'src/host/sessions': room(
    'platform',
    'storage',
    'files',
    'changes',
    'agents',
    'terminals',
    'attachments',
    'mcp',
    'signIn',
  ),
  'src/host/review/feedback': room('platform', 'files', 'changes', 'sessions'),
  'src/host/review': room('platform', 'files', 'changes', 'agents', 'sessions', 'review/feedback'),
  'src/host/panel': room(
    'platform',
    'files',
    'changes',
    'agents',
    'gallery',
    'terminals',
    'attachments',
    'mcp',
    'signIn',
    'permissions',
    'sessions',
    'review',
  ),
  'src/host/attention': room('platform', 'agents', 'sessions', 'panel'),
  'src/host/composition': room(
    'platform',
    'storage',
    'files',
    'changes',
    'agents',
    'gallery',
    'terminals',
    'attachments',
    'mcp',
    'signIn',
    'permissions',
    'sessions',
    'review',
    'panel',
    'attention',
  ),
  webview: {
    folders: ['src/base', 'src/protocol'],
    packages: [
      /^@vscode\/l10n$/,
      /^lit-html/,
      /^marked$/,
      /^dompurify$/,
      /^diff$/,
      /^temml$/,
      /^mermaid$/,
      /^diagram-program$/,
      /^highlight\.js\/lib\//,
      /^(type )?highlight\.js$/,
    ],
  },
};
