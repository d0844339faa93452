import { describe, expect, it } from 'vitest';
import { decodeElicitation } from '../../../src/acp/decodeElicitation';
import { checkPattern } from '../../../src/node/patternCheck';
import { defaultOf, type FormValue } from '../../../src/thread/elicitation';
import { answerForm } from '../../../src/thread/formAnswer';

function formOf(requestedSchema: object) {
  const { ask } = decodeElicitation(
    { sessionId: 's', mode: 'form', message: 'm', requestedSchema },
    new Set(['form']),
    () => undefined,
  );
  if (ask.mode !== 'form') throw new Error('no form');
  return ask.form;
}

/** On a busy machine the thread may have to wait for longer than a user should. */
const patiently = (pattern: string, text: string) => checkPattern(pattern, text, 1_000);

/** The content for one property and one value, or what is wrong. */
function answer(property: object, value: FormValue | undefined, required: boolean): unknown {
  const form = formOf({ properties: { v: property }, required: required ? ['v'] : [] });
  const result = answerForm(form, new Map(value === undefined ? [] : [['v', value]]), patiently);
  return 'errors' in result ? result.errors.get('v') : { content: result.content['v'] };
}

const nothing = { content: undefined };
const fill = 'Fill in this field.';
const choose = 'Select one.';
const number = 'Enter a number, such as 1.5.';
const whole = 'Enter a whole number, such as 3.';
const email = 'Enter an email address, such as name@example.com.';
const address = 'Enter a full address, such as https://example.com.';
const date = 'Enter a date, such as 2026-11-20.';
const moment = 'Enter a date and a time, such as 2026-11-20T14:30:00Z.';
const titled = {
  type: 'string',
  oneOf: [
    { const: 'r', title: 'Red' },
    { const: 'b', title: 'Blue' },
  ],
};
const several = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } };

/** Property, value (undefined: not touched), whether it is required, what comes of it. */
const table: readonly (readonly [object, FormValue | undefined, boolean, unknown])[] = [
  [{ type: 'string' }, 'text', false, { content: 'text' }],
  [{ type: 'string' }, '  kept  ', false, { content: '  kept  ' }],
  [{ type: 'string' }, '', false, nothing],
  [{ type: 'string' }, '', true, fill],
  [{ type: 'string', default: 'd' }, undefined, true, { content: 'd' }],
  [{ type: 'string', default: 'd' }, '', false, nothing],
  [{ type: 'string' }, true, true, fill],
  [{ type: 'string', minLength: 2 }, 'a', false, 'Use at least 2 characters (now 1).'],
  [{ type: 'string', minLength: 2 }, '', false, nothing],
  [{ type: 'string', minLength: 2, maxLength: 2 }, '👍👍', false, { content: '👍👍' }],
  [{ type: 'string', maxLength: 1 }, 'ab', false, 'Use at most 1 character (now 2).'],
  [{ type: 'string', maxLength: -1 }, 'ab', false, { content: 'ab' }],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'abc', false, { content: 'abc' }],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'Abc', false, 'This does not match the required format: ^[a-z]+$'],
  [{ type: 'string', pattern: 'b' }, 'abc', false, { content: 'abc' }],
  [
    { type: 'string', pattern: '^(?=.*\\d).{3,}$' },
    'ab',
    false,
    'This does not match the required format: ^(?=.*\\d).{3,}$',
  ],
  [{ type: 'string', pattern: '^\\p{Lu}' }, 'Éa', false, { content: 'Éa' }],
  [{ type: 'string', pattern: '^[\\w-.]+$' }, 'a-b', false, { content: 'a-b' }],
  [{ type: 'string', pattern: '(' }, 'anything', false, { content: 'anything' }],
  [{ type: 'string', pattern: '^(a|aa)+$' }, `${'a'.repeat(80)}b`, false, { content: `${'a'.repeat(80)}b` }],
  [{ type: 'string', format: 'email' }, 'a@b', false, { content: 'a@b' }],
  [{ type: 'string', format: 'email' }, 'a.b+c@d.example', false, { content: 'a.b+c@d.example' }],
  [{ type: 'string', format: 'email' }, 'a b@c', false, email],
  [{ type: 'string', format: 'email' }, 'a@b@c', false, email],
  [{ type: 'string', format: 'email' }, 'a@b..c', false, email],
  [{ type: 'string', format: 'uri' }, 'https://example.com/?a=b#c', false, { content: 'https://example.com/?a=b#c' }],
  [{ type: 'string', format: 'uri' }, 'urn:isbn:1', false, { content: 'urn:isbn:1' }],
  [{ type: 'string', format: 'uri' }, 'example.com', false, address],
  [{ type: 'string', format: 'uri' }, 'https:', false, address],
  [{ type: 'string', format: 'uri' }, 'https://', false, address],
  [{ type: 'string', format: 'uri' }, 'https://a b', false, address],
  [{ type: 'string', format: 'date' }, '2024-02-29', false, { content: '2024-02-29' }],
  [{ type: 'string', format: 'date' }, '2023-02-29', false, date],
  [{ type: 'string', format: 'date' }, '2023-13-01', false, date],
  [{ type: 'string', format: 'date' }, '1.2.2023', false, date],
  [{ type: 'string', format: 'date-time' }, '2026-11-20T14:30:00Z', false, { content: '2026-11-20T14:30:00Z' }],
  [
    { type: 'string', format: 'date-time' },
    '2026-11-20T14:30:00.123+05:30',
    false,
    { content: '2026-11-20T14:30:00.123+05:30' },
  ],
  [{ type: 'string', format: 'date-time' }, '2026-11-20T14:30:00', false, moment],
  [{ type: 'string', format: 'date-time' }, '2026-11-31T14:30:00Z', false, moment],
  [{ type: 'string', format: 'date-time' }, '2026-11-20T25:30:00Z', false, moment],
  [{ type: 'string', format: 'hostname' }, 'any thing', false, { content: 'any thing' }],
  [{ type: 'number' }, '1.5', false, { content: 1.5 }],
  [{ type: 'number' }, ' -.5e1 ', false, { content: -5 }],
  [{ type: 'number' }, '', false, nothing],
  [{ type: 'number' }, '', true, fill],
  [{ type: 'number' }, '1,5', false, number],
  [{ type: 'number' }, '0x10', false, number],
  [{ type: 'number' }, '1e400', false, number],
  [{ type: 'number' }, 'Infinity', false, number],
  [{ type: 'number', default: 0 }, undefined, true, { content: 0 }],
  [{ type: 'number', minimum: 0 }, '-1', false, 'Enter 0 or more.'],
  [{ type: 'number', maximum: 0.5 }, '0.6', false, 'Enter 0.5 or less.'],
  [{ type: 'number', minimum: 0, maximum: 1 }, '2', false, 'Enter a number from 0 to 1.'],
  [{ type: 'number', minimum: 0, maximum: 1 }, '1', false, { content: 1 }],
  [{ type: 'integer' }, '3.0', false, { content: 3 }],
  [{ type: 'integer' }, '3.5', false, whole],
  [{ type: 'integer' }, '99999999999999999999', false, 'This number is too large.'],
  [{ type: 'integer', minimum: 1 }, '0', false, 'Enter 1 or more.'],
  [{ type: 'boolean' }, true, true, { content: true }],
  [{ type: 'boolean' }, undefined, true, { content: false }],
  [{ type: 'boolean', default: true }, undefined, false, { content: true }],
  [{ type: 'boolean', default: true }, false, false, { content: false }],
  [{ type: 'boolean' }, 'yes', false, { content: false }],
  [titled, 'r', true, { content: 'r' }],
  [titled, 'Red', true, 'Select one of the options.'],
  [titled, '', true, choose],
  [titled, undefined, true, choose],
  [titled, '', false, nothing],
  [{ ...titled, default: 'b' }, undefined, true, { content: 'b' }],
  [{ ...titled, default: 'x' }, undefined, true, choose],
  [{ type: 'string', enum: ['a', 'b'] }, 'b', false, { content: 'b' }],
  [several, ['b', 'a'], false, { content: ['a', 'b'] }],
  [several, [], false, nothing],
  [several, [], true, { content: [] }],
  [several, ['x'], false, nothing],
  [{ ...several, minItems: 2 }, ['a'], false, 'Select at least 2.'],
  [{ ...several, minItems: 2 }, [], false, nothing],
  [{ ...several, minItems: 2 }, [], true, 'Select at least 2.'],
  [{ ...several, minItems: 2, maxItems: 2 }, ['a'], false, 'Select 2.'],
  [{ ...several, maxItems: 1 }, ['a', 'b'], false, 'Select at most 1.'],
  [{ ...several, default: ['c', 'x'] }, undefined, false, { content: ['c'] }],
  [{ type: 'object' }, 'x', false, nothing],
  [{ type: 'object' }, 'x', true, 'This is required, but Parley cannot show it.'],
];

