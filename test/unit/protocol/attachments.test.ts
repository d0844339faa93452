import { describe, expect, it } from 'vitest';
import { type AttachmentKind, type Delivery, deliveryOf, deliveryRemark } from '../../../src/protocol/attachments';

const all = { image: true, audio: true, embeddedContext: true };
const none = { image: false, audio: false, embeddedContext: false };

/* kind, has a file | agent takes all | agent takes nothing but text and links */
const table: readonly (readonly [AttachmentKind, boolean, Delivery, Delivery])[] = [
  ['image', true, 'whole', 'link'],
  ['image', false, 'whole', 'leftOut'],
  ['audio', true, 'whole', 'link'],
  ['audio', false, 'whole', 'leftOut'],
  ['file', true, 'whole', 'link'],
  ['file', false, 'whole', 'text'],
  ['folder', true, 'whole', 'whole'],
  ['selection', true, 'whole', 'text'],
  ['selection', false, 'whole', 'text'],
  ['problems', false, 'whole', 'text'],
  ['terminal', false, 'whole', 'text'],
  ['changes', false, 'whole', 'text'],
];

describe('item 75: what an agent does not take degrades', () => {
  it.each(table)('%s with a file: %s → %s, else %s', (kind, linkable, rich, poor) => {
    expect(deliveryOf({ kind, linkable }, all)).toBe(rich);
    expect(deliveryOf({ kind, linkable }, none)).toBe(poor);
  });

  it('and the user can read what becomes of it', () => {
    expect(deliveryRemark({ kind: 'image', linkable: false }, none, 'Agent')).toBe(
      'Not sent, because Agent does not support images',
    );
    expect(deliveryRemark({ kind: 'audio', linkable: true }, none, 'Agent')).toBe(
      'Sent as a link to the file, because Agent does not support audio',
    );
    expect(deliveryRemark({ kind: 'problems', linkable: false }, none, 'Agent')).toBe(
      'Sent as part of the text, because Agent does not support embedded files',
    );
    for (const [kind, linkable, rich] of table)
      expect(deliveryRemark({ kind, linkable }, all, 'Agent'), kind).toBe(
        rich === 'whole' ? undefined : expect.anything(),
      );
  });
});
