import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { longParts, longStories, storyFile } from '../../vscode/onlyLong.mjs';

const root = path.join(import.meta.dirname, '../../..');
const stories = readdirSync(path.join(root, 'test/vscode/e2e'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/vscode/e2e/${name}`);

describe('the stories that only long runs tell', () => {
  it('are there, once each', () => {
    const left = [...longStories, ...longParts].map(storyFile);
    expect(left.filter((file) => !stories.includes(file))).toEqual([]);
    expect(new Set(left).size).toBe(left.length);
  });
});
