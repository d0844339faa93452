import { beforeEach, expect, it } from 'vitest';
import { decodeOffered } from '../../../../src/acp/decodeOptions';
import { CancellationSource, neverCancelled } from '../../../../src/base/cancellation';
import { Deferred } from '../../../../src/base/deferred';
import { silentLogger } from '../../../../src/base/log';
import { OptionMemory } from '../../../../src/host/sessions/optionMemory';
import { Session } from '../../../../src/thread/session';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';

const select = (id: string, currentValue: string, values: readonly string[], category = id) => ({
  id,
  name: id,
  category,
  type: 'select',
  currentValue,
  options: values.map((value) => ({ value, name: value })),
});
const effort = (currentValue = 'low') => select('effort', currentValue, ['low', 'high'], 'thought_level');
const mode = (currentValue = 'ask') => select('mode', currentValue, ['ask', 'plan', 'yolo']);
const model = (currentValue = 'quick') => select('model', currentValue, ['quick', 'deep']);
const allowAll = (currentValue = false) => ({ id: 'allow-all', name: 'Allow all', type: 'boolean', currentValue });

/** An agent whose model "deep" brings another option, and that may refuse or be silent. */
class Agent {
  readonly asked: string[] = [];
  list: Record<string, unknown>[];
  answer: 'confirms' | 'refuses' | 'is silent' = 'confirms';

  constructor(list: Record<string, unknown>[] = [mode(), model(), allowAll()]) {
    this.list = list;
  }

  get link() {
    return {
      setConfigOption: async (_session: string, id: string, value: string | boolean) => {
        this.asked.push(`${id} ${value}`);
        if (this.answer === 'refuses') throw new Error('no');
        if (this.answer === 'is silent') return new Promise<never>(() => undefined);
        this.list = this.list.map((item) => (item['id'] === id ? { ...item, currentValue: value } : item));
        if (id === 'model')
          this.list = [...this.list.filter((item) => item['id'] !== 'effort'), ...(value === 'deep' ? [effort()] : [])];
        return decodeOffered({ configOptions: this.list }, () => undefined).configOptions;
      },
    };
  }
}

let state: MemoryState;
let clock: FakeClock;
let memory: OptionMemory;
beforeEach(() => {
  [state, clock] = [new MemoryState(), new FakeClock()];
  memory = new OptionMemory(state, clock, silentLogger);
});

/** A session that the agent has just opened. */
function open(agent: Agent): Session {
  const session = new Session('local', clock, silentLogger);
  session.attach(
    { sessionId: 's', link: agent.link as never },
    decodeOffered({ configOptions: agent.list }, () => undefined),
    true,
  );
  return session;
}

const inForce = (session: Session) =>
  session.thread.options.shown.map(({ configId, current }) => `${configId} ${current}`);

it('a new session of the same agent begins with what was chosen last, the model first', async () => {
  const before = open(new Agent());
  await memory.choose('A', before, 'config:mode', 'plan');
  await memory.choose('A', before, 'config:model', 'deep');
  await memory.choose('A', before, 'config:effort', 'high');

  const agent = new Agent();
  const session = open(agent);
  await memory.apply('A', session, neverCancelled);
  expect(agent.asked).toEqual(['model deep', 'effort high', 'mode plan']);
  expect(inForce(session)).toEqual(['mode plan', 'model deep', 'allow-all false', 'effort high']);
});

it('what Parley or the agent sets by itself is not remembered', async () => {
  const session = open(new Agent());
  await session.setOption('config:mode', 'plan');
  const agent = new Agent();
  await memory.apply('A', open(agent), neverCancelled);
  expect(agent.asked).toEqual([]);
});

it('another agent is asked for nothing', async () => {
  await memory.choose('A', open(new Agent()), 'config:model', 'deep');
  const other = new Agent();
  await memory.apply('B', open(other), neverCancelled);
  expect(other.asked).toEqual([]);
});

it('what lets the agent act without asking is never remembered, also not over what was chosen before', async () => {
  const session = open(new Agent());
  await memory.choose('A', session, 'config:mode', 'plan');
  await memory.choose('A', session, 'config:mode', 'yolo');
  await memory.choose('A', session, 'config:allow-all', true);
  const agent = new Agent();
  await memory.apply('A', open(agent), neverCancelled);
  expect(agent.asked).toEqual([]);
});