describe('163: a field and a value', () => {
  it.each(table)('%j with %j, required: %s, gives %j', (property, value, required, outcome) => {
    expect(answer(property, value, required)).toEqual(outcome);
  });
});

describe('163: a form', () => {
  it('tells everything that is wrong at once, and sends nothing of it', () => {
    const form = formOf({
      properties: { a: { type: 'string' }, b: { type: 'integer' }, c: titled },
      required: ['a', 'c'],
    });
    const result = answerForm(form, new Map([['b', 'x']]), checkPattern);
    expect(result).toEqual({
      errors: new Map([
        ['a', fill],
        ['b', whole],
        ['c', choose],
      ]),
    });
  });

  it('keeps the agent’s order, and a field may have any name', () => {
    const form = formOf(
      JSON.parse(
        '{"properties":{"z":{"type":"string"},"__proto__":{"type":"string"},"a":{"type":"string"}}}',
      ) as object,
    );
    const result = answerForm(
      form,
      new Map([
        ['a', '1'],
        ['z', '2'],
        ['__proto__', '3'],
      ]),
      checkPattern,
    );
    expect('content' in result && Object.entries(result.content)).toEqual([
      ['z', '2'],
      ['__proto__', '3'],
      ['a', '1'],
    ]);
  });

  it('puts down titles, not values, and secrets not at all', () => {
    const secret = { _meta: { vendor: { isSecret: true } } };
    const form = formOf({
      properties: {
        colour: { title: 'Colour', ...titled },
        many: several,
        yes: { type: 'boolean' },
        key: { type: 'string', ...secret },
        pass: { type: 'string', format: 'password' },
        pick: { ...titled, ...secret, default: 'r' },
      },
    });
    const result = answerForm(
      form,
      new Map<string, FormValue>([
        ['colour', 'b'],
        ['many', ['a', 'c']],
        ['yes', true],
        ['key', 'k'],
        ['pass', 'p'],
        ['pick', 'b'],
      ]),
      checkPattern,
    );
    expect(result).toMatchObject({
      content: { key: 'k', pass: 'p', pick: 'b' },
      answers: [
        { label: 'Colour', text: 'Blue' },
        { label: 'many', text: 'a, c' },
        { label: 'yes', text: 'Yes' },
        { label: 'key', text: '•••' },
        { label: 'pass', text: '•••' },
        { label: 'pick', text: '•••' },
      ],
    });
    // A secret has no default that could stand in a transcript.
    expect(form.fields.map(defaultOf)).toEqual(['', [], false, '', '', '']);
  });
});
