import { describe, expect, it } from 'vitest';
import type { UsageView } from '../../../src/protocol/usageView';
import { usageLines } from '../../../webview/composer/contextGauge';
import { formatCost, formatTokens } from '../../../src/protocol/format';

describe('112 usage in words', () => {
  it.each<[UsageView, string[]]>([
    [{ context: { used: 0, size: 200_000 } }, ['0% of the context used', '0 of 200,000 tokens']],
    [{ context: { used: 3, size: 1_000_000 } }, ['1% of the context used', '3 of 1,000,000 tokens']],
    [{ context: { used: 199_999, size: 200_000 } }, ['99% of the context used', '199,999 of 200,000 tokens']],
    [{ context: { used: 300_000, size: 200_000 } }, ['100% of the context used', '300,000 of 200,000 tokens']],
    [{ context: { used: 0, size: 0 } }, ['0 tokens in the context']],
    [
      {
        windows: [
          { label: '5-hour limit', share: 0.83 },
          { label: 'Weekly limit' },
          { label: 'Old limit', share: 1, resetsAt: 1 },
          { label: 'Weekly limit (Opus)', isReached: true },
        ],
        account: 'Plus',
      },
      ['5-hour limit: 83% used', 'Weekly limit', 'Weekly limit (Opus): reached', 'Account: Plus'],
    ],
    [
      { turn: { total: 9, input: 5, output: 4, thought: 2, cached: 1 } },
      ['Last turn: 9 tokens (5 input, 4 output, 2 thinking, 1 cached)'],
    ],
  ])('%j', (usage, lines) => expect(usageLines(usage)).toEqual(lines));

  it.each<[number, string, string]>([
    [0, 'USD', '$0.00'],
    [0.02494, 'USD', '$0.0249'],
    [12.5, 'EUR', '€12.50'],
    [3, 'credits', '3 credits'],
    [0.5, 'ZZZ', 'ZZZ 0.50'],
    [1.25, '', '1.25'],
    [2, '€', '2 €'],
  ])('%d %s costs %s', (amount, currency, expected) =>
    expect(formatCost(amount, currency).replace('\u00A0', ' ')).toBe(expected),
  );

  it.each<[number, string]>([
    [0, '0'],
    [999, '999'],
    [1234, '1.2K'],
    [12_345, '12K'],
    [999_600, '1M'],
    [1_250_000, '1.3M'],
  ])('%d tokens are %s', (tokens, expected) => expect(formatTokens(tokens)).toBe(expected));
});
