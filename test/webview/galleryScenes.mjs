import { readFileSync } from 'node:fs';
import { threadView } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */
/** @typedef {import('../../src/protocol/galleryView').GalleryAgentView} GalleryAgentView */
/** @typedef {import('../../src/protocol/galleryView').GalleryView} GalleryView */

/** @param {string} key @param {Partial<GalleryAgentView>} [fields] @returns {GalleryAgentView} */
export function agent(key, fields = {}) {
  return {
    key,
    name: `Agent ${key}`,
    about: 'Writes and explains code',
    kind: 'listed',
    state: 'notInstalled',
    isCurrent: false,
    isPinned: false,
    isMissing: false,
    button: 'install',
    hasMenu: false,
    ...fields,
  };
}

/** A row of every kind. */
export const agents = [
  agent('claude', {
    name: 'Claude Code',
    about: 'Anthropic’s coding agent',
    kind: 'builtIn',
    state: 'ready',
    version: '0.100.0',
    needs: 'node',
    isCurrent: true,
    button: 'use',
    hasMenu: true,
  }),
  agent('codex', {
    name: 'Codex',
    about: 'OpenAI’s coding agent',
    kind: 'builtIn',
    state: 'update',
    version: '2.6.0',
    offered: '2.7.1',
    needs: 'node',
    button: 'use',
    hasMenu: true,
  }),
  agent('gemini', {
    name: 'Gemini CLI',
    about: 'Google’s coding agent',
    kind: 'builtIn',
    state: 'signIn',
    version: '0.61.0',
    needs: 'node',
    button: 'signIn',
    hasMenu: true,
  }),
  agent('qwen', {
    name: 'Qwen Code',
    about: 'Alibaba’s coding agent',
    kind: 'builtIn',
    needs: 'node',
    isMissing: true,
  }),
  agent('mine', {
    name: 'My own agent',
    about: '/opt/mine/bin/agent --acp',
    kind: 'custom',
    state: 'ready',
    button: 'use',
    hasMenu: true,
  }),
  agent('acorn', {
    name: 'Acorn',
    about: 'A small agent that runs on this machine and works with many models from many providers',
    needs: 'download',
    offered: '1.4.0',
  }),
  agent('birch', {
    name: 'Birch',
    about: 'Plans before it works',
    state: 'installing',
    progress: 'Downloading: 12.3 of 40.1 MB',
    part: 0.31,
    needs: 'download',
    button: 'cancel',
  }),
  agent('cedar', {
    name: 'Cedar',
    about: 'Reviews what you wrote',
    state: 'failed',
    needs: 'uv',
    problem: 'Parley can’t reach downloads.example. Check your connection and the http.proxy setting, then try again.',
    button: 'retry',
  }),
  agent('dogwood', { name: 'Dogwood', about: 'Only for other systems', state: 'unavailable', button: undefined }),
  agent('elm', { name: 'Elm', about: 'Written in Python', needs: 'uv' }),
  agent('demo', {
    name: 'Parley Demo',
    about: 'Shows what Parley can do. No account or network needed.',
    kind: 'demo',
    state: 'ready',
    button: 'use',
  }),
];

const svg = (/** @type {string} */ inner) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${inner}</svg>`).toString('base64');
/** One in the colour of the text, one in colours of its own. */
export const icons = {
  acorn: svg('<path fill="currentColor" d="M8 1l7 14H1z"/>'),
  cedar: svg('<circle cx="8" cy="8" r="7" fill="#2a7d4f"/>'),
};

/** @param {Partial<GalleryView>} [fields] @returns {GalleryView} */
export function gallery(fields = {}) {
  return { agents, loading: false, isRestricted: false, ...fields };
}

/**
 * @param {Partial<import('../../src/protocol/agentForm').AgentFormView>} [fields]
 * @returns {import('../../src/protocol/agentForm').AgentFormView}
 */
export function form(fields = {}) {
  const env = [
    { name: 'MODEL', value: 'large', isSecret: false, isKept: false },
    { name: 'API_KEY', value: '', isSecret: true, isKept: true },
  ];
  return {
    id: 1,
    title: 'Edit Agent',
    values: { name: 'My own agent', command: '${userHome}/bin/agent', args: ['--acp', '--verbose'], env, cwd: '' },
    ...fields,
  };
}

const report = [
  { label: 'Agent', text: 'Acorn 1.2.0' },
  { label: 'Protocol', text: 'ACP version 1' },
  { label: 'Supports', text: 'Text, images, attached files, earlier sessions' },
  { label: 'Sign-in', text: 'Log in with a browser, API key' },
];

/** The gallery of agents, and its beginning in an empty panel. */
export const galleryScenes = {
  gallery: /** @type {Scene} */ ({ view: threadView([], { gallery: gallery(), galleryIcons: icons }) }),
  galleryTrouble: /** @type {Scene} */ ({
    view: threadView([], {
      gallery: gallery({
        agents: agents.slice(0, 3),
        loading: true,
        isRestricted: true,
        problem:
          'Parley can’t reach index.example. Check your connection and the http.proxy setting, then try again. This list is from Nov 20, 2026.',
      }),
    }),
  }),
  galleryForm: /** @type {Scene} */ ({
    view: threadView([], { gallery: gallery({ form: form({ test: { state: 'done', lines: report } }) }) }),
  }),
  galleryFormTrouble: /** @type {Scene} */ ({
    view: threadView([], {
      gallery: gallery({
        form: form({
          id: 2,
          title: 'Add Agent',
          problem: 'There is already an agent named “My own agent”. Enter another name.',
          test: {
            state: 'failed',
            problem: 'My own agent could not be started. The process ended with exit code 1.',
            stderr: 'agent: unknown option --acp',
          },
        }),
      }),
    }),
  }),
  galleryStarters: /** @type {Scene} */ ({
    view: threadView([], {
      agent: 'Parley Demo',
      suggestions: ['/tour', '/edit', '/run'],
      starters: agents.slice(0, 4).map(({ key, name, about }) => ({
        key,
        name,
        about,
        icon: readFileSync(new URL(`../../media/agents/${key}.svg`, import.meta.url), 'base64'),
      })),
    }),
  }),
};
