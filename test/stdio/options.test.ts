import { describe, expect, test } from 'vitest';
import { optionOf } from '../../src/thread/sessionOptions';
import type { Options } from '../fakes/agent/options.mjs';
import { type Conversation, startConversation } from './conversation';
import { waitUntil } from './waitUntil';

const choices = (...values: string[]) => values.map((value) => ({ value, name: value.toUpperCase() }));
const configOptions = [
  {
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    type: 'select',
    currentValue: 'ask',
    options: choices('ask', 'code', 'yolo'),
  },
  {
    id: 'model',
    name: 'Model',
    category: 'model',
    type: 'select',
    currentValue: 'quick',
    options: [{ group: 'g', name: 'All', options: choices('quick', 'deep') }],
  },
  {
    id: 'effort',
    name: 'Effort',
    category: 'thought_level',
    type: 'select',
    currentValue: 'low',
    options: choices('low', 'high'),
    when: { model: 'deep' },
  },
  { id: 'fast', name: 'Fast mode', category: 'model_config', type: 'boolean', currentValue: false },
];
const models = {
  currentModelId: 'quick',
  availableModels: [
    { modelId: 'quick', name: 'Quick' },
    { modelId: 'deep', name: 'Deep' },
  ],
};

function standing({ session }: Conversation): string[] {
  return session.thread.options.shown.map(
    ({ key, current, requested }) => `${key} ${current}${requested === undefined ? '' : ` → ${requested}`}`,
  );
}

const start = (agent: Options) => startConversation({ agent });
const paramsOf = ({ link }: Conversation, method: string) => link.sent(method).map((message) => message['params']);

describe('config options over the wire', () => {
  test('161 a value is sent as a string, on and off with their type', async () => {
    const conversation = await start({ configOptions });
    const { session, sessionId } = conversation;
    await session.setOption('config:model', 'deep');
    await session.setOption('config:fast', true);
    expect(paramsOf(conversation, 'session/set_config_option')).toEqual([
      { sessionId, configId: 'model', value: 'deep' },
      { sessionId, configId: 'fast', type: 'boolean', value: true },
    ]);
  });

  test('108 the answer replaces the list: an option that depends on another appears and vanishes', async () => {
    const conversation = await start({ configOptions });
    expect(standing(conversation)).toEqual(['config:mode ask', 'config:model quick', 'config:fast false']);
    await conversation.session.setOption('config:model', 'deep');
    expect(standing(conversation)).toEqual([
      'config:mode ask',
      'config:model deep',
      'config:effort low',
      'config:fast false',
    ]);
    await conversation.session.setOption('config:model', 'quick');
    expect(standing(conversation)).toEqual(['config:mode ask', 'config:model quick', 'config:fast false']);
  });

  test('110 with modes and config options the mode is one option, set as one', async () => {
    const conversation = await start({ configOptions, sessionPatch: { models } });
    expect(standing(conversation)).toEqual(['config:mode ask', 'config:model quick', 'config:fast false']);
    await conversation.session.setOption('config:mode', 'code');
    expect(conversation.link.sent('session/set_mode')).toEqual([]);
    expect(standing(conversation)[0]).toBe('config:mode code');
  });

  test('108 the list that follows a set_mode is taken', async () => {
    const conversation = await start({ configOptions });
    await conversation.link.connection.setMode(conversation.sessionId, 'yolo');
    await waitUntil('the option has followed', () => standing(conversation)[0] === 'config:mode yolo');
  });

  test('160 a refusal brings the old value back and says why; it may be tried again', async () => {
    const conversation = await start({ configOptions, refused: ['deep'] });
    const choice = conversation.session.setOption('config:model', 'deep');
    expect(standing(conversation)[1]).toBe('config:model quick → deep');
    await expect(choice).rejects.toThrow('Internal error');
    expect(standing(conversation)[1]).toBe('config:model quick');
    expect(conversation.session.thread.options.problem).toBe(
      'Model was not changed to DEEP: deep is not available today',
    );
    await conversation.session.setOption('config:fast', true);
    expect(conversation.session.thread.options.problem).toBeUndefined();
  });

  test('159 what was not offered is not sent', async () => {
    const conversation = await start({ configOptions });
    for (const [key, value] of [
      ['config:model', 'none'],
      ['config:none', 'x'],
      ['config:fast', 'yes'],
      ['config:model', true],
    ] as const) {
      await expect(conversation.session.setOption(key, value)).rejects.toThrow('no longer offers');
    }
    // Nor what stands already.
    await conversation.session.setOption('config:model', 'quick');
    expect(conversation.link.sent('session/set_config_option')).toEqual([]);
  });

  test('160 options may be changed while a turn runs', async () => {
    const conversation = await start({ configOptions });
    const turn = conversation.begin('@@SILENT');
    await conversation.session.setOption('config:model', 'deep');
    expect(standing(conversation)).toContain('config:model deep');
    conversation.session.cancel();
    await turn;
  });

  test('63 a list that comes before the answer of session/new is applied after it', async () => {
    const early = [
      {
        sessionUpdate: 'config_option_update',
        configOptions: [{ id: 'late', name: 'Late', type: 'boolean', currentValue: true }],
      },
    ];
    const conversation = await start({ configOptions, early });
    expect(standing(conversation)).toEqual(['modes ask', 'config:late true']);
  });

  test('63 a list that comes while a session is loaded stays where the answer tells none', async () => {
    const conversation = await start({
      replay: [{ sessionUpdate: 'config_option_update', configOptions: [configOptions[3]] }],
      voidResult: 'null',
    });
    const { link, session, sessionId } = conversation;
    session.detach();
    const opened = await link.connection.loadSession({ sessionId, cwd: link.folder, mcpServers: [] });
    session.attach({ sessionId, link: link.connection }, opened);
    expect(standing(conversation)).toEqual(['config:fast false']);
  });

  test('a choice that the agent never answers ends with the agent', async () => {
    const conversation = await start({ configOptions, answerNever: ['session/set_config_option'] });
    const choice = conversation.session.setOption('config:model', 'deep');
    const ended = expect(choice).rejects.toThrow('ended');
    await conversation.link.process.terminate();
    await ended;
    expect(conversation.session.thread.options).toMatchObject({ shown: [], requested: {} });
    expect(conversation.session.thread.options.problem).toBeUndefined();
  });
});

