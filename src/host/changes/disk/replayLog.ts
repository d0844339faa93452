import { access } from 'node:fs/promises';
import { asObject } from '../../../base/decode';
import { inGroups } from '../../../base/inGroups';
import { absent, type Content, isSameContent, isSameMode } from '../../../changes/content';
import { contentOf, lookNow, readStored } from '../../files/readContent';
import type { ContentStore } from '../../storage/contentStore';
import type { LogRecord } from '../../storage/recordLog';
import type { ImageHead, UnsavedWrite } from '../stored/beforeImages';
import type { DiskWatch } from './diskWatch';
import { type ContentInHand, contentOfText, textIn } from '../../storage/contentInHand';
import type { AgentChanges, DoubtfulChanges } from './diskAttribution';

export interface ReplayOptions {
  readonly watch: Pick<DiskWatch, 'addRoot' | 'happened' | 'rootOf' | 'roots' | 'turns'>;
  readonly env: NodeJS.ProcessEnv;
  readonly review: Pick<AgentChanges, 'record' | 'recordEdit'>;
  readonly unclaimed: Pick<DoubtfulChanges, 'add'>;
  readonly contents: ContentStore;
}

/** The state of one file according to the log. */
interface FileStory {
  /** Its last content; undefined if it is unknown. */
  content: ContentInHand | undefined;
  /**
   * An unfinished write through Parley: the session whose agent wants it, the content before it, and the content that
   * it replaces.
   */
  write:
    | {
        readonly by: string | undefined;
        readonly before: ContentInHand | undefined;
        readonly content: ContentInHand | undefined;
      }
    | undefined;
}

/**
 * Updates the review to the end of the log, and the turns and folders of a watch to their state at that time. The
 * caller then compares files with that state.
 * @param savedUpTo the number of the last record that the saved review includes.
 * @returns writes of agents through Parley that may or may not have happened.
 * @throws Error if a folder does not exist
 */
export async function replayLog(
  records: readonly LogRecord[],
  savedUpTo: number,
  options: ReplayOptions,
): Promise<UnsavedWrite[]> {
  const { watch, env } = options;
  const heads = records.map(({ head }) => asObject(head) as unknown as ImageHead);
  const roots = heads.filter((head) => head.type === 'root');
  for (const head of heads) {
    if (head.type === 'turn')
      watch.turns.begin(head.sessionId, head.cwd, head.roots, head.at, { turn: head.turn, prompt: head.prompt });
    else if (head.type === 'ended') watch.turns.end(head.sessionId, head.at);
    else hear(head, watch.turns);
  }
  // The window may have crashed before a folder was read.
  const begun = heads.flatMap((head) =>
    head.type === 'turn' ? head.roots.map((path) => ({ type: 'root', path, since: head.at, unread: [] }) as const) : [],
  );
  for (const root of [...roots, ...begun]) {
    if (watch.roots.has(root.path)) continue;
    // A missing disk must not look like deleted files.
    await access(root.path);
    await watch.addRoot(root.path, root.since).resume(
      root,
      env,
      roots.map(({ path }) => path),
    );
  }
  return new Replay(options, savedUpTo).run(records, heads);
}

/** Replays a message of the agent. */
function hear(head: ImageHead, turns: DiskWatch['turns']): void {
  if (head.type === 'sent') return turns.sent(head.sessionId, head.at);
  if (head.type !== 'call' && head.type !== 'answer' && head.type !== 'command') return;
  const evidence = turns.running(head.sessionId)?.evidence;
  if (head.type === 'answer') evidence?.answered(head.requestId, head.isAllowed, head.at);
  else if (head.type === 'command') evidence?.command(head.terminalId, head.isRunning, head.at);
  else if (head.requestId !== undefined) evidence?.asks(head.requestId, head.fields, head);
  else evidence?.take(head.fields, head);
}

class Replay {
  readonly #files = new Map<string, FileStory>();

