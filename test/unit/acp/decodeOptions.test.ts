import { describe, expect, it } from 'vitest';
import { decodeConfigOptions, decodeOffered } from '../../../src/acp/decodeOptions';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';

const ignore = () => undefined;
const select = { id: 'model', name: 'Model', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A' }] };
const fast = { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false };

describe('config options', () => {
  it.each<[string, unknown, unknown]>([
    [
      '161 a select and a boolean are read',
      [select, fast],
      [{ id: 'model', name: 'Model', type: 'select', currentValue: 'a', choices: [{ value: 'a', name: 'A' }] }, fast],
    ],
    [
      'groups become the word that each choice carries, in their order',
      [
        {
          ...select,
          options: [
            { group: 'g', name: 'Latest', options: [{ value: 'a', name: 'A', description: ' The best ' }] },
            { group: 'h', name: 'Older', options: [] },
            { value: 'b', name: 'B' },
          ],
        },
      ],
      [
        {
          id: 'model',
          name: 'Model',
          type: 'select',
          currentValue: 'a',
          choices: [
            { value: 'a', name: 'A', description: 'The best', group: 'Latest' },
            { value: 'b', name: 'B' },
          ],
        },
      ],
    ],
    [
      '109 any category is kept as it is',
      [
        { ...fast, category: 'of_my_own' },
        { ...select, category: null, description: null },
      ],
      [
        { ...fast, category: 'of_my_own' },
        expect.not.objectContaining({ category: expect.anything(), description: expect.anything() }),
      ],
    ],
    ['109 an unknown type is skipped', [{ ...fast, type: 'colour' }, fast], [fast]],
    [
      '105 what is malformed is skipped and its neighbours are kept',
      [
        null,
        7,
        { ...select, id: '' },
        { ...select, options: 'all' },
        { ...select, currentValue: 1 },
        { ...fast, currentValue: 'yes' },
        { ...select, options: [{ name: 'no value' }, 3, { value: 'a' }, { name: 'G', options: {} }] },
      ],
      [expect.objectContaining({ id: 'model', choices: [{ value: 'a', name: 'a' }] })],
    ],
    ['of two with one id the first counts', [fast, { ...fast, currentValue: true }], [fast]],
    [
      'a value that is not among the choices is no reason to drop the option',
      [{ ...select, currentValue: 'gone' }],
      [expect.objectContaining({ currentValue: 'gone' })],
    ],
    [
      'the type follows from the value and the choices where it is missing',
      [
        { ...select, type: undefined },
        { ...fast, type: null },
        { id: 'x', currentValue: 'a' },
      ],
      [expect.objectContaining({ type: 'select', currentValue: 'a' }), fast],
    ],
    [
      'a select may have no value yet',
      [
        { ...select, currentValue: null },
        { ...select, id: 'other', currentValue: undefined },
      ],
      [expect.objectContaining({ id: 'model', currentValue: '' }), expect.objectContaining({ currentValue: '' })],
    ],
    [
      'a choice may be a text, and one that comes twice is there once',
      [{ ...select, options: ['a', { value: 'b', name: 'B' }, { group: 'G', options: ['b', 'c'] }] }],
      [
        expect.objectContaining({
          choices: [
            { value: 'a', name: 'a' },
            { value: 'b', name: 'B' },
            { value: 'c', name: 'c', group: 'G' },
          ],
        }),
      ],
    ],
    ['no list is no list', { model: 'a' }, undefined],
    ['an empty list is one', [], []],
  ])('%s', (_rule, raw, expected) => expect(decodeConfigOptions(raw, ignore)).toEqual(expected));

  it('105 says in the log what was skipped', () => {
    const issues: string[] = [];
    decodeConfigOptions([{ ...fast, type: 'colour' }, fast], (issue) => issues.push(issue));
    expect(issues).toEqual(['configOptions[0] is malformed and was skipped']);
  });

  it.each<[string, unknown, unknown]>([
    ['a list', { configOptions: [fast] }, { type: 'configOptions', options: [fast] }],
    ['nothing', {}, undefined],
  ])('108 config_option_update with %s', (_what, update, expected) =>
    expect(decodeUpdate({ sessionUpdate: 'config_option_update', ...(update as object) }).value).toEqual(expected),
  );
});

describe('what a session response offers', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', {}, { modes: undefined, models: undefined, configOptions: undefined }],
    ['null', null, { modes: undefined, models: undefined, configOptions: undefined }],
    [
      'nulls',
      { modes: null, models: null, configOptions: null },
      { modes: undefined, models: undefined, configOptions: undefined },
    ],
    [
      'modes and the older models',
      {
        modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }, { name: 'no id' }] },
        models: {
          currentModelId: 'x',
          availableModels: [{ modelId: 'x', name: 'X', description: null }, { modelId: 'y' }],
        },
      },
      {
        modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] },
        models: {
          currentModelId: 'x',
          availableModels: [
            { id: 'x', name: 'X' },
            { id: 'y', name: 'y' },
          ],
        },
        configOptions: undefined,
      },
    ],
    [
      'modes without a current one',
      { modes: { availableModes: [] } },
      { modes: undefined, models: undefined, configOptions: undefined },
    ],
  ])('%s', (_what, raw, expected) => expect(decodeOffered(raw, ignore)).toEqual(expected));
});
