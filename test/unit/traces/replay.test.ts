import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTraces, recordedAgents, tracesFolder } from '../../fakes/traces.mjs';
import { goldenText } from './goldenText';
import { TracePlayer } from './tracePlayer';

// They are loaded with the first request, and the player waits for no file.
await Promise.all([import('../../../src/acp/decodeElicitation'), import('../../../src/host/platform/webPage')]);

/*
 * Everything that real agents were recorded saying, through our whole core. The golden text beside the traces says what
 * the user sees of it; UPDATE_SNAPSHOTS=1 rewrites it, and the difference is to be looked at.
 */
describe.each(recordedAgents)('what %s once said', (agent) => {
  const goldenFile = join(tracesFolder, `${agent}.golden.md`);
  const golden = goldenPassages(existsSync(goldenFile) ? readFileSync(goldenFile, 'utf8') : '');
  const traces = readTraces(agent);
  const texts: string[] = [];

  it.each(traces.map((trace) => [trace.name, trace] as const))('%s', async (name, trace) => {
    const player = new TracePlayer();
    try {
      await player.play(trace);
      expect(player.lost, 'updates without effect and without a line in the log').toEqual([]);
      for (const played of player.played) {
        expect(played.webview.resyncs).toBe(0);
        const { replica, projected } = played.views();
        expect(replica).toEqual(projected);
      }
      const text = goldenText(name, player);
      texts.push(text);
      await player.end();
      expect(player.unanswered(), 'requests that were not answered once').toEqual([]);
      if (!process.env['UPDATE_SNAPSHOTS'])
        expect(text, `not the text in ${agent}.golden.md; UPDATE_SNAPSHOTS=1 writes it anew`).toBe(golden.get(name));
    } finally {
      player.dispose();
    }
  });

  it('is all in the golden text', () => {
    if (process.env['UPDATE_SNAPSHOTS'] && texts.length === traces.length)
      writeFileSync(goldenFile, `${texts.join('\n\n')}\n`);
    else expect([...golden.keys()]).toEqual(traces.map(({ name }) => name));
  });
});

/**
 * The text of each trace. Every one begins with its name as the one heading of the first level at the start of a line.
 */
function goldenPassages(text: string): Map<string, string> {
  const passages = text.trimEnd().split(/^(?=# [a-z0-9.]+$)/m);
  return new Map(passages.filter(Boolean).map((passage) => [/^# (.+)$/m.exec(passage)![1]!, passage.trimEnd()]));
}