  constructor(
    private readonly options: ReplayOptions,
    private readonly savedUpTo: number,
  ) {}

  async run(records: readonly LogRecord[], heads: readonly ImageHead[]): Promise<UnsavedWrite[]> {
    for (const [i, { number, bytes }] of records.entries()) await this.#apply(heads[i]!, number, bytes);
    const { watch } = this.options;
    const unsaved: UnsavedWrite[] = [];
    const mayBeSaved = this.savedUpTo > (records.at(-1)?.number ?? 0);
    await inGroups([...this.#files], async ([path, { content, write }]) => {
      const root = watch.rootOf(path);
      if (write?.by !== undefined) unsaved.push({ sessionId: write.by, path, before: content ?? absent, mayBeSaved });
      if (write) {
        // Parley's own write is not reported as a direct change of the agent.
        const { value } = await lookNow(path);
        if (value.kind === 'file') root?.hold(path, value.content);
      } else if (root && content) {
        root.hold(path, content);
        if (await root.mayHaveChanged(path)) watch.happened(path);
      }
    });
    return unsaved;
  }

  async #apply(head: ImageHead, number: number, bytes: Buffer): Promise<void> {
    if (head.type !== 'holds' && head.type !== 'writing' && head.type !== 'written') return;
    const { path } = head;
    const story = this.#files.get(path) ?? { content: undefined, write: undefined };
    this.#files.set(path, story);
    if (head.type === 'written') {
      const { write } = story;
      const isUntold = write?.by !== undefined && story.content === write.content;
      if (head.isAbandoned) story.content = write?.before;
      // The review may not have heard of this write, so only the file itself shows its result.
      else if (isUntold && number > this.savedUpTo) return;
      else if (isUntold) story.content = undefined;
      story.write = undefined;
      return;
    }
    const before = story.content;
    // While a write of an agent is unfinished, a new content of the file is the agent's.
    if (head.content)
      await this.#holds(
        story,
        path,
        await this.#contentOf(path, head.content, bytes),
        number,
        story.write?.by ?? (head.type === 'holds' ? head.by : undefined),
        head.type === 'holds' ? head.doubt : undefined,
      );
    if (head.type === 'writing') story.write = { by: head.by, before, content: story.content };
  }

  async #holds(
    story: FileStory,
    path: string,
    content: ContentInHand,
    number: number,
    by: string | undefined,
    doubt: string | undefined,
  ): Promise<void> {
    const { review, unclaimed, watch } = this.options;
    const root = watch.rootOf(path);
    if (!story.content && (by ?? doubt) !== undefined) {
      await root?.find([path]);
      story.content = root?.get(path);
    }
    const { content: before } = story;
    story.content = content;
    if (number <= this.savedUpTo) return;
    if (before && isSameContent(before, content)) {
      if (by !== undefined && !isSameMode(before, content)) review.record(by, path, before, content);
      return;
    }
    if (by !== undefined) return review.record(by, path, before, content);
    if (doubt !== undefined) unclaimed.add(doubt, path, before, content, watch.turns.running(doubt)?.mark ?? {});
    if (before && content.kind !== 'binary') review.recordEdit(path, textIn(content));
  }

  /** @param bytes the content, in a record of an earlier build */
  async #contentOf(path: string, head: Content & { readonly copied?: number }, bytes: Buffer): Promise<ContentInHand> {
    if (head.kind === 'absent') return absent;
    const { mode, copied, digest } = head;
    if (bytes.length > 0 && head.isDecoded) return { ...contentOfText(bytes.toString('utf8')), mode };
    if (bytes.length > 0) return contentOf(path, Buffer.from(bytes), mode, bytes.length);
    const stored = head.stored ?? (copied === undefined ? undefined : { name: digest, size: copied });
    return readStored(path, { ...head, stored }, this.options.contents).catch(() => ({ kind: 'binary', digest, mode }));
  }
}
