/**
 * The tools of the agents that are tested, as their own models would call them. One family has the names of one agent;
 * where two agents share a name they share its arguments.
 *
 * @typedef {import('./script.mjs').Tool} Tool
 * @typedef {{ type: 'tool', name: string, input: Record<string, unknown> | string }} ToolStep
 * @typedef {{ content: string, status: 'pending' | 'in_progress' | 'completed' }} Todo
 */

/** @param {readonly Tool[]} tools @param {string[]} names */
function first(tools, ...names) {
  return names.find((name) => tools.some((tool) => tool.name === name));
}

/** @param {string} command @param {readonly Tool[]} tools @returns {ToolStep} */
export function runCall(command, tools) {
  const name = first(tools, 'Bash', 'bash', 'run_shell_command', 'execute_bash');
  if (name)
    return {
      type: 'tool',
      name,
      input: { command, description: 'Run it', ...(name === 'run_shell_command' && { is_background: false }) },
    };
  // Without the escalation the command would run in a sandbox and nobody would be asked.
  return {
    type: 'tool',
    name: 'exec_command',
    input: { cmd: command, sandbox_permissions: 'require_escalated', justification: 'The test wants to be asked' },
  };
}

/** A subagent that says these words. @param {string} words @param {readonly Tool[]} tools @returns {ToolStep} */
export function taskCall(words, tools) {
  const name = first(tools, 'Task', 'Agent', 'task') ?? 'Task';
  const kind = name === 'task' ? 'general' : 'general-purpose';
  return call(name, { description: 'Ask the child', prompt: `%%SAY ${words}`, subagent_type: kind });
}

/** @param {readonly Tool[]} tools @returns {ToolStep} */
export function askCall(tools) {
  const options = ['Red', 'Blue'].map((label) => ({ label, description: `Choose ${label}` }));
  const question = { id: 'colour', question: 'Which colour do you prefer?', header: 'Colour', options };
  if (first(tools, 'ask')) return call('ask', { i: 'Ask', questions: [{ ...question, multi: false }] });
  if (first(tools, 'AskUserQuestion'))
    return { type: 'tool', name: 'AskUserQuestion', input: { questions: [{ ...question, multiSelect: false }] } };
  return { type: 'tool', name: 'request_user_input', input: { questions: [question] } };
}

/**
 * Reads the file where the agent wants that first, then edits it.
 * @param {string} file @param {string} before @param {string} after @param {readonly Tool[]} tools
 * @param {string} read what the tool before returned @returns {ToolStep[]}
 */
export function editCalls(file, before, after, tools, read) {
  if (first(tools, 'string_replace'))
    return [call('read_file', { path: file }), call('string_replace', { path: file, old_str: before, new_str: after })];
  if (tools.some(({ name, fields }) => name === 'edit' && fields?.includes('input'))) {
    // Lines by number, of the version of the file that was read.
    const [, version = ''] = /#(\w{4})\]/.exec(read) ?? [];
    return [
      call('read', { path: file }),
      call('edit', { i: 'Edit the file', input: `[${file}#${version}]\nPUT 2.=2:\n+${after}\n` }),
    ];
  }
  const camel = first(tools, 'edit') && tools.some((tool) => tool.name === 'read');
  if (camel) {
    return [
      { type: 'tool', name: 'read', input: { filePath: file } },
      { type: 'tool', name: 'edit', input: { filePath: file, oldString: before, newString: after } },
    ];
  }
  const name = first(tools, 'Edit', 'replace', 'edit');
  if (name) {
    const input = {
      file_path: file,
      old_string: before,
      new_string: after,
      ...(name === 'replace' && { instruction: 'Change the line.' }),
    };
    return [
      { type: 'tool', name: first(tools, 'Read', 'read_file') ?? 'Read', input: { file_path: file } },
      { type: 'tool', name, input },
    ];
  }
  const patch = `*** Begin Patch\n*** Update File: ${file}\n@@\n-${before}\n+${after}\n*** End Patch\n`;
  const tool = tools.find((tool) => tool.name === 'apply_patch');
  return [{ type: 'tool', name: 'apply_patch', input: tool?.kind === 'custom' ? patch : { input: patch } }];
}

