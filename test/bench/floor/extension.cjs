/*
 * The least that showing an agent's text in a webview can cost: the same agent, its frames read and parsed by the
 * extension host, the text posted once per frame and appended to a <pre>. What Parley needs is measured against this.
 */
const { spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
  /** @type {vscode.WebviewView | undefined} */
  let view;
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('parley-floor.view', {
      resolveWebviewView(resolved) {
        view = resolved;
        view.webview.options = { enableScripts: true };
        view.webview.onDidReceiveMessage((message) => run(view, message.prompt));
        view.webview.html = page;
      },
    }),
    vscode.commands.registerCommand('parley-floor.run', () =>
      vscode.commands.executeCommand('parley-floor.view.focus'),
    ),
    vscode.commands.registerCommand('parley-floor.memory', writeMemory),
  );
};

/** What all extensions of this host hold, in bytes, into the file that the benchmark names. */
function writeMemory() {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // What the first collection finalises the second one frees.
  collect();
  collect();
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  writeFileSync(process.env.PARLEY_BENCH_MEMORY, JSON.stringify({ heapUsed, external, arrayBuffers, rss }));
}

/** @param {vscode.WebviewView} view @param {string} prompt */
function run(view, prompt) {
  const agent = spawn(process.execPath, [process.env.PARLEY_BENCH_AGENT], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const send = (id, method, params) => agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  let pending = '';
  let timer;
  let rest = [];
  const flush = () => {
    timer = undefined;
    view.webview.postMessage({ text: pending });
    pending = '';
  };
  const take = (line) => {
    const message = JSON.parse(line);
    if (message.id === 1) send(2, 'session/new', { cwd: process.cwd(), mcpServers: [] });
    else if (message.id === 2)
      send(3, 'session/prompt', { sessionId: message.result.sessionId, prompt: [{ type: 'text', text: prompt }] });
    else if (message.id === 3) {
      clearTimeout(timer);
      flush();
      view.webview.postMessage({ done: true });
      agent.stdin.end();
    } else if (message.method === 'session/update') {
      const text = textOf(message.params.update);
      if (text === '') return;
      pending += text;
      timer ??= setTimeout(flush, 16);
    }
  };
  agent.stdout.on('data', (chunk) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10)) {
      rest.push(chunk.subarray(0, at));
      take(Buffer.concat(rest).toString('utf8'));
      rest = [];
      chunk = chunk.subarray(at + 1);
    }
    rest.push(chunk);
  });
  send(1, 'initialize', { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: 'floor', version: '0' } });
}

/** What there is to read of an update. */
function textOf(update) {
  if (update.sessionUpdate === 'agent_message_chunk') return update.content.text;
  if (!update.sessionUpdate.startsWith('tool_call')) return '';
  return [update.title, ...(update.content ?? []).map((content) => content.newText)].filter(Boolean).join('\n');
}

const page = `<!DOCTYPE html><html><body><textarea aria-label="Message"></textarea><pre id="out" style="white-space:pre-wrap">Ready.</pre><script>
const api = acquireVsCodeApi(), out = document.getElementById('out');
window.start = (prompt) => new Promise((resolve) => {
  out.textContent = '';
  window.onmessage = ({ data }) => {
    if (data.text !== undefined) { out.append(data.text); scrollTo(0, document.body.scrollHeight); }
    if (data.done) requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
  };
  api.postMessage({ prompt });
});
window.ready = true;
</script></body></html>`;
