/** States of the sign-in card. */
import { now, threadView, turn, userMessage } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */
/** @typedef {import('../../src/protocol/signInView').SignInView} SignInView */

const starting = { state: /** @type {const} */ ('starting'), detail: 'Starting codex-acp', since: now - 7000 };

/** Ways as agents offer them. @param {Partial<SignInView>} [fields] @returns {SignInView} */
export function signInView(fields = {}) {
  return {
    requestId: 's1',
    methods: [
      {
        id: 'device',
        name: 'ChatGPT (device code)',
        description: 'Sign in to ChatGPT by opening a verification page and entering a one-time code',
        kind: 'agent',
      },
      {
        id: 'key',
        name: 'API Key',
        description: 'Use an API key from `OPENAI_API_KEY` to authenticate',
        kind: 'apiKey',
      },
      { id: 'cli', name: 'Log in with the command line', kind: 'terminal' },
    ],
    step: { type: 'choose' },
    needed: true,
    ...fields,
  };
}

const command = {
  type: /** @type {const} */ ('confirm'),
  methodId: 'cli',
  command: '/opt/node24/bin/node /opt/agents/claude/node_modules/.bin/claude-agent-acp --cli',
  folder: '/home/ada/work/tokenizer',
  variables: ['CLAUDE_LOGIN=1', 'LD_PRELOAD=/tmp/a/rather/long/path/that/does/not/fit.so'],
};

/** @param {SignInView} signIn @param {import('../../src/protocol/entryView').EntryView[]} [entries] @returns {Scene} */
const scene = (signIn, entries = [userMessage('u', 'Make the tokenizer iterative')]) => ({
  view: threadView(entries, { agent: 'Codex', connection: starting, signIn, ...(entries.length > 0 ? { turn } : {}) }),
});

/** @satisfies {Record<string, Scene>} */
export const signInScenes = {
  signIn: scene(signInView()),
  signInEmpty: scene(signInView({ reason: 'Your session has expired. Run `codex login` or choose a way below.' }), []),
  signInFailed: scene(
    signInView({
      problem:
        'Sign-in with “ChatGPT (device code)” failed. The device code has expired before it was entered; ask for another one.',
    }),
  ),
  signInCommand: scene(signInView({ step: command })),
  signInTrying: scene(signInView({ step: { type: 'trying', methodId: 'device', since: now - 12_000 } })),
  signInTerminal: scene(signInView({ step: { type: 'terminal', methodId: 'cli', since: now - 64_000 } })),
  signInLong: scene(
    signInView({
      methods: [
        {
          id: 'a',
          name: 'Anwendungsübergreifende-Anmeldung-mit-dem-Unternehmenskonto-der-Organisation',
          description: 'https://login.example.com/a/very/long/address/without/any/place/to/break/it?with=parameters',
          kind: 'agent',
        },
      ],
      problem: 'x'.repeat(400),
    }),
  ),
};