describe('the older ways', () => {
  test('159 modes are set by set_mode, and stand when the agent has answered', async () => {
    const conversation = await start({});
    const { session, sessionId } = conversation;
    await session.setOption('modes', 'code');
    expect(paramsOf(conversation, 'session/set_mode')).toEqual([{ sessionId, modeId: 'code' }]);
    expect(standing(conversation)).toEqual(['modes code']);
  });

  test('160 a mode that is refused reverts', async () => {
    const conversation = await start({ refused: ['yolo'] });
    await expect(conversation.session.setOption('modes', 'yolo')).rejects.toThrow();
    expect(standing(conversation)).toEqual(['modes ask']);
    expect(conversation.session.thread.options.problem).toBe(
      'Mode was not changed to Yolo: yolo is not available today',
    );
  });

  test('a model is set by set_model where the agent knows nothing newer', async () => {
    const conversation = await start({ sessionPatch: { models } });
    await conversation.session.setOption(optionOf(conversation.session.thread.options, 'model')!.key, 'deep');
    expect(paramsOf(conversation, 'session/set_model')).toEqual([
      { sessionId: conversation.sessionId, modelId: 'deep' },
    ]);
    expect(standing(conversation)).toEqual(['modes ask', 'models deep']);
  });

  test('an answer without a list leaves the value as it was asked for', async () => {
    const conversation = await start({ configOptions: [...configOptions] });
    const { link, session } = conversation;
    session.attach(
      {
        sessionId: conversation.sessionId,
        link: { ...bound(link.connection), setConfigOption: async () => undefined },
      },
      {
        modes: undefined,
        models: undefined,
        configOptions: [{ id: 'fast', name: 'Fast', type: 'boolean', currentValue: false }],
      },
    );
    await session.setOption('config:fast', true);
    expect(standing(conversation)).toEqual(['config:fast true']);
  });
});

function bound(connection: Conversation['link']['connection']) {
  return {
    prompt: connection.prompt.bind(connection),
    cancel: connection.cancel.bind(connection),
    setMode: connection.setMode.bind(connection),
    setModel: connection.setModel.bind(connection),
  };
}
