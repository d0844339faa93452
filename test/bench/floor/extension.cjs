/*
 * The least that showing an agent's text in a webview can cost: the same agent, its frames read and parsed by the
 * extension host, the text posted once per frame and appended to a <pre>. What Parley needs is measured against this.
 */
const { spawn } = require('node:child_process');
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
        view.webview.onDidReceiveMessage((message) => run(view, message.count));
        view.webview.html = page;
      },
    }),
    vscode.commands.registerCommand('parley-floor.run', () => vscode.commands.executeCommand('parley-floor.view.focus')),
  );
};

/** @param {vscode.WebviewView} view @param {number} count */
function run(view, count) {
  const agent = spawn(process.execPath, [process.env.PARLEY_BENCH_AGENT], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } });
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
    else if (message.id === 2) send(3, 'session/prompt', { sessionId: message.result.sessionId, prompt: [{ type: 'text', text: `/flood ${count}` }] });
    else if (message.id === 3) {
      clearTimeout(timer);
      flush();
      view.webview.postMessage({ done: true });
      agent.stdin.end();
    } else if (message.params?.update?.sessionUpdate === 'agent_message_chunk') {
      pending += message.params.update.content.text;
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

const page = `<!DOCTYPE html><html><body><textarea aria-label="Message"></textarea><pre id="out" style="white-space:pre-wrap">Ready.</pre><script>
const api = acquireVsCodeApi(), out = document.getElementById('out');
window.start = (count) => new Promise((resolve) => {
  out.textContent = '';
  window.onmessage = ({ data }) => {
    if (data.text !== undefined) { out.append(data.text); scrollTo(0, document.body.scrollHeight); }
    if (data.done) requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
  };
  api.postMessage({ count });
});
window.ready = true;
</script></body></html>`;
