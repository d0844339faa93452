import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { exceptTexts, names, notForUsers } from './notTranslated';
import { type SourceStrings, sourceStrings } from './sourceStrings';

const root = path.join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const files = ['src', 'webview']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll(path.sep, '/')}`,
    ),
  )
  // The demo is an agent, and what agents say is not translated.
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.startsWith('src/demo/'));
const folders = [...new Set(files.map((file) => path.posix.dirname(file)))];
const filesOf = (folder: string) => files.filter((file) => path.posix.dirname(file) === folder);

const known = new Map<string, SourceStrings>();
/** A file is parsed once for all tests. */
function stringsOf(file: string): SourceStrings {
  const strings = known.get(file) ?? sourceStrings(file, read(file));
  known.set(file, strings);
  return strings;
}

describe('the code', () => {
  it.each(folders)('%s has no text for users outside l10n.t', (folder) => {
    const found = filesOf(folder)
      .filter((file) => !(file in notForUsers))
      .flatMap((file) =>
        stringsOf(file)
          .outside.filter(({ text }) => !names.has(text.trim()) && !exceptTexts[file]?.includes(text))
          .map(({ line, text }) => `${file}:${line} ${text}`),
      );
    expect(found).toEqual([]);
  });

  it('asks for no translation while a module is loaded: it is not there yet', () => {
    expect(files.flatMap((file) => stringsOf(file).early.map(({ line, text }) => `${file}:${line} ${text}`))).toEqual(
      [],
    );
  });

  it('gives l10n.t only literals, which the export finds', () => {
    expect(
      files.flatMap((file) => stringsOf(file).computed.map(({ line, text }) => `${file}:${line} ${text}`)),
    ).toEqual([]);
  });

  it('names under "not for users" only files that have such texts', () => {
    expect(
      Object.keys(notForUsers).filter(
        (file) => !existsSync(path.join(root, file)) || stringsOf(file).outside.length === 0,
      ),
    ).toEqual([]);
  });
});

it('excepts only texts that are there', () => {
  expect(
    Object.entries(exceptTexts).flatMap(([file, texts]) =>
      texts
        .filter((text) => !stringsOf(file).outside.some((found) => found.text === text))
        .map((text) => `${file} ${text}`),
    ),
  ).toEqual([]);
});

type Messages = Readonly<Record<string, string | { readonly message: string; readonly comment: readonly string[] }>>;
const json = (file: string) => JSON.parse(read(file)) as Messages;
const english = (message: Messages[string]) => (typeof message === 'string' ? message : message.message);
const placeholders = (text: string) =>
  [...new Set(text.match(/\{\d+\}|\$\([\w~-]+\)|\$\{[^}]*\}|\]\(command:[^)]*\)|`[^`]*`/g))].toSorted();

describe('the tables', () => {
  it('has every message of the code, and no other: run "npm run l10n" after a text was changed', () => {
    expect(Object.keys(json('l10n/bundle.l10n.json')).toSorted()).toEqual(
      [...new Set(files.flatMap((file) => stringsOf(file).keys))].toSorted(),
    );
  });

  it('has every text of the manifest, and no other', () => {
    const used = new Set([...read('package.json').matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key!));
    expect(Object.keys(json('package.nls.json')).toSorted()).toEqual([...used].toSorted());
  });

  const languages = existsSync(path.join(root, 'l10n'))
    ? readdirSync(path.join(root, 'l10n')).flatMap((name) => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? [])
    : [];

  it.each(
    languages.flatMap((language) => [
      { translated: `l10n/bundle.l10n.${language}.json`, original: 'l10n/bundle.l10n.json' },
      { translated: `package.nls.${language}.json`, original: 'package.nls.json' },
    ]),
  )('$translated has each message once, with the same placeholders', ({ translated, original }) => {
    const from = json(original);
    const to = json(translated);
    expect(Object.keys(from).filter((key) => !(key in to))).toEqual([]);
    expect(Object.keys(to).filter((key) => !(key in from))).toEqual([]);
    const wrong = Object.keys(from).filter(
      (key) => placeholders(english(from[key]!)).join() !== placeholders(english(to[key]!)).join(),
    );
    expect(wrong).toEqual([]);
  });
});
