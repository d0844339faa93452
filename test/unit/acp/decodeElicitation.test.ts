import { describe, expect, it } from 'vitest';
import { decodeElicitation } from '../../../src/acp/decodeElicitation';
import { decodeFormField } from '../../../src/acp/decodeFormField';
import { workTime } from '../../fakes/workTime';

/** A property as decoded, without what all fields have, and what was noted about it. */
function decode(property: unknown) {
  const issues: string[] = [];
  const {
    key: _key,
    label: _label,
    required: _required,
    secret,
    ...field
  } = decodeFormField('v', property, false, (issue) => issues.push(issue));
  return { ...field, ...(secret ? { secret } : {}), issues: issues.length };
}

const ab = [
  { value: 'a', title: 'a' },
  { value: 'b', title: 'b' },
];

describe('169: a property of a form', () => {
  it.each([
    [
      { type: 'string', minLength: 1.5, maxLength: null, pattern: 7, format: 'ipv4', default: 3 },
      { type: 'string', issues: 0 },
    ],
    [
      { type: 'string', enum: ['a', 'b', 'a', 7] },
      { type: 'select', options: ab, issues: 1 },
    ],
    [
      { type: 'string', enum: ['a', 'b'], enumNames: ['A'] },
      { type: 'select', options: [{ value: 'a', title: 'A' }, ab[1]], issues: 0 },
    ],
    [
      { type: 'string', enum: null, oneOf: null },
      { type: 'string', issues: 0 },
    ],
    [
      { type: 'string', oneOf: [{ const: 'a' }, { title: 'none' }, { const: 'b', title: '', description: 'B' }] },
      { type: 'select', options: [ab[0], { ...ab[1], description: 'B' }], issues: 1 },
    ],
    [
      { type: 'string', enum: [] },
      { type: 'unsupported', what: 'a choice without options', issues: 0 },
    ],
    [
      { type: 'string', enum: Array.from({ length: 3_000 }, (_, i) => `${i}`) },
      { type: 'unsupported', what: 'a choice of 3000 options', issues: 0 },
    ],
    [
      { type: 'integer', default: 1.5, minimum: '1', maximum: 3 },
      { type: 'integer', maximum: 3, issues: 0 },
    ],
    [
      { type: 'boolean', default: 'yes' },
      { type: 'boolean', issues: 0 },
    ],
    [
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['b', 3], minItems: -1 },
      { type: 'multiSelect', options: ab, default: ['b'], issues: 1 },
    ],
    [
      {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'a' },
            { const: 'b', title: 'b' },
          ],
        },
      },
      { type: 'multiSelect', options: ab, default: [], issues: 0 },
    ],
    [
      { type: 'array', items: { type: '_colour', enum: ['a'] } },
      { type: 'unsupported', what: 'a list of _colour', issues: 1 },
    ],
    [{ type: 'array' }, { type: 'unsupported', what: 'a list of anything', issues: 0 }],
    [
      { type: '_colour', title: 'Colour' },
      { type: 'unsupported', what: '_colour', issues: 1 },
    ],
    [
      { type: ['string', 'null'], default: null },
      { type: 'string', issues: 0 },
    ],
    [
      { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: 3 },
      { type: 'integer', minimum: 1, default: 3, issues: 0 },
    ],
    [{ anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] }, { type: 'select', options: ab, issues: 0 }],
    [{ enum: ['a', 'b'] }, { type: 'select', options: ab, issues: 0 }],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, { type: 'select', options: ab, issues: 0 }],
    [
      { type: 'array', items: { enum: ['a', 'b'] } },
      { type: 'multiSelect', options: ab, default: [], issues: 0 },
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      { type: 'unsupported', what: 'a field without a type', issues: 1 },
    ],
    [{ type: ['string', 'integer'] }, { type: 'unsupported', what: 'a field without a type', issues: 1 }],
    [{}, { type: 'unsupported', what: 'a field without a type', issues: 1 }],
    [null, { type: 'unsupported', what: 'a field without a type', issues: 1 }],
    [
      { type: 'string', title: 'Your GitHub password', default: 'hunter2' },
      { type: 'string', secret: true, issues: 0 },
    ],
    [
      { type: 'string', title: 'Personal access token:' },
      { type: 'string', secret: true, issues: 0 },
    ],
    [
      { type: 'string', title: 'apiKey' },
      { type: 'string', secret: true, issues: 0 },
    ],
    [
      { type: 'string', title: 'Name of the token file' },
      { type: 'string', issues: 0 },
    ],
    [
      { type: 'integer', title: 'PIN' },
      { type: 'integer', issues: 0 },
    ],
    [
      { type: 'string', format: 'password', default: 'hunter2' },
      { type: 'string', secret: true, issues: 0 },
    ],
    [
      { type: 'string', _meta: { codex: { isSecret: true } } },
      { type: 'string', secret: true, issues: 0 },
    ],
    [
      { type: 'string', _meta: { codex: { isSecret: false }, isSecret: true } },
      { type: 'string', issues: 0 },
    ],
  ])('%j', (property, field) => expect(decode(property)).toEqual(field));

  it('is named by its title, or else by its key', () => {
    expect(decodeFormField('v', { type: 'string', title: 'Name' }, true, () => undefined)).toMatchObject({
      key: 'v',
      label: 'Name',
      required: true,
    });
    expect(decodeFormField('v', { type: 'string', title: null }, false, () => undefined)).toMatchObject({
      label: 'v',
      required: false,
    });
  });
});

