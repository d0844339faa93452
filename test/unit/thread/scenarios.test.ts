import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Replica } from '../../../src/protocol/patch';
import type { PanelView } from '../../../src/protocol/viewModel';
import { threadToMarkdown } from '../../../src/thread/markdown';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread, type Entry } from '../../../src/thread/thread';
import { replay } from '../../../src/thread/replay';
import { compact } from '../../../src/thread/transcript';
import { entryPatches } from '../../../src/view/patches';
import { entryView } from '../../../src/view/project';
import { type Scenario, ScenarioPlayer } from './scenario';

const folder = path.join(import.meta.dirname, '../../fixtures/thread');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

/*
 * Each fixture is a rule: what happens to a session, the thread that results, and what the agent got.
 * UPDATE_SNAPSHOTS=1 rewrites the results. Two laws hold for every one of them: the patches that were sent along the
 * way add up to the projection of the end, and the stored actions replay to the same thread.
 */
const all = { shows: () => true, project: (entry: Entry) => entryView(entry, '/work') };

describe('thread', () => {
  it.each(files)('%s', async (name) => {
    const file = path.join(folder, name);
    const scenario = JSON.parse(readFileSync(file, 'utf8')) as Scenario;
    const player = new ScenarioPlayer(scenario.version, scenario.isNew);
    const replica = new Replica({ threadId: 't', panel: {} as PanelView, entries: [], terminals: [] });
    let sent = emptyThread;
    for (const step of scenario.steps) {
      await player.play(step);
      replica.apply(entryPatches(sent, player.session.thread, all, { from: 0, to: Infinity })!);
      sent = player.session.thread;
    }

    const thread = threadToMarkdown(player.session.thread).split('\n');
    if (process.env['UPDATE_SNAPSHOTS'])
      writeFileSync(file, `${JSON.stringify({ ...scenario, thread, wire: player.wire }, undefined, 2)}\n`);
    else expect({ thread, wire: player.wire }).toEqual({ thread: scenario.thread, wire: scenario.wire });

    expect(replica.order.map((id) => replica.entries.get(id))).toEqual(
      [...player.session.thread.entries].map((entry) => entryView(entry, '/work')),
    );

    // What still goes on when the window closes is closed when it is replayed.
    const rests = !player.session.isRunning && player.session.thread.compacting.length === 0;
    if (rests)
      expect(threadToMarkdown(replay(compact(player.actions)))).toBe(
        threadToMarkdown(reduce(player.session.thread, { type: 'toolCalls/ended', at: 0 })),
      );
  });
});
