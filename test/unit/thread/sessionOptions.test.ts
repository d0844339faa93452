import { describe, expect, it } from 'vitest';
import { decodeOffered } from '../../../src/acp/decodeOptions';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';
import type { ThreadAction } from '../../../src/thread/actions';
import { actionsOf } from '../../../src/thread/fromAcp';
import { reduce } from '../../../src/thread/reducer';
import type { SessionOption } from '../../../src/thread/sessionOptions';
import { emptyThread, type Thread } from '../../../src/thread/thread';
import { isTransient } from '../../../src/thread/transcript';

const values = (...ids: string[]) => ids.map((value) => ({ value, name: value }));
const select = (id: string, currentValue: string, options: object[], more: object = {}) => ({
  id,
  name: id,
  type: 'select',
  currentValue,
  options,
  ...more,
});
const flag = (id: string, currentValue: boolean) => ({
  id,
  name: id,
  type: 'boolean',
  currentValue,
  category: 'model_config',
});
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'plan', name: 'Plan' },
  ],
};
const models = {
  currentModelId: 'x',
  availableModels: [
    { modelId: 'x', name: 'X' },
    { modelId: 'y', name: 'Y' },
  ],
};
const mode = select('mode', 'ask', values('ask', 'plan'), { category: 'mode' });
const model = select('model', 'x', values('x', 'y'), { category: 'model' });

/** Opens a session that answers with `response`, and lets things happen. */
function thread(response: object, ...steps: (object | ThreadAction)[]): Thread {
  const opened = reduce(emptyThread, {
    type: 'options/replaced',
    at: 0,
    offered: decodeOffered(response, () => undefined),
  });
  return steps.reduce<Thread>((before, step) => {
    const actions = 'sessionUpdate' in step ? actionsOf(decodeUpdate(step).value!, 0) : [step as ThreadAction];
    return actions.reduce(reduce, before);
  }, opened);
}

const said = ({ name, source, role, current, requested }: SessionOption) =>
  `${name}${role ? ` (${role})` : ''} by ${source}: ${current}${requested === undefined ? '' : ` → ${requested}`}`;
const shown = (of: Thread) => of.options.shown.map(said);
const modeUpdate = (currentModeId: string) => ({ sessionUpdate: 'current_mode_update', currentModeId });
const listUpdate = (...configOptions: object[]) => ({ sessionUpdate: 'config_option_update', configOptions });