describe('163: forms as real agents send them', () => {
  const decodeForm = (params: object) => decodeElicitation(params, new Set(['form']), () => undefined);

  it('a question of Claude: options with descriptions and a box for another answer', () => {
    const { scope, message, ask } = decodeForm({
      mode: 'form',
      sessionId: 's',
      toolCallId: 't',
      message: 'Which colour do you prefer?',
      requestedSchema: {
        type: 'object',
        properties: {
          question_0: {
            type: 'string',
            title: 'Colour',
            oneOf: [
              { const: 'Red', title: 'Red', description: 'Choose Red' },
              { const: 'Blue', title: 'Blue', description: 'Choose Blue' },
            ],
          },
          question_0_custom: { type: 'string', title: 'Other', description: 'Type your own answer.' },
        },
      },
    });
    expect(scope).toEqual({ sessionId: 's', toolCallId: 't' });
    expect(message).toBe('Which colour do you prefer?');
    expect(ask).toMatchObject({
      mode: 'form',
      form: {
        fields: [
          { type: 'select', label: 'Colour', required: false },
          { type: 'string', label: 'Other' },
        ],
      },
    });
  });

  it('a question of Codex: a required choice, a note, and marks for secrets', () => {
    const { ask } = decodeForm({
      sessionId: 's',
      mode: 'form',
      message: 'Codex needs your input to continue.',
      requestedSchema: {
        type: 'object',
        properties: {
          Colour: {
            title: 'Which?',
            description: 'Colour',
            _meta: { codex: { isOther: true, isSecret: true } },
            type: 'string',
            oneOf: [{ const: 'Red', title: 'Red' }],
          },
          Colour_note: {
            type: 'string',
            title: 'Additional answer or note',
            _meta: { codex: { questionId: 'Colour', role: 'user_note', isSecret: true } },
          },
        },
        required: ['Colour'],
      },
      _meta: { codex: { autoResolutionMs: null } },
    });
    expect(ask).toMatchObject({
      form: {
        fields: [
          { key: 'Colour', type: 'select', required: true, secret: true },
          { key: 'Colour_note', type: 'string', required: false, secret: true },
        ],
      },
    });
  });

  it('with very long lists costs what they are long', () => {
    const many = (name: string, length: number) => Array.from({ length }, (_, at) => `${name}${at}`);
    const field = { type: 'array', items: { type: 'string', enum: many('a', 2_000) }, default: many('b', 100_000) };
    const started = workTime();
    const requestedSchema = {
      type: 'object',
      properties: Object.fromEntries(many('f', 20).map((key) => [key, field])),
      required: many('g', 100_000),
    };
    expect(decodeForm({ sessionId: 's', mode: 'form', message: 'm', requestedSchema }).ask).toMatchObject({
      form: { fields: { length: 20 } },
    });
    expect(workTime() - started).toBeLessThan(20_000);
  });

  it('a form without fields is a form', () => {
    expect(
      decodeForm({ sessionId: 's', mode: 'form', message: 'Go on?', requestedSchema: { type: 'object' } }).ask,
    ).toEqual({ mode: 'form', form: { fields: [] } });
  });

  it.each([{ requestId: 0 }, { requestId: 'a' }, { requestId: null }])('the scope may be the request %j', (scope) => {
    expect(decodeForm({ ...scope, mode: 'form', message: 'm', requestedSchema: {} }).scope).toEqual(scope);
  });
});
