import type { ClientCapabilities, SessionConfigOption, SessionMode } from '@agentclientprotocol/sdk';

export type ModeId = 'ask' | 'auto' | 'plan' | 'bypass';

export const modes: readonly (SessionMode & { readonly id: ModeId })[] = [
  { id: 'ask', name: 'Ask first', description: 'Asks before every edit and every command' },
  { id: 'auto', name: 'Accept edits', description: 'Edits files without asking, still asks before commands' },
  { id: 'plan', name: 'Plan only', description: 'Reads and plans, changes nothing' },
  { id: 'bypass', name: 'Bypass permissions', description: 'Never asks; meant for disposable environments' },
];

export function isModeId(id: unknown): id is ModeId {
  return modes.some((mode) => mode.id === id);
}

const models = [
  { value: 'walk', name: 'Walk', description: 'Demo: normal speed', tempo: 1 },
  { value: 'sprint', name: 'Sprint', description: 'Demo: three times as fast', tempo: 0.33 },
  { value: 'stroll', name: 'Stroll', description: 'Demo: half as fast, to read along', tempo: 2 },
] as const;
type ModelId = (typeof models)[number]['value'];

/** The options of a session of the demo. They only change how it talks. */
export class DemoOptions {
  mode: ModeId = 'ask';
  model: ModelId = 'walk';
  thinksAloud = false;
  thoughts: 'short' | 'long' = 'short';

  constructor(private readonly capabilities: ClientCapabilities) {}

  /** Factor for every pause. */
  get tempo(): number {
    return models.find(({ value }) => value === this.model)?.tempo ?? 1;
  }

  /** The whole list as it is now: the length of thoughts can be chosen only while there are thoughts. */
  list(): SessionConfigOption[] {
    const list: SessionConfigOption[] = [
      {
        id: 'mode',
        name: 'Mode',
        description: 'What the agent does without asking',
        category: 'mode',
        type: 'select',
        currentValue: this.mode,
        options: modes.map(({ id, ...rest }) => ({ value: id, ...rest })),
      },
      {
        id: 'model',
        name: 'Model',
        description: 'How fast the demo talks',
        category: 'model',
        type: 'select',
        currentValue: this.model,
        options: [
          { group: 'busy', name: 'For busy people', options: models.slice(0, 2).map(asChoice) },
          { group: 'curious', name: 'For curious people', options: models.slice(2).map(asChoice) },
        ],
      },
    ];
    if (!this.capabilities.session?.configOptions?.boolean) return list;
    list.push({
      id: 'think-aloud',
      name: 'Think aloud',
      description: 'Begins each answer with a thought',
      category: 'model_config',
      type: 'boolean',
      currentValue: this.thinksAloud,
    });
    if (this.thinksAloud) {
      const lengths = [
        { value: 'short', name: 'Short' },
        { value: 'long', name: 'Long' },
      ];
      list.push({
        id: 'thoughts',
        name: 'Thoughts',
        description: 'How long the thought is',
        category: 'thought_level',
        type: 'select',
        currentValue: this.thoughts,
        options: lengths,
      });
    }
    return list;
  }

  /** @returns false for an option or a value that is not on the list. */
  set(id: unknown, value: unknown): boolean {
    if (id === 'mode' && isModeId(value)) this.mode = value;
    else if (id === 'model' && isModelId(value)) this.model = value;
    else if (id === 'think-aloud' && typeof value === 'boolean') this.thinksAloud = value;
    else if (id === 'thoughts' && (value === 'short' || value === 'long')) this.thoughts = value;
    else return false;
    return true;
  }

  /** The thought before an answer; "" for none. */
  thought(): string {
    if (!this.thinksAloud) return '';
    return this.thoughts === 'short'
      ? 'You asked me to think aloud. Done.'
      : 'You asked me to think aloud, and at length.\n\nThere is no model behind me, so this thought was written ' +
          'before you asked. It only shows where thoughts appear, and that the option works.';
  }
}

function asChoice({ value, name, description }: (typeof models)[number]): {
  value: string;
  name: string;
  description: string;
} {
  return { value, name, description };
}

function isModelId(value: unknown): value is ModelId {
  return models.some((model) => model.value === value);
}
