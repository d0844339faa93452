/** States of which pictures are stored: the looks of the whole panel, each in every width and every theme. */
import { gallery, agents, galleryScenes, icons } from './galleryScenes.mjs';
import { asking } from './permissionScenes.mjs';
import { scenes } from './scenes.mjs';
import { agentMessage, diff, manyOptions, now, threadView, toolCall, turn, userMessage } from './views.mjs';
import { codeBlock } from './workScenes.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */
/** @typedef {import('playwright-core').Page} Page */
/**
 * @typedef {import("./scenes.mjs").Scene & { act?: (page: Page) => Promise<unknown>, leave?: (page: Page) =>
 * Promise<unknown>, isTall?: boolean }} PictureState what is done once it is shown, and what ends that; whether its
 * tree is read where all of it is in view: what else is drawn depends on what was in view before
 */

const request = userMessage('u', 'Make `tokenize` iterative and keep the public API.');
const answer = 'I replaced the recursion by a **stack**. The public API is the same, and all 12 tests pass.';

/** @type {import('../../src/protocol/changeView').UnclaimedView} */
const unclaimed = {
  files: 2,
  changes: [
    { path: '/w/notes/ideas.md', label: 'notes/ideas.md', kind: 'created' },
    { path: '/w/src/parser.ts', label: 'src/parser.ts', kind: 'modified' },
  ],
};

const corpus = `## What I found

The cost is $O(n^2)$ in the worst case[^1], because each quote copies the rest:

$$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$$

> [!WARNING]
> A generated file is stale. Build once more.

- [x] read \`tokenizer.ts\`
- [ ] measure *deep* input

| Case | Before | After |
|:--|--:|--:|
| nested quotes | 12 ms | 2 ms |
| empty | 1 ms | 0 ms |

${codeBlock}

1. Keep the API
   - and its types
2. See [the docs](https://example.com/docs)

[^1]: Only with nested quotes.`;

const patch = `--- a/src/tokenizer.ts
+++ b/src/tokenizer.ts
@@ -3,4 +3,4 @@ export function tokenize(text: string): Token[] {
   const tokens: Token[] = [];
-  readRecursively(text, 0, tokens);
+  readWithStack(text, tokens, []);
   return tokens;
 }`;

const restoring = [
  {
    .../** @type {import('../../src/protocol/entryView').UserMessageView} */ (
      userMessage('u1', 'Make `tokenize` iterative.')
    ),
    sentAt: 100,
  },
  agentMessage('a1', 'It is iterative now.'),
  toolCall('e1', { title: 'Edit src/tokenizer.ts', toolKind: 'edit', content: [diff()] }),
  {
    .../** @type {import('../../src/protocol/entryView').UserMessageView} */ (userMessage('u2', 'And the tests?')),
    sentAt: 200,
  },
  agentMessage('a2', 'They pass.'),
];

/** @param {string} name @param {import('playwright-core').Locator} [done] */
const press = (name, done) => async (/** @type {Page} */ page) => {
  const button = page.getByRole('button', { name: new RegExp(`^${name}`) });
  // Where there is no room for it, it is among all options.
  await ((await button.count()) > 0 ? button : page.getByRole('button', { name: /^Session options/ })).click();
  await (done ?? page.locator('.option-menu')).waitFor();
  await page.mouse.move(0, 0);
};
/** The box keeps what was typed, whichever session is shown. */
const clear = (/** @type {Page} */ page) => page.getByRole('textbox', { name: 'Message' }).fill('');
const escape = async (/** @type {Page} */ page) => {
  await page.keyboard.press('Escape');
};

