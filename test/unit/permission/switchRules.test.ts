import { describe, expect, it } from 'vitest';
import { decidedBy, switchRules, withoutRules } from '../../../src/permission/rules';

const allow = { name: 'npm', command: 'npm *', answer: 'allowOnce' };
const reject = { name: 'npm', command: 'npm publish *', answer: 'rejectOnce' };
const other = { name: 'git', command: 'git *', answer: 'allowOnce' };
const raw = [allow, 'no rule', reject, other];
const off = (rule: object) => ({ ...rule, enabled: false });

describe('switching rules', () => {
  it('one of the same name stays as it is', () => {
    expect(switchRules(raw, ({ index }) => index === 0, false)).toEqual([off(allow), 'no rule', reject, other]);
    expect(switchRules([off(allow), off(reject)], ({ index }) => index === 1, true)).toEqual([off(allow), reject]);
  });

  it('below a call those go off that gave its answer', () => {
    expect(switchRules(raw, decidedBy(['npm'], true), false)).toEqual([off(allow), 'no rule', reject, other]);
    expect(switchRules(raw, decidedBy(['npm'], false), false)).toEqual([allow, 'no rule', off(reject), other]);
  });

  it('one is deleted that still stands where it was, and no other that has come there since', () => {
    const shown = ({ index, name }: { readonly index: number; readonly name: string }) => index === 2 && name === 'npm';
    expect(withoutRules(raw, shown)).toEqual([allow, 'no rule', other]);
    expect(withoutRules([allow, 'no rule', other, reject], shown)).toEqual([allow, 'no rule', other, reject]);
  });

  it('of a setting that is no list comes an empty one', () =>
    expect(switchRules({ command: 'npm *' }, () => true, false)).toEqual([]));
});
