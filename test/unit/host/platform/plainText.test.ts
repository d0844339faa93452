import { describe, expect, it } from 'vitest';
import { plainText } from '../../../../src/host/platform/plainText';

describe('plainText', () => {
  it('a command link in a notification is no link', () => {
    expect(plainText('[Details](command:workbench.action.terminal.sendSequence)')).not.toContain('](');
    expect(plainText('a\n\nb  c')).toBe('a b c');
    expect(plainText('x'.repeat(500))).toHaveLength(201);
  });

  it('the name of an icon in a label is no icon', () =>
    expect(plainText('echo $(pass) $(rm x)')).toBe('echo $\u200b(pass) $\u200b(rm x)'));
});
