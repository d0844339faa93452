/*
 * What unit tests of the host's smaller parts need of VS Code's API: `vi.mock('vscode', () => import('…/fakeVscode'))`.
 * It draws nothing and keeps what it is told.
 */
import { Emitter } from '../../src/base/event';

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon {
  constructor(readonly id: string) {}
}

export class TabInputText {
  constructor(readonly uri: { toString(): string }) {}
}

export class TabInputTextDiff {
  constructor(
    readonly original: { toString(): string },
    readonly modified: { toString(): string },
  ) {}
}

export const ViewColumn = { Active: -1, Beside: -2 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const TextEditorRevealType = { InCenterIfOutsideViewport: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const Uri = {
  joinPath: (folder: { readonly path: string }, name: string) => ({ path: `${folder.path}/${name}` }),
};

export interface FakeTab {
  readonly input: unknown;
  isPreview: boolean;
  isPinned: boolean;
  isDirty: boolean;
}

export interface FakeGroup {
  readonly viewColumn: number;
  tabs: FakeTab[];
  activeTab?: { readonly input: unknown };
}

const changedTabs = new Emitter<{ readonly changed: readonly FakeTab[] }>();
const changedText = new Emitter<{ readonly document: unknown }>();

/** Two groups of editors, of which the first is active; a preview tab gives way to the next. */
export const tabGroups = {
  all: [] as FakeGroup[],
  activeTabGroup: { viewColumn: 1, tabs: [] } as FakeGroup,
  onDidChangeTabs: changedTabs.event,
  close: async (tab: FakeTab) => {
    for (const group of tabGroups.all) group.tabs = group.tabs.filter((other) => other !== tab);
  },
};

export interface ShowOptions {
  readonly viewColumn: number;
  readonly preview: boolean;
  readonly preserveFocus: boolean;
  readonly selection: Range;
}

export interface FakeQuickPick {
  title: string;
  placeholder: string;
  items: readonly { readonly label: string; readonly description?: string; readonly detail?: string }[];
  buttons: readonly unknown[];
  readonly pressed: Emitter<unknown>;
}

/** What was shown, and what a user answers. */
export const told = {
  shown: [] as ShowOptions[],
  statusBar: undefined as undefined | Record<string, unknown>,
  picker: undefined as undefined | FakeQuickPick,
  /** The items of the last simple picker, and what is chosen of them. */
  items: [] as FakeQuickPick['items'],
  choose: undefined as undefined | ((items: FakeQuickPick['items']) => FakeQuickPick['items'][number] | undefined),
  messages: [] as string[],
  saveTo: undefined as undefined | { readonly path: string },
  asked: [] as unknown[],
  written: [] as { readonly path: string; readonly text: string }[],
};

export function resetVscode(): void {
  tabGroups.all = [1, 2].map((viewColumn) => ({ viewColumn, tabs: [] }));
  tabGroups.activeTabGroup = tabGroups.all[0]!;
  Object.assign(told, {
    shown: [],
    statusBar: undefined,
    picker: undefined,
    items: [],
    choose: undefined,
    messages: [],
    saveTo: undefined,
    asked: [],
    written: [],
  });
}

/** A tab was pinned, kept open or edited. */
export function changeTab(tab: FakeTab, fields: Partial<FakeTab>): void {
  Object.assign(tab, fields);
  changedTabs.fire({ changed: [tab] });
}

/** The text of a document has changed. */
export function changeText(document: unknown): void {
  changedText.fire({ document });
}

export const window = {
  tabGroups,
  showTextDocument: async (document: { readonly uri: { toString(): string } }, options: ShowOptions) => {
    told.shown.push(options);
    const group = tabGroups.all.find(({ viewColumn }) => viewColumn === options.viewColumn)!;
    if (
      !group.tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === document.uri.toString())
    ) {
      group.tabs = [
        ...group.tabs.filter(({ isPreview }) => !isPreview),
        { input: new TabInputText(document.uri), isPreview: true, isPinned: false, isDirty: false },
      ];
    }
    return { document, viewColumn: options.viewColumn, revealRange: () => undefined };
  },
  createStatusBarItem: () => (told.statusBar = { show: () => undefined, dispose: () => undefined }),
  createQuickPick: (): FakeQuickPick & Record<string, unknown> => {
    const pressed = new Emitter<unknown>();
    const picker = {
      title: '',
      placeholder: '',
      items: [],
      buttons: [],
      pressed,
      onDidTriggerButton: pressed.event,
      onDidTriggerItemButton: () => undefined,
      onDidAccept: () => undefined,
      onDidHide: () => undefined,
      show: () => undefined,
    };
    told.picker = picker;
    return picker;
  },
  showQuickPick: async (items: FakeQuickPick['items']) => {
    told.items = items;
    return told.choose?.(items);
  },
  showInformationMessage: async (message: string) => void told.messages.push(message),
  showSaveDialog: async (options: unknown) => {
    told.asked.push(options);
    return told.saveTo;
  },
};

export const workspace = {
  workspaceFolders: [{ uri: { path: '/work/app' } }],
  onDidChangeTextDocument: changedText.event,
  fs: {
    writeFile: async ({ path }: { readonly path: string }, content: Uint8Array) =>
      void told.written.push({ path, text: new TextDecoder().decode(content) }),
  },
};