/**
 * Asks the editor for problems and references, then renames.
 * @param {string} path @param {string} symbol @param {string} next @param {readonly Tool[]} tools @returns {ToolStep[]}
 */
export function editorCalls(path, symbol, next, tools) {
  // Two agents tell their models of such tools only when they look for them.
  const search = tools.find(({ name }) => name === 'tool_search');
  const query =
    search?.kind === 'tool_search'
      ? 'references rename diagnostics'
      : 'select:mcp__vscode__diagnostics,mcp__vscode__references,mcp__vscode__rename_symbol';
  return [
    ...(search ? [call('tool_search', { query })] : []),
    editorCall('diagnostics', { path }, tools),
    editorCall('references', { symbol, path }, tools),
    editorCall('rename_symbol', { symbol, path, new_name: next }, tools),
  ];
}

/** @param {string} tool @param {Record<string, unknown>} input @param {readonly Tool[]} tools @returns {ToolStep} */
function editorCall(tool, input, tools) {
  const offered = tools.find(({ name }) => name.endsWith(tool) && (name === tool || name.includes('vscode')));
  if (!offered && tools.some(({ name }) => name === 'tool_call'))
    return call('tool_call', { name: `mcp__vscode__${tool}`, arguments: input });
  return call(offered?.name ?? `mcp__vscode__${tool}`, input);
}

/** Tells the plan three times, from its beginning to its end. @param {readonly Tool[]} tools @returns {ToolStep[]} */
export function planCalls(tools) {
  const texts = ['Inspect the code', 'Make the change', 'Run the tests'];
  const phases = [0, 1, 3].map((done) => texts.map((content, index) => ({ content, status: statusAt(index, done) })));
  if (first(tools, 'TaskCreate')) {
    const create = texts.map((subject) => ({ subject, description: subject, activeForm: subject }));
    const update = [
      ['1', 'in_progress'],
      ['1', 'completed'],
      ['2', 'completed'],
      ['3', 'completed'],
    ].map(([taskId, status]) => ({ taskId, status }));
    return [...create.map((input) => call('TaskCreate', input)), ...update.map((input) => call('TaskUpdate', input))];
  }
  const list = tools.find(({ name, fields }) => name === 'todo' && fields?.includes('op'));
  if (list)
    return [{ op: 'init', items: texts }, ...texts.map((task) => ({ op: 'done', task }))].map((input) =>
      call('todo', { i: 'Plan', ...input }),
    );
  if (first(tools, 'update_plan'))
    return phases.map((phase) =>
      call('update_plan', { plan: phase.map(({ content, status }) => ({ step: content, status })) }),
    );
  if (first(tools, 'write_todos'))
    return phases.map((phase) =>
      call('write_todos', { todos: phase.map(({ content, status }) => ({ description: content, status })) }),
    );
  const todos = phases.map((phase) => ({
    todos: phase.map((todo, index) => ({ id: String(index + 1), priority: 'medium', ...todo })),
  }));
  const name = first(tools, 'TodoWrite', 'todowrite', 'todo_write');
  if (name) return todos.map((input) => call(name, input));
  // What is not offered at once is looked for first, then called through another tool.
  return [
    call('tool_search', { query: 'select:todo_write' }),
    ...todos.map((input) => call('tool_call', { name: 'todo_write', arguments: input })),
  ];
}

/** @param {number} index @param {number} done @returns {Todo['status']} */
function statusAt(index, done) {
  if (index < done) return 'completed';
  return index === done ? 'in_progress' : 'pending';
}

/** @param {string} name @param {Record<string, unknown>} input @returns {ToolStep} */
function call(name, input) {
  return { type: 'tool', name, input };
}
