import { expect, test } from 'vitest';
import { type AgentFacts, stateOf } from '../../../src/registry/agentState';

const facts = (fields: Partial<AgentFacts> = {}): AgentFacts => ({
  isCommand: false,
  isPinned: false,
  isInstalling: false,
  hasFailed: false,
  wantsSignIn: false,
  ...fields,
});

test.each<[string, Partial<AgentFacts>, string]>([
  ['nothing for this machine', {}, 'unavailable'],
  ['only offered', { offered: '1.0.0' }, 'notInstalled'],
  ['installed', { installed: '1.0.0', offered: '1.0.0' }, 'ready'],
  ['installed, offered no more', { installed: '1.0.0' }, 'ready'],
  ['a newer version', { installed: '1.0.0', offered: '1.1.0' }, 'update'],
  ['an older version', { installed: '1.1.0', offered: '1.0.0' }, 'ready'],
  ['pinned', { installed: '1.0.0', offered: '1.1.0', isPinned: true }, 'ready'],
  ['a command', { isCommand: true }, 'ready'],
  ['a command that wants a sign-in', { isCommand: true, wantsSignIn: true }, 'signIn'],
  ['a sign-in before an update', { installed: '1.0.0', offered: '1.1.0', wantsSignIn: true }, 'signIn'],
  ['no sign-in without an installation', { offered: '1.1.0', wantsSignIn: true }, 'notInstalled'],
  ['a failure before a sign-in', { installed: '1.0.0', wantsSignIn: true, hasFailed: true }, 'failed'],
  ['an installation before everything', { hasFailed: true, isInstalling: true }, 'installing'],
])('%s', (_, fields, state) => expect(stateOf(facts(fields))).toBe(state));