describe('what is shown of modes, models and config options', () => {
  it.each<[string, Thread, string[]]>([
    ['modes alone are shown', thread({ modes }), ['Mode (mode) by modes: ask']],
    [
      'the older models too, after the modes',
      thread({ modes, models }),
      ['Mode (mode) by modes: ask', 'Model (model) by models: x'],
    ],
    [
      '110 with config options for both, only those are shown',
      thread({ modes, models, configOptions: [mode, model] }),
      ['mode (mode) by config: ask', 'model (model) by config: x'],
    ],
    [
      '110 what no config option tells stays',
      thread({ modes, models, configOptions: [model, flag('fast', false)] }),
      ['Mode (mode) by modes: ask', 'model (model) by config: x', 'fast by config: false'],
    ],
    [
      '110 an option that offers all the modes covers them, whatever it is called',
      thread({ modes, configOptions: [select('permissions', 'ask', values('plan', 'ask', 'auto'))] }),
      ['permissions by config: ask'],
    ],
    [
      '109 a missing category is made up for by an id that says it',
      thread({
        modes,
        configOptions: [select('mode', 'a', values('a', 'b')), select('thought_level', 'low', values('low'))],
      }),
      ['mode (mode) by config: a', 'thought_level (thoughtLevel) by config: low'],
    ],
    [
      '109 a category of the agent’s own gives no role, also under a telling id',
      thread({ configOptions: [select('mode', 'a', values('a'), { category: 'collaboration' })] }),
      ['mode by config: a'],
    ],
    [
      '109 of a provider and a model the model has the role',
      thread({ configOptions: [select('provider', 'p', values('p'), { category: 'model' }), model] }),
      ['provider by config: p', 'model (model) by config: x'],
    ],
    [
      '109 also where only its name says so',
      thread({
        configOptions: [
          select('p', 'p', values('p'), { category: 'model' }),
          { ...select('m', 'x', values('x'), { category: 'model' }), name: 'Model' },
        ],
      }),
      ['p by config: p', 'Model (model) by config: x'],
    ],
    [
      '109 where nothing says which it is, it is the first',
      thread({
        configOptions: [
          select('a', 'p', values('p'), { category: 'model' }),
          select('b', 'x', values('x'), { category: 'model' }),
        ],
      }),
      ['a (model) by config: p', 'b by config: x'],
    ],
    [
      '109 the order is the agent’s',
      thread({ configOptions: [model, flag('fast', true), mode] }),
      ['model (model) by config: x', 'fast by config: true', 'mode (mode) by config: ask'],
    ],
    [
      'an empty list of modes is none',
      thread({ modes: { currentModeId: 'ask', availableModes: [] }, configOptions: [] }),
      [],
    ],
    ['107 the mode follows the agent', thread({ modes }, modeUpdate('plan')), ['Mode (mode) by modes: plan']],
    [
      '107 a mode that was never offered is shown by its id',
      thread({ modes }, modeUpdate('yolo')),
      ['Mode (mode) by modes: yolo'],
    ],
    [
      '162 current_mode_update changes the config option of the mode',
      thread({ modes, configOptions: [mode, model] }, modeUpdate('plan')),
      ['mode (mode) by config: plan', 'model (model) by config: x'],
    ],
    [
      '162 but not where that option names modes otherwise',
      thread(
        { modes, configOptions: [select('mode', 'a', values('a', 'b'), { category: 'mode' })] },
        modeUpdate('plan'),
      ),
      ['mode (mode) by config: a'],
    ],
    [
      '108 a list replaces the whole list: options vanish and appear',
      thread(
        { configOptions: [model, flag('fast', false)] },
        listUpdate(
          { ...model, currentValue: 'y' },
          select('effort', 'low', values('low'), { category: 'thought_level' }),
        ),
      ),
      ['model (model) by config: y', 'effort (thoughtLevel) by config: low'],
    ],
    [
      '108 config_option_update tells of a mode that was set',
      thread({ modes, configOptions: [mode] }, listUpdate({ ...mode, currentValue: 'plan' })),
      ['mode (mode) by config: plan'],
    ],
    [
      'modes that come into sight again stand where the options stood',
      thread({ modes, configOptions: [mode] }, listUpdate({ ...mode, currentValue: 'plan' }), listUpdate(model)),
      ['Mode (mode) by modes: plan', 'model (model) by config: x'],
    ],
    [
      'what was chosen waits to be confirmed',
      thread({ configOptions: [model] }, { type: 'option/requested', at: 0, key: 'config:model', value: 'y' }),
      ['model (model) by config: x → y'],
    ],
    [
      'a later choice goes on waiting when an earlier one is answered',
      thread(
        { configOptions: [model] },
        { type: 'option/requested', at: 0, key: 'config:model', value: 'y' },
        { type: 'option/requested', at: 0, key: 'config:model', value: 'z' },
        { type: 'option/settled', at: 0, key: 'config:model', value: 'y' },
      ),
      ['model (model) by config: x → z'],
    ],
    [
      'without an agent there is nothing to choose',
      thread(
        { modes, models, configOptions: [mode] },
        { type: 'options/replaced', at: 0, offered: decodeOffered({}, () => undefined) },
      ),
      [],
    ],
  ])('%s', (_rule, after, expected) => expect(shown(after)).toEqual(expected));

  it('stays the same object where nothing changes', () => {
    const before = thread({ modes, configOptions: [mode] });
    expect(reduce(before, { type: 'mode/changed', at: 0, modeId: 'ask' })).toBe(before);
    expect(reduce(emptyThread, { type: 'mode/changed', at: 0, modeId: 'ask' })).toBe(emptyThread);
    expect(reduce(emptyThread, { type: 'options/replaced', at: 0, offered: decodeOffered({}, () => undefined) })).toBe(
      emptyThread,
    );
  });

  it('160 the reason of a refusal stays until the next choice, the next prompt, or until it is dismissed', () => {
    const refused = thread(
      { configOptions: [model] },
      { type: 'option/requested', at: 0, key: 'config:model', value: 'y' },
      { type: 'option/settled', at: 0, key: 'config:model', value: 'y', problem: 'No.' },
    );
    expect([shown(refused), refused.options.problem]).toEqual([['model (model) by config: x'], 'No.']);
    const next: ThreadAction[] = [
      { type: 'option/requested', at: 0, key: 'config:model', value: 'y' },
      { type: 'turn/started', at: 0, turnId: 't1', prompt: [{ type: 'text', text: 'Go' }] },
      { type: 'optionProblem/dismissed', at: 0 },
    ];
    for (const action of next) expect(reduce(refused, action).options.problem).toBeUndefined();
  });

  it('is no part of what is stored: the next process tells it anew', () => {
    for (const update of [modeUpdate('plan'), listUpdate(model)])
      expect(actionsOf(decodeUpdate(update).value!, 0).every(isTransient)).toBe(true);
  });
});
