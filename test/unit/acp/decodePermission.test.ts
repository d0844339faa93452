import { expect, it } from 'vitest';
import { decodePermission } from '../../../src/acp/decodeRequest';

it.each<[option: object, shown: object]>([
  [
    { name: 'Yes', kind: 'ALLOW_ONCE' },
    { name: 'Yes', kind: 'allow_once' },
  ],
  [
    { name: 'Yes', kind: 'rejectAlways' },
    { name: 'Yes', kind: 'reject_always' },
  ],
  [{ label: 'Yes' }, { name: 'Yes', kind: 'other' }],
  [{ name: ' \n' }, { name: 'o', kind: 'other' }],
  [{ kind: 'allow' }, { name: 'o', kind: 'other' }],
])('the option %j', (option, shown) => {
  const { options } = decodePermission(
    { sessionId: 's', toolCall: { toolCallId: 'a' }, options: [{ optionId: 'o', ...option }] },
    () => {},
  );
  expect(options).toEqual([{ optionId: 'o', ...shown }]);
});
