/** States of forms and pages that an agent asks for. */
import { form, now, page, threadView, turn, userMessage } from './views.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */

/** A field of each kind. @type {import('../../src/protocol/formView').FormFieldView[]} */
const fields = [
  {
    type: 'select',
    key: 'style',
    label: 'Which style of tests?',
    required: true,
    value: 'table',
    options: [
      { value: 'table', title: 'Tables', description: 'One test per rule, its cases as data' },
      { value: 'prose', title: 'One by one' },
      { value: 'none', title: 'No tests at all, which is a rather long title for an option in a narrow panel' },
    ],
  },
  {
    type: 'text',
    input: 'lines',
    key: 'other',
    label: 'Other',
    description: 'Type your own answer, or add a note to the option you chose above.',
    required: false,
    value: '',
  },
  {
    type: 'multiSelect',
    key: 'on',
    label: 'Platforms',
    required: false,
    hint: 'Choose 1 to 3',
    value: ['linux'],
    options: [
      { value: 'linux', title: 'Linux' },
      { value: 'mac', title: 'macOS', description: 'On Apple silicon' },
      { value: 'win', title: 'Windows' },
    ],
  },
  {
    type: 'select',
    key: 'zone',
    label: 'Region',
    required: false,
    value: '',
    options: Array.from({ length: 12 }, (_, i) => ({ value: `r${i}`, title: `Region ${i}` })),
  },
  {
    type: 'text',
    input: 'email',
    key: 'email',
    label: 'Email',
    required: true,
    value: 'ada',
    error: 'Enter an email address, such as name@example.com.',
  },
  {
    type: 'text',
    input: 'number',
    key: 'retries',
    label: 'Retries',
    required: false,
    hint: 'Whole number, 0 to 10',
    value: '3',
  },
  { type: 'text', input: 'date', key: 'day', label: 'Day', required: false, value: '2026-11-20' },
  { type: 'text', input: 'dateTime', key: 'at', label: 'Moment', required: false, value: '2026-11-20T14:30:00Z' },
  { type: 'text', input: 'secret', key: 'key', label: 'API key', required: false, value: 'secret' },
  {
    type: 'checkbox',
    key: 'keep',
    label: 'Keep the old files',
    description: 'They move to a folder of their own.',
    required: false,
    value: true,
  },
  { type: 'unsupported', key: 'colour', label: 'Colour', required: false, what: '_colour' },
];

/** @satisfies {Record<string, Scene>} */
export const elicitationScenes = {
  forms: /** @type {Scene} */ ({
    view: threadView(
      [
        userMessage('u', 'Write tests for the tokenizer'),
        form('f1', fields, {
          title: 'Tests for the tokenizer',
          message: 'Before I begin I want to know **how** you like them. See `test/` for what is there.',
        }),
      ],
      {
        turn,
        pendingQuestions: [
          { requestId: 'r-f1', entryId: 'f1', kind: 'elicitation', title: 'Tests for the tokenizer', askedAt: 0 },
        ],
      },
    ),
  }),
  pages: /** @type {Scene} */ ({
    view: threadView(
      [
        page('g1'),
        page('g2', {
          title: 'Look at this',
          message: 'The report is on the web.',
          body: {
            type: 'page',
            url: 'http://github.com@xn--gthub-cta.example/a/rather/long/path/that/does/not/fit/in/one/line?with=parameters&and=more',
            host: 'xn--gthub-cta.example',
            warnings: [
              'The address begins with a user name (“github.com”) that may look like a site. It opens xn--gthub-cta.example.',
              'The host name has letters from other alphabets (“gíthub.example”) and may look like a different site.',
              'The connection is not encrypted.',
            ],
          },
        }),
        page('g3', { state: 'opened' }),
      ],
      {
        turn,
        pendingQuestions: ['g1', 'g2', 'g3'].map((id) => ({
          requestId: `r-${id}`,
          entryId: id,
          kind: /** @type {const} */ ('elicitation'),
          title: 'Sign in to go on',
          askedAt: 0,
        })),
      },
    ),
  }),
  askedWhileStarting: /** @type {Scene} */ ({
    view: threadView(
      [
        userMessage('u', 'Hello'),
        page('s1', { title: 'Sign in with your browser', message: 'Enter the code **AB12-CD34** there.' }),
      ],
      {
        agent: 'Codex',
        connection: { state: 'starting', detail: 'Starting codex-acp', since: now - 7000 },
        turn,
      },
    ),
  }),
  answered: /** @type {Scene} */ ({
    view: threadView([
      form('h1', [], {
        title: 'Which style of tests?',
        state: 'accepted',
        answers: [
          { label: 'Which style of tests?', text: 'Tables' },
          { label: 'Other', text: 'Two lines\nof a note' },
          { label: 'API key', text: '•••' },
        ],
      }),
      form('h2', [], { title: 'Which colour do you prefer?', message: 'There are two.', state: 'declined' }),
      form('h3', [], {
        title: 'A rather long question that does not fit into one line of a narrow panel',
        state: 'withdrawn',
      }),
      page('h4', { state: 'completed' }),
      page('h5', { state: 'cancelled' }),
    ]),
  }),
  required: /** @type {Scene} */ ({
    view: threadView([
      form('k1', [], {
        body: {
          type: 'form',
          fields: [{ type: 'unsupported', key: 'colour', label: 'Colour', required: true, what: '_colour' }],
          canSubmit: false,
        },
      }),
    ]),
  }),
};
