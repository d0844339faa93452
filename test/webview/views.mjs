/** Views to show in the harness: the state that a host would send, with a word for each part that a test wants. */

/** @typedef {import('../../src/protocol/viewModel').PanelView} PanelView */
/** @typedef {import('../../src/protocol/viewModel').EntryView} EntryView */
/** @typedef {import('../../src/protocol/viewModel').ToolCallView} ToolCallView */
/** @typedef {import('../../src/protocol/viewModel').TerminalView} TerminalView */
/** @typedef {import('../../src/protocol/viewModel').DiffView} DiffView */
/** @typedef {import('../../src/protocol/viewModel').ThreadView} ThreadView */

/** A panel whose agent is ready. @param {Partial<PanelView>} [fields] @returns {PanelView} */
export function panelView(fields = {}) {
  return {
    agent: 'Demo Agent',
    connection: { state: 'ready' },
    turn: { running: false, stopping: false, canForceStop: false },
    modes: [
      { id: 'ask', name: 'Ask first', description: 'Asks before each change' },
      { id: 'auto', name: 'Auto', description: 'Changes files without asking' },
    ],
    currentModeId: 'ask',
    permissiveMode: false,
    commands: [],
    plan: [],
    notices: [],
    changes: [],
    pendingQuestions: [],
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    sendWith: 'enter',
    platform: 'other',
    history: [],
    ...fields,
  };
}

/** @param {EntryView[]} entries @param {Partial<PanelView>} [panel] @param {TerminalView[]} [terminals] @returns {ThreadView} */
export function threadView(entries = [], panel = {}, terminals = []) {
  return { threadId: 'thread', panel: panelView(panel), entries, terminals };
}

/** @param {string} id @param {string} text @returns {EntryView} */
export function userMessage(id, text) {
  return { kind: 'userMessage', id, content: [{ type: 'text', text }], dropped: false };
}

/** @param {string} id @param {string} text @param {boolean} [streaming] @returns {EntryView} */
export function agentMessage(id, text, streaming = false) {
  return { kind: 'agentMessage', id, content: [{ type: 'text', text }], streaming };
}

/** @param {string} id @param {Partial<ToolCallView>} [fields] @returns {ToolCallView} */
export function toolCall(id, fields = {}) {
  return { kind: 'toolCall', id, title: 'Read tokenizer.ts', toolKind: 'read', status: 'completed', locations: [], content: [], permissions: [], startedAt: 1000, durationMs: 400, ...fields };
}

/** @param {Partial<DiffView>} [fields] @returns {DiffView} */
export function diff(fields = {}) {
  return {
    type: 'diff',
    path: '/work/src/tokenizer.ts',
    label: 'src/tokenizer.ts',
    isNew: false,
    added: 3,
    removed: 1,
    hunks: [{
      oldStart: 21,
      newStart: 21,
      lines: [
        { kind: 'context', text: '  const [head, rest] = next(text);' },
        { kind: 'remove', text: '  return [head, ...tokenize(rest)];' },
        { kind: 'add', text: '  while (rest) {' },
        { kind: 'add', text: '    stack.push(next(rest));' },
        { kind: 'add', text: '  }' },
      ],
    }],
    truncated: false,
    ...fields,
  };
}

/** @param {string} terminalId @param {Partial<TerminalView>} [fields] @returns {TerminalView} */
export function terminal(terminalId, fields = {}) {
  return {
    terminalId,
    command: 'npm test -- tokenizer',
    firstRow: 0,
    rows: [
      [{ text: '$ npm test -- tokenizer', classes: 'dim' }],
      [{ text: '✓', classes: 'fg-2' }, { text: ' nested quotes (2 ms)' }],
      [{ text: '✓', classes: 'fg-2' }, { text: ' empty input (0 ms)' }],
      [],
      [{ text: '12 passed', classes: 'b fg-10' }, { text: ' in 0.8 s', classes: 'dim' }],
    ],
    running: false,
    exitCode: 0,
    durationMs: 3400,
    canOpen: true,
    ...fields,
  };
}
