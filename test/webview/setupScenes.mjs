import { agentMessage, threadView, userMessage } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */
/** @typedef {import('../../src/protocol/setupView').SetupView} SetupView */

/**
 * As much as there can be: servers in every state and folders.
 * @param {Partial<SetupView>} [fields]
 * @returns {SetupView}
 */
export function setup(fields = {}) {
  return {
    servers: [
      { name: 'docs', state: 'passed' },
      { name: 'files', state: 'passed' },
      { name: 'trial', state: 'off', why: 'your choice' },
      { name: 'events', state: 'left', why: 'Demo Agent does not support SSE servers' },
    ],
    folders: [
      { name: 'sample', state: 'cwd' },
      { name: 'docs', state: 'passed' },
    ],
    changed: false,
    ...fields,
  };
}

const entries = [userMessage('u', 'Hello'), agentMessage('a', 'Hi. What shall we do?')];
const waiting = /** @type {const} */ ({ name: 'github', state: 'review', why: 'it needs your review' });

/** What a session was opened with, at the top of the panel. */
export const setupScenes = {
  setup: /** @type {Scene} */ ({
    view: threadView(entries, { title: 'Make the tokenizer iterative, without recursion', setup: setup() }),
  }),
  setupChanged: /** @type {Scene} */ ({
    view: threadView(entries, {
      title: 'A title',
      setup: setup({ servers: [{ name: 'docs', state: 'passed' }], changed: true }),
    }),
  }),
  setupReview: /** @type {Scene} */ ({
    view: threadView(entries, {
      title: 'Make the tokenizer iterative, without recursion',
      setup: setup({ servers: [waiting] }),
    }),
  }),
  worktree: /** @type {Scene} */ ({
    view: threadView(entries, {
      title: 'Make the tokenizer iterative, without recursion',
      setup: setup({
        servers: [{ name: 'docs', state: 'passed' }],
        folders: [],
        worktree: { branch: 'fix-the-tokenizer', path: '/home/ada/sample.worktrees/fix-the-tokenizer' },
      }),
    }),
  }),
  place: /** @type {Scene} */ ({ view: threadView([], { place: 'worktree' }) }),
  setupUntitled: /** @type {Scene} */ ({
    view: threadView([], { setup: setup({ servers: [waiting, { ...waiting, name: 'files' }], folders: [] }) }),
  }),
};