it('a value from another time that lets the agent act without asking is not sent', async () => {
  await state.update('options:A', { 'config:mode': 'yolo' });
  const agent = new Agent();
  await memory.apply('A', open(agent), neverCancelled);
  expect(agent.asked).toEqual([]);
});

it('a choice that the agent refused is not remembered', async () => {
  const refusing = new Agent();
  refusing.answer = 'refuses';
  await expect(memory.choose('A', open(refusing), 'config:model', 'deep')).rejects.toThrow('no');
  const agent = new Agent();
  await memory.apply('A', open(agent), neverCancelled);
  expect(agent.asked).toEqual([]);
});

it('a model that is gone is passed over, and one that is refused is explained', async () => {
  await memory.choose('A', open(new Agent()), 'config:model', 'deep');
  const without = new Agent([select('model', 'quick', ['quick'])]);
  await memory.apply('A', open(without), neverCancelled);
  expect(without.asked).toEqual([]);

  const refusing = new Agent();
  refusing.answer = 'refuses';
  const session = open(refusing);
  await memory.apply('A', session, neverCancelled);
  expect(session.thread.options.problem).toContain('model');
  expect(inForce(session)).toContain('model quick');
});

it('an agent that does not answer keeps the session from opening for ten seconds at most', async () => {
  await memory.choose('A', open(new Agent()), 'config:model', 'deep');
  const silent = new Agent();
  silent.answer = 'is silent';
  const applied = memory.apply('A', open(silent), neverCancelled);
  clock.advance(10_000);
  await applied;
  expect(clock.running).toBe(0);
});

it('after a start was cancelled nothing more is set', async () => {
  await memory.choose('A', open(new Agent()), 'config:model', 'deep');
  const cancel = new CancellationSource();
  cancel.cancel();
  const agent = new Agent();
  await memory.apply('A', open(agent), cancel.token);
  expect(agent.asked).toEqual([]);
});

it('favorites belong to one agent, and can be taken back', () => {
  let changes = 0;
  memory.onDidChange(() => changes++);
  memory.setFavorite('A', 'config:model', 'deep', true);
  memory.setFavorite('A', 'config:model', 'quick', true);
  memory.setFavorite('A', 'config:model', 'deep', true);
  expect(memory.favoritesOf('A')).toEqual({ 'config:model': ['quick', 'deep'] });
  memory.setFavorite('A', 'config:model', 'quick', false);
  expect(memory.favoritesOf('A')).toEqual({ 'config:model': ['deep'] });
  expect(memory.favoritesOf('B')).toBeUndefined();
  expect(changes).toBe(4);
});

it('what the user chooses while the agent is slow to take the rest is not set back', async () => {
  const before = open(new Agent());
  await memory.choose('A', before, 'config:model', 'deep');
  await memory.choose('A', before, 'config:mode', 'plan');
  const agent = new Agent();
  const session = open(agent);
  const { setConfigOption } = agent.link;
  const taken = new Deferred<void>();
  session.attach(
    {
      sessionId: 's',
      link: {
        setConfigOption: async (id: string, key: string, value: string) => {
          if (key === 'model') await taken.promise;
          return setConfigOption(id, key, value);
        },
      } as never,
    },
    decodeOffered({ configOptions: agent.list }, () => undefined),
    true,
  );
  const applied = memory.apply('A', session, neverCancelled);
  await memory.choose('A', session, 'config:mode', 'ask');
  taken.resolve();
  await applied;
  expect(agent.asked).toEqual(['model deep']);
});

it('remembers the models that an agent offered last, also in the next window', async () => {
  expect(memory.modelsOf('A')).toBeUndefined();
  await memory.apply('A', open(new Agent()), neverCancelled);
  await memory.apply('B', open(new Agent([mode()])), neverCancelled);
  const later = new OptionMemory(state, clock, silentLogger);
  const names = (agent: string) => later.modelsOf(agent)?.choices.map(({ name }) => name);
  expect([names('A'), names('B')]).toEqual([['quick', 'deep'], undefined]);
  await later.apply('A', open(new Agent([select('model', 'new', ['new', 'newer'])])), neverCancelled);
  expect(names('A')).toEqual(['new', 'newer']);
});
