import { beforeEach, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/event';
import { Ledger } from '../../../../src/changes/ledger';
import { DocumentPlaces } from '../../../../src/host/review/documentPlaces';
import { FakeClock } from '../../../fakes/fakeClock';

/*
 * A document reads its file again a while after the agent wrote it: whatever comes first, no line is marked that is not
 * the agent's.
 */

const edited = vi.hoisted(() => ({ listeners: new Set<(event: object) => void>() }));
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: {
    onDidChangeTextDocument: (listener: (event: object) => void) => {
      edited.listeners.add(listener);
      return { dispose: () => edited.listeners.delete(listener) };
    },
  },
}));

const path = '/p/a.ts';
const before = 'one\ntwo\nthree\n';
const after = 'one\nnew a\nnew b\nTWO\nthree\n';
let clock: FakeClock;
let ledger: Ledger;
let changes: Emitter<void>;
let text: string;
let version: number;
let places: DocumentPlaces;
const document = {
  getText: () => text,
  get version() {
    return version;
  },
} as vscode.TextDocument;

/** The editor takes over what is on disk, or what was typed. */
const read = (now: string) => {
  [text, version] = [now, version + 1];
  for (const listener of edited.listeners) listener({ document, contentChanges: [{}] });
};
const wrote = () => {
  ledger.agentWrote(path, before, after);
  changes.fire();
};
/** The lines that are marked, as the document has them. */
const marked = () =>
  places.of(document)?.map(({ hunk }) => text.split('\n').slice(hunk!.current.start, hunk!.current.end));
const agents = [['new a', 'new b', 'TWO']];

beforeEach(() => {
  [clock, ledger, changes, text, version] = [new FakeClock(), new Ledger(), new Emitter(), before, 1];
  const placesOf = () => ledger.changes.flatMap(({ hunks }) => hunks.map((hunk) => ({ sessionId: 's', path, hunk })));
  places = new DocumentPlaces({ onDidChange: changes.event, placesOf, textOf: () => ledger.current(path) }, clock);
});

it.each(['the write', 'the document'])('marks are drawn once both are there, where %s is heard of first', (first) => {
  const drawn: unknown[] = [];
  places.onDidChange(() => drawn.push(marked()));
  if (first === 'the write') {
    wrote();
    expect(drawn).toEqual([undefined]);
    read(after);
    clock.advance(100);
  } else {
    read(after);
    clock.advance(100);
    wrote();
  }
  expect(drawn.at(-1)).toEqual(agents);
});

it('what is drawn stays while the user types, until the review knows it too', () => {
  wrote();
  read(after);
  read(`mine\n${after}`);
  expect(marked()).toBeUndefined();
  ledger.edited(path, `mine\n${after}`);
  changes.fire();
  expect(marked()).toEqual(agents);
});

it('line ends of the document are no difference', () => {
  wrote();
  read(after.replaceAll('\n', '\r\n'));
  expect(places.of(document)).toHaveLength(1);
});

it('lenses and keys wait for the document, but not for ever', async () => {
  wrote();
  const soon = places.whenRead(document);
  read(after);
  clock.advance(100);
  expect(await soon).toHaveLength(1);
  read(`typed\n${after}`);
  const never = places.whenRead(document);
  clock.advance(10_000);
  expect(await never).toEqual([]);
});
