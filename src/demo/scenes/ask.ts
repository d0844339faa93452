import type { CreateElicitationResponse, ElicitationSchema } from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';

/** A field of every kind that a form can have. */
const requestedSchema: ElicitationSchema = {
  type: 'object',
  properties: {
    size: {
      type: 'string',
      title: 'How big should it be?',
      oneOf: [
        { const: 'small', title: 'Small', description: 'Fits on one screen' },
        { const: 'medium', title: 'Medium', description: 'Needs a table of contents' },
        { const: 'large', title: 'Large', description: 'Needs a project manager' },
      ],
      default: 'small',
    },
    name: {
      type: 'string',
      title: 'Name',
      description: 'Letters, digits and hyphens',
      minLength: 2,
      maxLength: 20,
      pattern: '^[A-Za-z][A-Za-z0-9-]*$',
      default: 'my-castle',
    },
    wishes: { type: 'string', title: 'Anything else?' },
    extras: {
      type: 'array',
      title: 'Extras',
      items: {
        anyOf: [
          { const: 'moat', title: 'A moat' },
          { const: 'bridge', title: 'A drawbridge' },
          { const: 'tower', title: 'A tower', description: 'With a view' },
        ],
      },
      maxItems: 2,
      default: ['moat'],
    },
    region: {
      type: 'string',
      title: 'Region',
      enum: ['Auvergne', 'Bohemia', 'Castile', 'Dalmatia', 'Estonia', 'Franconia', 'Galicia', 'Hesse', 'Istria'],
    },
    email: { type: 'string', title: 'Email', description: 'It is not sent anywhere.', format: 'email' },
    day: { type: 'string', title: 'First day of construction', format: 'date' },
    guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 100, default: 12 },
    garden: { type: 'boolean', title: 'With a garden', default: true },
  },
  required: ['size', 'name'],
};

/** Asks with a form and tells what came back. */
export async function ask(turn: Turn): Promise<void> {
  if (!turn.session.capabilities.elicitation?.form) {
    await turn.say('I would ask with a form now, but this client does not support forms.\n');
    return;
  }
  await turn.say('Before I build you a castle, I need a few answers. Two are required; the rest are optional.\n\n');
  const answer = await turn.call<CreateElicitationResponse>('elicitation/create', {
    mode: 'form',
    message: 'What kind of castle do you want?',
    requestedSchema,
  });
  if (answer.action !== 'accept') {
    await turn.say(
      answer.action === 'decline'
        ? 'You declined the form. No castle, then.\n'
        : 'You dismissed the form. Run `/ask` to see it again.\n',
    );
    return;
  }
  const content = answer.content as Readonly<Record<string, unknown>>;
  const lines = Object.entries(content).map(
    ([key, value]) => `| ${requestedSchema.properties?.[key]?.title ?? key} | \`${JSON.stringify(value)}\` |`,
  );
  await turn.say(
    'I received these answers. Empty fields are left out:\n\n| Question | Answer |\n|:--|:--|\n' +
      `${lines.join('\n')}\n\nNothing was built.\n`,
  );
}
