import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

/** The files that may start programs, and what for. Whatever else wants a program calls `runProgram`. */
const starters: Readonly<Record<string, string>> = {
  'src/node/runProgram.ts': 'helper programs: git, ripgrep, the login shell',
  'src/node/systemProgram.ts': 'ps and taskkill, from where the system has them',
  'src/node/watchdog.ts': 'the watchdog',
  'src/node/agentProcess.ts': 'the agents that the user chose',
  'src/node/pty.ts': 'commands of agents, where there are no pseudo-terminals',
  'src/node/programSpawner.ts': 'agents, and npm and uv, which install an agent that the user asked for',
};

/**
 * The files that may read the content of files, and of which. Whatever Parley reads of a repository by its own decision
 * goes through `readRepositoryFile`.
 */
const readers: Readonly<Record<string, string>> = {
  'src/node/openWithoutLinks.ts': 'opens without links, and never a pipe or a device',
  'src/node/fileLock.ts': 'locks of its own',
  'src/node/processTable.ts': '/proc',
  'src/node/markSweep.ts': '/proc',
  'src/node/agentStore.ts': 'agents in own storage',
  'src/node/archiveWriter.ts': 'new files in own storage',
  'src/node/bunzipMain.ts': 'downloads in own storage',
  'src/node/downloadFile.ts': 'new files in own storage',
  'src/node/indexCache.ts': 'own storage',
  'src/node/npmConfiguration.ts': 'the user’s own',
  'src/node/ownRuntime.ts': 'the extension’s own',
  'src/node/standalonePackage.ts': 'the lockfiles of the extension',
  'src/node/unpackArchive.ts': 'downloads in own storage',
  'src/node/unpackedArchive.ts': 'agents in own storage',
  'src/node/npmPackages.ts': 'agents in own storage, and the lockfiles of the extension',
  'src/node/npmProgram.ts': 'agents in own storage',
  'src/node/pty.ts': 'its own pipe',
  'src/host/agents/catalogue.ts': 'icons of the extension',
  'src/host/attachments/attachmentStore.ts': 'own storage',
  'src/host/storage/contentStore.ts': 'own storage, and copies into it of files under review',
  'src/host/storage/storeFiles.ts': 'own storage',
  'src/host/storage/replaceFile.ts': 'own storage',
  'src/node/fileLines.ts': 'transcripts',
  'src/host/storage/fileState.ts': 'own storage',
  'src/host/sessions/transcriptFile.ts': 'own storage',
  'src/host/sessions/transcriptSearch.ts': 'own storage',
  'src/host/changes/disk/savedElsewhere.ts': 'own storage',
  'src/host/panel/sessionFiles.ts': 'the file that the user chose to import',
};

/** Synchronous calls hold up all extensions of the window: only where nothing can wait, or before anything runs. */
const synchronous: Readonly<Record<string, string>> = {
  'src/node/findProgram.ts': 'looks for the program of a terminal command, which must start in the same step',
  'src/node/openWithoutLinks.ts': 'asks once whether there is /proc',
  'src/node/pty.ts': 'what is left in its pipe at the end',
  'src/node/processTable.ts': '/proc, some milliseconds, where a busy host would need seconds',
  'src/node/markSweep.ts': 'the watchdog, a process of its own',
  'src/node/renameFile.ts': 'the end of the window, own storage',
  'src/host/files/realPath.ts': "where a session's folder leads, before anything happens in it",
  'src/host/changes/stored/beforeImages.ts': 'the end of the window, own storage',
  'src/host/changes/reviewStore.ts': 'the end of the window, own storage',
  'src/host/attachments/attachmentStore.ts': 'own storage',
  'src/host/storage/contentStore.ts': 'the end of the window, own storage',
  'src/host/storage/adoptStorage.ts': 'before anything runs, own storage',
  'src/host/storage/windowStorage.ts': 'own storage, at the start',
  'src/host/storage/replaceFile.ts': 'the end of the window, own storage',
  'src/host/storage/storeFiles.ts': 'own storage',
  'src/host/storage/fileState.ts': 'the end of the window, own storage',
  'src/host/sessions/transcriptFile.ts': 'the end of the window, own storage',
};

const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('demo'))
  .map((name) => `src/${name.replaceAll(path.sep, '/')}`);
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The names that a file imports, and uses by another way of importing, from some modules; types are no names. */
function imported(file: string, modules: RegExp): string[] {
  const text = textOf(file);
  return [
    ...text.matchAll(/(?:^|\n)import\s+(?!type\s)([^;]*?)\s+from\s+'([^']+)'|(?:import|require)\(\s*'([^']+)'\s*\)/g),
  ].flatMap(([, names, from, lazy]) => {
    if (!modules.test((from ?? lazy)!)) return [];
    return names?.startsWith('{')
      ? names
          .slice(1, -1)
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
      : ['everything'];
  });
}

const starts = (file: string) =>
  imported(file, /^(?:node:)?(?:child_process|cluster)$|^(?:cross-spawn|node-pty)$/).length > 0;
const reading =
  /^(?:everything|default|promises|readFile|open|openAsBlob|createReadStream|readv?|readSync|readFileSync|openSync|copyFile|cp)\b/;
const reads = (file: string) =>
  imported(file, /^(?:node:)?fs(?:\/promises)?$/).some((name) => reading.test(name)) ||
  /workspace\.fs\.readFile/.test(textOf(file));
const waits = (file: string) => imported(file, /^(?:node:)?fs$/).some((name) => /Sync\b|^everything/.test(name));

it.each([
  ['programs are started in few places', starters, starts],
  ['files are read in few places', readers, reads],
  ['nothing is looked at on disk while everybody waits', synchronous, waits],
] as const)('%s', (_, allowed: Readonly<Record<string, string>>, does) => {
  expect(files.filter((file) => does(file) && !(file in allowed))).toEqual([]);
  // An exception that is used no more is none.
  expect(files.filter((file) => file in allowed && !does(file))).toEqual([]);
});
