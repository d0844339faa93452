import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolKinds } from '../../../src/acp/decodeUpdate';
import type { ThreadAction } from '../../../src/thread/actions';
import {
  callEnds,
  type ExportedEntry,
  type ExportedSession,
  exportSession,
  requestEnds,
  summaryEnds,
} from '../../../src/thread/exportedSession';
import { jsonWithin } from '../../../src/thread/jsonWithin';
import { ExportProblem, type ImportedSession, readExport } from '../../../src/thread/readExport';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread, maxPartLength, type Thread } from '../../../src/thread/thread';
import { importedTerminal, terminalLookup } from '../../../src/view/exportedTerminals';
import { entryView } from '../../../src/view/project';
import { sessionMarkdown } from '../../../src/view/sessionMarkdown';
import { mutated, runs } from '../fuzz/mutations';
import { type Scenario, ScenarioPlayer } from './scenario';

const about = { exportedAt: Date.UTC(2026, 10, 22, 9), agent: 'Demo', folder: '/work' };
const viewsOf = ({ terminals }: ImportedSession) =>
  [...terminals].map(([id, terminal]) => importedTerminal(id, terminal));
const again = (imported: ImportedSession): ExportedSession =>
  exportSession(
    imported.thread,
    { exportedAt: imported.exportedAt, title: imported.title, agent: imported.agent, folder: '/work' },
    terminalLookup(viewsOf(imported)),
  );
const asFile = (session: unknown) => JSON.stringify(session);
/** What a file breaks of the documented format. */
const isDocumented = new Ajv2020({ strictRequired: false }).compile(
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../docs/session.schema.json'), 'utf8')) as object,
);
const breachesOf = (session: unknown) => (isDocumented(session) ? [] : isDocumented.errors);

/** Everything that is made of an import for the panel, which must not throw. */
function draw({ thread }: ImportedSession): void {
  for (const entry of thread.entries) JSON.stringify(entryView(entry, '/work'));
}

