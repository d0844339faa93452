import { describe, expect, it } from 'vitest';
import { decodeElicitation } from '../../../src/acp/decodeElicitation';
import type { Elicitation } from '../../../src/thread/thread';
import { elicitationView } from '../../../src/view/elicitationView';

function entry(message: string, requestedSchema: object, fields: Partial<Elicitation> = {}): Elicitation {
  const { ask } = decodeElicitation(
    { sessionId: 's', mode: 'form', message, requestedSchema },
    new Set(['form']),
    () => undefined,
  );
  if (ask.mode !== 'form') throw new Error('no form');
  return {
    kind: 'elicitation',
    id: 'e1',
    at: 0,
    requestId: 'q1',
    message,
    ask,
    state: 'waiting',
    errors: new Map(),
    answers: [],
    ...fields,
  };
}

function fieldOf(property: object) {
  const { body } = elicitationView(entry('m', { properties: { v: property } }));
  return body.type === 'form' ? body.fields[0] : undefined;
}

describe('the view of an elicitation', () => {
  it.each([
    ['Which colour?', {}, 'Which colour?', undefined],
    ['Which colour?', { title: 'Colours' }, 'Colours', 'Which colour?'],
    ['First line\n\nmore', {}, 'First line', 'more'],
    ['Same', { title: 'Same' }, 'Same', undefined],
    [`${'long '.repeat(40)}`, {}, `${'long '.repeat(24).trimEnd()}…`, 'long '.repeat(40).trim()],
    ['  ', {}, 'A form', undefined],
    ['\u001b[1mWhich\u001b[0m colour?\n\n\u001b[31mred\u001b[0m', {}, 'Which colour?', 'red'],
    ['Red?', { title: '\u001b]0;x\u0007Colours' }, 'Colours', 'Red?'],
  ])('%j with %j is called %j', (message, schema, title, text) => {
    const view = elicitationView(entry(message, schema));
    expect([view.title, view.message]).toEqual([title, text]);
  });

  it.each([
    [{ type: 'string' }, { input: 'lines' }],
    [
      { type: 'string', maxLength: 40 },
      { input: 'line', hint: 'At most 40 characters' },
    ],
    [{ type: 'string', pattern: 'x' }, { input: 'line' }],
    [{ type: 'string', format: 'date-time' }, { input: 'dateTime' }],
    [
      { type: 'string', format: 'password' },
      { input: 'secret', value: '' },
    ],
    [{ type: 'string', minLength: 1 }, { hint: 'At least 1 character' }],
    [{ type: 'string', minLength: 3, maxLength: 20 }, { hint: '3 to 20 characters' }],
    [
      { type: 'integer', minimum: 1, maximum: 10, default: 5 },
      { input: 'number', hint: 'Whole number, 1 to 10', value: '5' },
    ],
    [{ type: 'integer' }, { hint: 'Whole number' }],
    [{ type: 'number', minimum: 0 }, { hint: 'Number, at least 0' }],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 1 }, { hint: 'Select 1' }],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1 }, { hint: 'Select at most 1' }],
    [{ type: '_x' }, { type: 'unsupported', what: '_x' }],
  ])('%j is drawn as %j', (property, view) => expect(fieldOf(property)).toMatchObject(view));

  it('has no control sequences in words, and values as they are', () => {
    const red = (text: string) => `\u001b[31m${text}\u001b[0m`;
    expect(
      fieldOf({
        type: 'string',
        title: red('Name'),
        description: red('Yours'),
        oneOf: [{ const: red('v'), title: red('V') }],
      }),
    ).toMatchObject({ label: 'Name', description: 'Yours', options: [{ value: red('v'), title: 'V' }] });
  });

  it('cuts what is no label any more', () => {
    const long = 'x'.repeat(10_000);
    const field = fieldOf({ type: 'string', title: long, description: long, enum: [long] });
    expect(field).toMatchObject({
      type: 'select',
      label: `${'x'.repeat(300)}…`,
      description: `${'x'.repeat(4_000)}…`,
      options: [{ value: long, title: `${'x'.repeat(300)}…` }],
    });
  });

  it('169: a form that requires what cannot be shown cannot be submitted', () => {
    expect(elicitationView(entry('m', { properties: { v: { type: '_x' } }, required: ['v'] })).body).toMatchObject({
      canSubmit: false,
    });
    expect(elicitationView(entry('m', { properties: { v: { type: '_x' } } })).body).toMatchObject({ canSubmit: true });
  });

  it('once it is over only the answers are sent', () => {
    const view = elicitationView(
      entry(
        'm',
        { properties: { v: { type: 'string' } } },
        { state: 'accepted', answers: [{ label: 'v', text: 'x' }] },
      ),
    );
    expect(view).toMatchObject({ state: 'accepted', answers: [{ label: 'v', text: 'x' }], body: { fields: [] } });
  });
});
