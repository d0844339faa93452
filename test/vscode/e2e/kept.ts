import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../../../src/base/log';
import { CheckpointStore } from '../../../src/host/changes/stored/checkpointStore';
import { ReviewStore } from '../../../src/host/changes/reviewStore';
import type { Entry } from '../../../src/changes/entry';
import { FakeClock } from '../../fakes/fakeClock';
import { removeFolder, temporaryFolder } from '../../launch/project.mjs';
import type { Window } from './harness';
import type { MortalHost } from './mortalHost';
import { ContentStore } from '../../../src/host/storage/contentStore';
import { storedIn } from '../../../src/changes/content';
import { readEntry } from '../../../src/host/changes/stored/storedEntry';

interface OpenDocument {
  readonly uri: string;
  readonly text: string;
}

/** Every line that a user can get at: in files, in editors, in what waits for review, in checkpoints. */
export async function reachableLines(window: Window, host: MortalHost): Promise<ReadonlySet<string>> {
  const documents = await host.ask<OpenDocument[]>('documents');
  const texts = [...standing(window.folder, documents), ...(await keptTexts(window))];
  return new Set(texts.flatMap((text) => text.split(/\r?\n/)));
}

/** Lines in files and in editors. */
export async function standingLines(window: Window, host: MortalHost): Promise<string[]> {
  return standing(window.folder, await host.ask<OpenDocument[]>('documents')).flatMap((text) => text.split(/\r?\n/));
}

function standing(folder: string, documents: readonly OpenDocument[]): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const inEditors = documents.filter(({ uri }) => uri.startsWith('file:') && fileURLToPath(uri).startsWith(folder));
  return [...files.map(({ name }) => readFileSync(join(folder, name), 'utf8')), ...inEditors.map(({ text }) => text)];
}

/** What the extension would read again: from a copy, because reading mends what is cut off. */
async function keptTexts(window: Window): Promise<string[]> {
  const texts: string[] = [];
  const addEntry = ({ pieces }: Entry): void => {
    for (const piece of pieces)
      texts.push(
        (piece.kind === 'same'
          ? piece.lines
          : [...piece.baseline, ...piece.agent, ...piece.current, ...(piece.undone ?? [])]
        ).join('\n'),
      );
  };
  const storage = join(window.server.dataDir, 'data/User/workspaceStorage');
  const copy = temporaryFolder('kept');
  try {
    const [id = ''] = readdirSync(storage).filter((name) => readdirSync(join(storage, name)).includes('parley.parley'));
    cpSync(join(storage, id, 'parley.parley'), copy, { recursive: true });
    const contents = new ContentStore(join(copy, 'contents'), silentLogger);
    const review = new ReviewStore({
      contents,
      folder: join(copy, 'review'),
      parts: { review: () => new Map() },
      clock: new FakeClock(),
      log: silentLogger,
    });
    await review.open(async (saved) => {
      for (const entries of saved.values()) for (const entry of entries.values()) addEntry(entry);
    });
    // The first kill comes before there is any.
    const sessions = existsSync(join(copy, 'checkpoints')) ? readdirSync(join(copy, 'checkpoints')) : [];
    for (const session of sessions.map((name) => name.replace(/\.ndjson$/, ''))) {
      const log = await new CheckpointStore(join(copy, 'checkpoints'), contents, silentLogger).open(session);
      const versions = [
        ...log.prompts.flatMap((prompt) => [...log.since(prompt).values()]),
        ...log.saves.flatMap(({ files }) => [...files.values()]),
      ];
      for (const version of versions) {
        for (const stored of storedIn(version.content)) texts.push((await contents.read(stored)).toString('utf8'));
        if (version.entry) addEntry(await readEntry(version.entry, contents));
      }
    }
  } finally {
    removeFolder(copy);
  }
  return texts;
}