const at = '2026-11-22T08:00:00.000Z';
const sample: ExportedSession = {
  format: 'parley.session',
  version: 1,
  exportedAt: '2026-11-22T09:00:00.000Z',
  title: 'Greet',
  agent: 'Demo',
  folder: '/work',
  entries: [
    {
      type: 'prompt',
      at,
      content: [
        { type: 'text', text: 'Greet' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      ],
    },
    { type: 'thought', at, until: at, content: [{ type: 'text', text: 'How?' }] },
    {
      type: 'tool',
      at,
      until: at,
      title: 'Edit a.ts',
      kind: 'edit',
      status: 'completed',
      content: [{ type: 'diff', path: '/work/a.ts', oldText: 'a\n', newText: 'b\n' }],
      locations: [{ path: '/work/a.ts', line: 3 }],
      input: { file_path: '/work/a.ts' },
      decision: { choice: 'Allow', kind: 'allow_once', request: 'Edit a.ts', rules: ['edits'] },
    },
    {
      type: 'tool',
      at,
      title: 'Run tests',
      name: 'bash',
      kind: 'execute',
      status: 'unfinished',
      content: [
        {
          type: 'terminal',
          command: 'npm test',
          output: 'ok\n\nline',
          omittedLines: 4,
          exitCode: -1,
          signal: 'SIGTERM',
          durationMs: 12,
        },
        { type: 'content', content: { type: 'hologram' } },
      ],
      output: 'ok',
      parent: 2,
    },
    {
      type: 'tool',
      at,
      title: 'Move',
      kind: 'move',
      status: 'failed',
      content: [{ type: 'fileChange', operation: 'move', path: '/b', oldPath: '/a', patch: '@@' }],
    },
    {
      type: 'answer',
      at,
      until: at,
      content: [
        { type: 'text', text: '# Done' },
        { type: 'resource_link', uri: 'file:///a', name: 'a' },
        { type: 'resource', resource: { uri: 'file:///b', text: 'b' } },
      ],
      parent: 2,
    },
    { type: 'summary', at, status: 'failed', content: [], error: 'no room' },
    {
      type: 'request',
      at,
      message: 'Name?',
      title: 'A form',
      state: 'accepted',
      answers: [{ label: 'Name', text: 'Bo' }],
    },
    { type: 'request', at, message: 'Visit', url: 'https://example.com/x', state: 'declined' },
    { type: 'notice', at, severity: 'info', title: 'Stopped', detail: 'by you' },
  ],
  plan: [{ content: 'Greet', priority: 'high', status: 'completed' }],
};

describe('an export', () => {
  it('is read as what was written', () => {
    const imported = readExport(asFile(sample));
    draw(imported);
    expect(breachesOf(sample)).toEqual([]);
    expect(again(imported)).toEqual(sample);
    expect(imported.thread).toMatchObject({ title: 'Greet', waiting: [], open: [] });
  });

  it('has everything of the threads that the rules of a session make', async () => {
    const folder = path.join(import.meta.dirname, '../../fixtures/thread');
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
      const scenario = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Scenario;
      const player = new ScenarioPlayer(scenario.version);
      for (const step of scenario.steps) await player.play(step);
      const { thread } = player.session;
      if (thread.entries.length === 0) continue;
      const written = exportSession(thread, { ...about, title: thread.title }, () => undefined);
      const imported = readExport(asFile(written));
      draw(imported);
      expect(breachesOf(JSON.parse(asFile(written))), name).toEqual([]);
      expect(again(imported), name).toEqual(JSON.parse(asFile(written)));
      expect(textsOf(imported.thread), name).toEqual(textsOf(thread));
    }
  });

  it('has only what is in the conversation after the user went back, and subagents find their call', () => {
    const actions: readonly ThreadAction[] = [
      { type: 'turn/started', at: 0, turnId: 'one', prompt: [{ type: 'text', text: 'taken back' }] },
      { type: 'turn/ended', at: 0, turnId: 'one', stopReason: 'end_turn' },
      { type: 'thread/rewound', at: 0, entryId: 'e0', title: 'Went back' },
      { type: 'turn/started', at: 0, turnId: 'two', prompt: [{ type: 'text', text: 'stays' }] },
      { type: 'toolCall/patched', at: 0, fields: { toolCallId: 'c', title: 'Task', kind: 'think' } },
      {
        type: 'message/chunkAppended',
        at: 0,
        role: 'agent',
        content: { type: 'text', text: 'inside' },
        parentToolCallId: 'c',
      },
      { type: 'message/chunkAppended', at: 0, role: 'agent', content: { type: 'text', text: 'outside' } },
    ];
    const { entries } = exportSession(actions.reduce(reduce, emptyThread), about, () => undefined);
    expect(entries.map((entry) => [entry.type, 'parent' in entry ? entry.parent : undefined])).toEqual([
      ['notice', undefined],
      ['prompt', undefined],
      ['tool', undefined],
      ['answer', 2],
      ['answer', undefined],
    ]);
    const { thread } = readExport(asFile({ ...sample, entries }));
    expect([...thread.entries].map((entry) => 'endsTurn' in entry && entry.endsTurn)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('is the same after any conversation was written, read and written', () => {
    fc.assert(
      fc.property(anySession, (session) => {
        const imported = readExport(asFile(session));
        draw(imported);
        expect(breachesOf(session)).toEqual([]);
        expect(again(imported)).toEqual(JSON.parse(asFile(session)));
        sessionMarkdown(session);
      }),
      { ...runs, numRuns: 10 * runs.numRuns },
    );
  });

  it('cuts long texts as a thread does', () => {
    const text = 'x'.repeat(2 * maxPartLength + 1);
    const { thread } = readExport(
      asFile({ ...sample, entries: [{ type: 'prompt', at, content: [{ type: 'text', text }] }] }),
    );
    const entry = thread.entries.at(0);
    expect(entry?.kind === 'userMessage' && [...entry.parts]).toMatchObject([
      { continues: false },
      { continues: true },
      { text: 'x', continues: true },
    ]);
  });
});

describe('a hostile file', () => {
  it('says only as a quotation what was decided, by which rule, and what Parley said', () => {
    const at = '2026-11-22T08:00:00.000Z';
    const call = { type: 'tool', at, title: 'rm -rf /', kind: 'execute', status: 'completed' };
    const entries = [
      { ...call, decision: { choice: 'Reject', kind: 'reject_once', rules: ['Never delete'] } },
      { ...call, decision: { choice: 'Allow', kind: 'allow_once', rules: ['a', 'b'] } },
      { ...call, decision: { choice: 'Allow', kind: 'allow_once' } },
      { type: 'notice', at, severity: 'error', title: 'Your rules are off', actions: ['editSettings'] },
      { type: 'request', at, title: 'Sign in', message: 'm', state: 'accepted' },
    ];
    const { thread } = readExport(
      asFile({ format: 'parley.session', version: 1, exportedAt: at, agent: 'Demo', entries }),
    );
    const views = [...thread.entries].map((entry) => entryView(entry, '/work'));
    expect(views.map((view) => 'isQuoted' in view && view.isQuoted)).toEqual(entries.map(() => true));
    expect(views.map((view) => ('decidedBy' in view ? view.decidedBy : undefined))).toEqual([
      'The file says: rejected by a rule “Never delete”',
      'The file says: allowed by a rule “a”, “b”',
      undefined,
      undefined,
      undefined,
    ]);
    expect(views[3]).toMatchObject({ actions: [] });
  });

  const changed = (entry: object) => asFile({ ...sample, entries: [entry] });
  const prompt = sample.entries[0]!;

  it.each([
    ['no JSON', 'hello'],
    ['another JSON', '{"format":"other"}'],
    ['a list', '[]'],
    ['a later version', asFile({ ...sample, version: 2 })],
    ['no version', asFile({ ...sample, version: '1' })],
    ['no conversation', asFile({ ...sample, entries: [] })],
    ['an entry of another kind', changed({ ...prompt, type: 'system' })],
    ['a time that is none', changed({ ...prompt, at: 'tomorrow' })],
    ['a text that is none', changed({ ...prompt, content: [{ type: 'text', text: 1 }] })],
    ['a status of a call that runs', changed({ ...sample.entries[2]!, status: 'in_progress' })],
    ['a request that waits', changed({ ...sample.entries[7]!, state: 'waiting' })],
    ['a page of another scheme', changed({ ...sample.entries[8]!, url: 'command:workbench.action.quit' })],
    ['a host behind a name', changed({ ...sample.entries[8]!, url: 'https://example.com@evil.example/' })],
    ['a parent that comes later', changed({ ...sample.entries[5]!, parent: 0 })],
    ['a parent that is no number', changed({ ...sample.entries[5]!, parent: '__proto__' })],
    ['depth', `{"format":"parley.session","version":1,"entries":${'['.repeat(1_000_000)}`],
    ['millions of values', `{"format":"parley.session","version":1,"entries":[${'[],'.repeat(5_000_000)}[]]}`],
  ])('with %s is refused in words', (_, text) => {
    expect(() => readExport(text)).toThrow(ExportProblem);
  });

  it('is refused, or is a session that can be drawn and written', () => {
    fc.assert(
      fc.property(mutated([sample]), (raw) => {
        let imported: ImportedSession;
        try {
          imported = readExport(asFile(raw));
        } catch (error) {
          expect(error).toBeInstanceOf(ExportProblem);
          return;
        }
        draw(imported);
        const { thread } = imported;
        expect([thread.waiting, thread.open, thread.turn]).toEqual([[], [], undefined]);
        expect(again(readExport(asFile(again(imported))))).toEqual(JSON.parse(asFile(again(imported))));
      }),
      { ...runs, numRuns: 50 * runs.numRuns },
    );
  });

  it('is measured before it is parsed, whatever its strings contain', () => {
    expect(jsonWithin('{"a":"[[[[\\"[[[","b":[1,2]}', 2, 5)).toBe(true);
    expect(jsonWithin('{"a":"\\\\",\n"b":[[1]]}', 2, 9)).toBe(false);
    expect(jsonWithin('[1,2,3]', 1, 3)).toBe(false);
    expect(jsonWithin('"unfinished', 1, 1)).toBe(true);
  });
});

const textsOf = ({ entries }: Thread) =>
  [...entries].map((entry) =>
    'parts' in entry
      ? [...entry.parts].map((part) => (part.type === 'text' ? part.text : part.type)).join('')
      : entry.kind,
  );

const text = fc.string({ unit: 'binary' });
const time = fc
  .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const block = fc.oneof(
  text.map((value) => ({ type: 'text' as const, text: value })),
  fc.record({ type: fc.constant('image' as const), mimeType: text, data: text }),
  fc.record({ type: fc.constant('resource' as const), resource: fc.record({ uri: text, text }) }),
  text
    .filter((kind) => !['text', 'image', 'audio', 'resource', 'resource_link'].includes(kind))
    .map((type) => ({ type })),
);
const content = fc.array(block, { maxLength: 3 });
const toolContent = fc.oneof(
  block.map((value) => ({ type: 'content' as const, content: value })),
  fc.record({ type: fc.constant('diff' as const), path: text, oldText: fc.option(text), newText: text }),
  fc.record(
    {
      type: fc.constant('terminal' as const),
      output: text.map((output) => output.replaceAll('\r', '')),
      command: text,
      exitCode: fc.integer(),
    },
    { requiredKeys: ['type', 'output'] },
  ),
);
const entry: fc.Arbitrary<ExportedEntry> = fc.oneof(
  fc.record({ type: fc.constant('prompt' as const), at: time, content }),
  fc.record({ type: fc.constantFrom('answer' as const, 'thought' as const), at: time, until: time, content }),
  fc.record(
    {
      type: fc.constant('tool' as const),
      at: time,
      until: time,
      title: text,
      name: text,
      kind: fc.constantFrom(...toolKinds),
      status: fc.constantFrom(...callEnds),
      content: fc.array(toolContent, { minLength: 1, maxLength: 3 }),
      input: fc.jsonValue({ maxDepth: 4 }),
      output: fc.jsonValue({ maxDepth: 4 }),
    },
    { requiredKeys: ['type', 'at', 'title', 'kind', 'status'] },
  ),
  fc.record({ type: fc.constant('summary' as const), at: time, status: fc.constantFrom(...summaryEnds), content }),
  fc.record({ type: fc.constant('request' as const), at: time, message: text, state: fc.constantFrom(...requestEnds) }),
  fc.record({
    type: fc.constant('notice' as const),
    at: time,
    severity: fc.constantFrom('info' as const, 'error' as const),
    title: text,
    detail: text,
  }),
);
const anySession: fc.Arbitrary<ExportedSession> = fc.array(entry, { minLength: 1, maxLength: 8 }).map((entries) => ({
  format: 'parley.session',
  version: 1,
  exportedAt: at,
  agent: 'Demo',
  folder: '/work',
  entries,
}));
