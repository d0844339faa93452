import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { builtInIcons, catalogue } from '../../../../src/host/agents/catalogue';
import { galleryItem, pickAgent } from '../../../../src/host/agents/pickAgent';
import type { GalleryAgentView } from '../../../../src/protocol/galleryView';
import { isDrawableIcon } from '../../../../src/registry/drawableIcon';

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly kind?: number;
  readonly iconPath?: { readonly dark: { readonly text: string } };
}
const shown = vi.hoisted(() => ({
  items: [] as Item[],
  active: [] as string[],
  accept: undefined as string | undefined,
}));
vi.mock('vscode', () => ({
  QuickPickItemKind: { Separator: -1, Default: 0 },
  ThemeIcon: vi.fn(),
  Uri: { parse: (text: string) => ({ text }) },
  window: {
    createQuickPick: () => {
      let accept = () => {};
      let hide = () => {};
      const picker = {
        items: [] as Item[],
        activeItems: [] as Item[],
        selectedItems: [] as Item[],
        onDidAccept: (listener: () => void) => (accept = listener),
        onDidHide: (listener: () => void) => (hide = listener),
        dispose: () => {},
        hide: () => hide(),
        show: () => {
          Object.assign(shown, { items: picker.items, active: picker.activeItems.map(({ label }) => label) });
          picker.selectedItems = picker.items.filter(({ label }) => label === shown.accept);
          (shown.accept === undefined ? hide : accept)();
        },
      };
      return picker;
    },
  },
}));
beforeEach(() => Object.assign(shown, { items: [], active: [], accept: undefined }));

const media = path.join(import.meta.dirname, '../../../../media/agents');
const agent = (name: string, fields: Partial<GalleryAgentView> = {}): GalleryAgentView => ({
  key: name,
  name,
  about: `About ${name}`,
  kind: 'builtIn',
  state: 'notInstalled',
  isCurrent: false,
  isPinned: false,
  isMissing: false,
  hasMenu: false,
  ...fields,
});
const choices = [
  { agent: agent('Claude Code'), icon: readFileSync(path.join(media, 'claude.svg'), 'base64') },
  { agent: agent('Codex', { state: 'signIn' }) },
  { agent: agent('Acorn', { kind: 'listed', state: 'ready' }) },
  { agent: agent('Parley Demo', { kind: 'demo', state: 'ready', isCurrent: true }) },
];

test('the list of agents has the words, states and icons of the gallery, and begins at the one in use', async () => {
  shown.accept = 'Codex';
  expect(await pickAgent(choices, 'Parley Demo')).toBe('Codex');
  expect(shown.active).toEqual(['Parley Demo']);
  expect(
    shown.items.map(({ kind, label, description }) =>
      kind === -1 ? `— ${label}` : [label, description].filter(Boolean).join(' · '),
    ),
  ).toEqual([
    '— Built in',
    'Claude Code · Not installed',
    'Codex · Needs sign-in',
    'Parley Demo · In use',
    '— From the registry',
    'Acorn',
    '— ',
    'More agents…',
    'Edit agents in settings…',
  ]);
  const pictures = shown.items.flatMap(({ iconPath }) =>
    iconPath?.dark ? [Buffer.from(iconPath.dark.text.split(',')[1]!, 'base64').toString()] : [],
  );
  expect(pictures.map((svg) => [svg.includes('<path'), svg.includes('currentColor'), />C<\/text>/.test(svg)])).toEqual([
    [true, false, false],
    [false, false, true],
    [false, false, false],
    [false, false, false],
  ]);
});

test('the list leads to the gallery, and may be left', async () => {
  expect(await pickAgent(choices, 'Codex')).toBeUndefined();
  shown.accept = 'More agents…';
  expect(await pickAgent(choices, 'Codex')).toBe(galleryItem);
});

test('each built-in agent has an icon in the colour of the theme', async () => {
  const icons = await builtInIcons(media);
  expect(Object.keys(icons)).toEqual(catalogue.map(({ name }) => name));
  for (const icon of Object.values(icons)) {
    const svg = Buffer.from(icon, 'base64').toString();
    expect([isDrawableIcon(svg), svg.includes('currentColor')]).toEqual([true, true]);
  }
});
