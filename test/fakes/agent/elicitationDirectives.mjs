const form = {
  mode: 'form',
  message: 'A few details, please.',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2 },
      colour: {
        type: 'string',
        title: 'Colour',
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'b', title: 'Blue' },
        ],
        default: 'b',
      },
    },
    required: ['name'],
  },
};

const page = {
  mode: 'url',
  message: 'Sign in on the web.',
  url: 'https://example.com/device?code=AB12',
  elicitationId: 'page-1',
};

/**
 * Directives that ask the client for values or for a visit to a page. @type {Record<string,
 * import('./directives.mjs').Directive>}
 */
export const elicitations = {
  /** A form; fields of the request as JSON over a default. */
  async ELICIT(turn, json) {
    turn.report('ELICIT', await turn.request('elicitation/create', { ...form, ...JSON.parse(json || '{}') }));
  },
  /** A page, the same way. */
  async ELICITPAGE(turn, json) {
    turn.report('ELICITPAGE', await turn.request('elicitation/create', { ...page, ...JSON.parse(json || '{}') }));
  },
  /** A form beside the work: the turn goes on, the answer is reported when it comes. */
  ELICITASIDE(turn, json) {
    void turn
      .request('elicitation/create', { ...form, ...JSON.parse(json || '{}') })
      .then((answer) => turn.report('ELICITASIDE', answer));
  },
  ELICITPAGEASIDE(turn, json) {
    void turn
      .request('elicitation/create', { ...page, ...JSON.parse(json || '{}') })
      .then((answer) => turn.report('ELICITPAGEASIDE', answer));
  },
  /** A form of one property, given as its schema in JSON. */
  async ELICITPROPERTY(turn, json) {
    const requestedSchema = { type: 'object', properties: { value: JSON.parse(json) } };
    turn.report('ELICITPROPERTY', await turn.request('elicitation/create', { ...form, requestedSchema }));
  },
  /** A form that is withdrawn after so many milliseconds. */
  async ELICITWITHDRAWN(turn, ms) {
    const request = turn.request('elicitation/create', form);
    await turn.wait(Number(ms) || 50);
    turn.wire.notify('$/cancel_request', { requestId: request.id });
    turn.report('ELICITWITHDRAWN', await request);
  },
  /** A form after session/cancel. */
  CANCELELICIT: (turn) =>
    turn.atCancel.push(async () => void turn.report('CANCELELICIT', await turn.request('elicitation/create', form))),
  /** What was to be done on a page is done. */
  COMPLETE: (turn, elicitationId) =>
    turn.wire.notify('elicitation/complete', { elicitationId: elicitationId || page.elicitationId }),
};