/** @type {Record<string, PictureState>} */
export const pictureStates = {
  empty: scenes.empty,
  'empty-no-agent': scenes.noAgents,
  'empty-agents': {
    view: threadView([], {
      agent: 'Parley Demo',
      suggestions: ['Explain this project', 'Find a bug', 'Write a test'],
      starters: agents.slice(0, 4).map(({ key, name, about }) => ({ key, name, about })),
      galleryIcons: icons,
    }),
  },
  'choose-agent': scenes.choose,
  'no-folder': scenes.noFolder,
  restricted: scenes.restricted,
  starting: scenes.starting,
  'start-slow': scenes.slowStart,
  'start-failure': scenes.failed,
  ended: scenes.failedBelow,
  'sign-in': scenes.signIn,
  'sign-in-command': scenes.signInCommand,
  streaming: {
    view: threadView(
      [
        request,
        toolCall('c', { title: 'Read src/tokenizer.ts' }),
        agentMessage('a', 'The recursion only exists to handle *nested quotes*, so a small stack is', true),
      ],
      { turn, title: 'Make the tokenizer iterative' },
    ),
  },
  finished: {
    view: threadView(
      [
        request,
        toolCall('c', { title: 'Edit src/tokenizer.ts', toolKind: 'edit', content: [diff()] }),
        { kind: 'agentMessage', id: 'a', content: [{ type: 'text', text: answer }], streaming: false, endsTurn: true },
      ],
      { title: 'Make the tokenizer iterative', changes: scenes.working.view.panel.changes },
    ),
    act: (page) => page.locator('.agent-message').hover(),
    leave: (page) => page.mouse.move(0, 0),
  },
  working: scenes.working,
  opened: { ...scenes.opened, leave: clear, isTall: true },
  imported: scenes.imported,
  tools: scenes.tools,
  'waits-for-input': scenes.waitsForInput,
  notices: scenes.notices,
  updates: scenes.updates,
  'ask-command': scenes.askedCommand,
  'ask-edit': scenes.askedDiff,
  'ask-dangerous': scenes.askedChain,
  'ask-several': {
    view: threadView(
      [
        asking('one', 'Run the tests', { command: 'npm test' }),
        asking(
          'two',
          'Fetch a page',
          { toolKind: 'fetch' },
          { url: 'https://example.com/docs', risks: [{ kind: 'network', text: 'Sends a request to example.com' }] },
        ),
      ],
      {
        turn,
        pendingQuestions: [
          { requestId: 'r-one', entryId: 'one', kind: 'permission', title: 'Run the tests', askedAt: 0 },
          { requestId: 'r-two', entryId: 'two', kind: 'permission', title: 'Fetch a page', askedAt: 1 },
        ],
      },
    ),
  },
  'ask-note': scenes.askedNote,
  'ask-conversation': scenes.conversationQuestion,
  'ask-out-of-view': scenes.askedThree,
  answered: scenes.ruled,
  plan: scenes.plan,
  'plan-comments': scenes.planComments,
  form: scenes.forms,
  pages: scenes.pages,
  'forms-answered': scenes.answered,
  subagents: scenes.subagents,
  'subagents-open': scenes.subagentsOpened,
  'prompt-head': {
    view: threadView([
      userMessage('u', 'Explain how the tokenizer handles nested quotes, and where it recurses.'),
      agentMessage(
        'a',
        Array.from(
          { length: 60 },
          (_, i) => `Paragraph ${i + 1} of the answer, which is longer than the panel is high.`,
        ).join('\n\n'),
      ),
    ]),
    ui: { scroll: { entryId: 'a', offset: -200 } },
    act: (page) =>
      page.waitForFunction(
        () =>
          document.querySelector('.prompt-head-line') !== null &&
          document.querySelector('.jump:not([hidden])') !== null,
      ),
  },
  attachments: { ...scenes.attachments, leave: clear },
  queue: scenes.queue,
  'queue-paused': scenes.queuePaused,
  'dock-full': scenes.dockFull,
  'dock-paused': scenes.dockPaused,
  'dock-two': scenes.dockTwo,
  'dock-usage': scenes.dockUsage,
  'dock-background': scenes.dockBackground,
  'dock-background-one': scenes.dockBackgroundOne,
  find: {
    view: threadView([
      request,
      agentMessage('a', answer),
      userMessage('v', 'Is the stack fast?'),
      agentMessage('b', 'Yes: the **stack** copies nothing. A stack of 10,000 tokens takes 2 ms.'),
    ]),
    act: async (page) => {
      await page.keyboard.press('Control+f');
      await page.getByRole('search').getByRole('textbox').fill('stack');
      await page.locator('.find-count', { hasText: ' of ' }).waitFor();
    },
    leave: escape,
  },
  'current-followed': {
    view: threadView([request, agentMessage('a', answer)], {
      title: 'Make the tokenizer iterative',
      currentFile: { label: 'tokenizer.ts:3-9', detail: 'src/tokenizer.ts:3-9', isSelection: true, isFollowed: true },
    }),
  },
  'edit-prompt': {
    view: threadView([request, agentMessage('a', answer)], {
      title: 'Make the tokenizer iterative',
      currentFile: { label: 'tokenizer.ts:3-9', detail: 'src/tokenizer.ts:3-9', isSelection: true },
    }),
    ui: { editing: { entryId: 'u', draft: '', mentions: [] } },
    act: (page) => page.getByRole('textbox', { name: 'Message' }).fill('Make `tokenize` iterative and add a test.'),
    leave: async (page) => {
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.mouse.move(0, 0);
      await clear(page);
    },
  },
  'unclaimed-open': {
    view: threadView([request, agentMessage('a', answer)], { title: 'Make the tokenizer iterative', unclaimed }),
    ui: { expanded: { 'dock:unclaimed': true } },
  },
  'unclaimed-beside-changes': {
    view: threadView([request, agentMessage('a', answer)], {
      title: 'Make the tokenizer iterative',
      unclaimed,
      changes: scenes.working.view.panel.changes,
    }),
  },
  'changes-open': {
    view: threadView([request, agentMessage('a', answer)], {
      title: 'Make the tokenizer iterative',
      changes: scenes.working.view.panel.changes,
    }),
    ui: { expanded: { 'dock:changes': true } },
  },
  comments: {
    view: threadView([request, agentMessage('a', answer)], {
      notes: {
        title: '1 comment and 1 undone change',
        items: [
          {
            id: 'c',
            kind: 'comment',
            place: 'src/tokenizer.ts:41-43',
            text: 'Why not a table? It is three times as fast as a chain of conditions.',
          },
          { id: 'u', kind: 'undone', place: 'src/a/rather/deep/folder/parser.ts:7', text: '' },
        ],
        offer: 'Undone and edited changes will be sent with your next message',
      },
    }),
    ui: { expanded: { 'dock:notes': true } },
  },
  options: scenes.options,
  'menu-model': { ...scenes.options, act: press('Model:'), leave: escape },
  'menu-options': {
    view: threadView([request, agentMessage('a', answer)], { agent: 'Claude Code', options: manyOptions() }),
    act: press('Session options'),
    leave: escape,
  },
  sessions: scenes.sessions,
  'sessions-search': {
    view: threadView([], {
      sessions: {
        archived: 0,
        loading: false,
        hasMore: false,
        items: [
          {
            key: 'a',
            title: 'Make the tokenizer iterative',
            agent: 'Claude Code',
            folder: 'tokenizer',
            updatedAt: now - 60_000,
            state: 'open',
            isCurrent: true,
            acts: ['rename', 'pin', 'delete'],
          },
        ],
        search: {
          text: 'tokenizer',
          hits: [
            {
              id: '0',
              title: 'Deploy',
              agent: 'Codex',
              updatedAt: now - 90_000_000,
              line: 'The build fails: src/tokenizer.ts has an unused import',
            },
          ],
          isRunning: false,
          isCut: true,
        },
      },
    }),
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Search sessions' }).fill('tokenizer');
      await page.locator('.session-row mark').first().waitFor();
    },
    leave: (page) => page.getByRole('textbox', { name: 'Search sessions' }).fill(''),
  },
  gallery: {
    view: threadView([], { gallery: gallery(), galleryIcons: icons }),
    act: (page) => page.locator('.gallery').evaluate((list) => list.scrollTo(0, 0)),
  },
  restored: {
    view: threadView(restoring, {
      title: 'Make the tokenizer iterative',
      checkpoints: {
        from: 0,
        to: 200,
        restored: 100,
        restores: [{ from: 100, to: 200, paths: ['/work/src/tokenizer.ts'] }],
      },
    }),
  },
  setup: scenes.setup,
  worktree: scenes.worktree,
  place: scenes.place,
  markdown: { view: threadView([userMessage('u', 'Show me.'), agentMessage('a', corpus)]) },
  // The gallery that comes next would give its search the focus.
  'agent-form': galleryScenes.galleryForm,
  'agent-form-trouble': galleryScenes.galleryFormTrouble,
  diagram: {
    view: threadView([
      userMessage('u', 'Draw it.'),
      agentMessage(
        'a',
        '```mermaid\nflowchart TD\n  A[Read] --> B{Is it a quote?}\n  B -->|yes| C[Push]\n  B -->|no| A\n```',
      ),
    ]),
    act: (page) =>
      page.waitForFunction(
        () =>
          document.querySelector('.diagram > img') instanceof HTMLImageElement &&
          /** @type {HTMLImageElement} */ (document.querySelector('.diagram > img')).complete,
      ),
  },
  patch: {
    view: threadView([
      userMessage('u', 'How would you change it?'),
      agentMessage('a', `Like this:\n\n\`\`\`diff\n${patch}\n\`\`\``),
    ]),
    act: (page) => page.locator('.diff-word').first().waitFor(),
  },
  // Last, because the focus that it leaves would be in the next picture.
  'ask-too-early': {
    ...scenes.askedLong,
    act: async (page) => {
      await page.locator('.permission').focus();
      await page.keyboard.press('Enter');
      await page.locator('.read-first').waitFor();
    },
    leave: (page) => page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur()),
  },
};
