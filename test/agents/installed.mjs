import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { builtInAgents } from '../launch/builtInAgents.mjs';
import { cacheFolder } from '../launch/project.mjs';
import { npm } from '../launch/run.mjs';
import { vscodeFromNpm } from '../launch/vscode.mjs';

/**
 * @typedef {object} AgentPackage
 * @property {string} title Key in `parley.agents`, and its button.
 * @property {{ name: string, version: string }} [npm] Its package, where Parley does not offer it by itself.
 * @property {{ name: string, version: string }} [runtime] A package whose program of the same name runs its own.
 * @property {(home: string, modelUrl: string) => Record<string, string>} prepare Writes the agent's own configuration
 * into
 *   its home and gives the variables that lead it to our model instead of its maker's.
 * @property {string[]} program Its program inside the package, and how it is told to speak ACP.
 * @property {'terminal' | 'text' | 'nothing'} output How what a command prints comes to the user.
 * @property {boolean} tellsPlans What it plans is on the wire, as a plan or as what a tool is given.
 * @property {boolean} [loadsOnlyAfterMinute] It loses a session that is loaded in the minute in which it began.
 * @property {boolean} [hasForms] It asks the user in forms.
 * @property {boolean} [steers] It takes messages into the turn that runs (`_session/steering`).
 * @property {{ id: string, name: RegExp }} [askingMode] The mode in which it asks before it edits, if that is not the
 * one it begins in.
 * @property {boolean} [textOnly] It takes neither images nor embedded files.
 * @property {boolean} [editsUnasked] It asks for commands only.
 * @property {boolean} [hasSubagents] The model of these tests can have it run a subagent.
 * @property {boolean} [ignoresSession] It takes neither the folder of a session nor its MCP servers: it works where its
 *   process was started.
 * @property {boolean} [usesTerminals] It runs commands in terminals of its client.
 */

const features = {
  tool_call: true,
  reasoning: true,
  attachment: true,
  modalities: { input: ['text', 'image'], output: ['text'] },
  limit: { context: 200_000, output: 32_000 },
};

/** @type {Record<string, AgentPackage>} */
export const agents = {
  claude: {
    title: 'Claude Code',
    program: ['dist/index.js'],
    output: 'terminal',
    tellsPlans: true,
    hasForms: true,
    hasSubagents: true,
    steers: true,
    askingMode: { id: 'default', name: /^(Manual|Default|Always Ask)/ },
    prepare: (_home, modelUrl) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'sk-ant-not-a-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      ENABLE_TOOL_SEARCH: 'false',
      CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
      // In a container that sets it, the agent would offer to bypass permissions and then refuse to start as root.
      IS_SANDBOX: '',
    }),
  },
  codex: {
    title: 'Codex',
    program: ['dist/index.js'],
    output: 'terminal',
    tellsPlans: true,
    hasForms: true,
    steers: true,
    askingMode: { id: 'read-only', name: /^Read-only/ },
    prepare(home, modelUrl) {
      const folder = join(home, '.codex');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'config.toml'), codexConfiguration(modelUrl));
      return {
        CODEX_HOME: folder,
        CODEX_API_KEY: 'not-a-key',
        OPENAI_API_KEY: 'not-a-key',
        MODEL_KEY: 'not-a-key',
        INITIAL_AGENT_MODE: 'workspace-write',
      };
    },
  },
  gemini: {
    title: 'Gemini CLI',
    program: ['bundle/gemini.js', '--acp', '--skip-trust'],
    output: 'nothing',
    tellsPlans: false,
    loadsOnlyAfterMinute: true,
    prepare(home, modelUrl) {
      writeSettings(join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      });
      // Only models of this series are given a tool for a list of things to do.
      return {
        GOOGLE_GEMINI_BASE_URL: modelUrl,
        GEMINI_API_KEY: 'not-a-key',
        GEMINI_CLI_NO_RELAUNCH: 'true',
        GEMINI_MODEL: 'gemini-2.5-pro',
      };
    },
  },
  opencode: {
    title: 'OpenCode',
    program: ['bin/opencode.exe', 'acp'],
    output: 'text',
    tellsPlans: true,
    prepare(home, modelUrl) {
      const models = {
        'fake-model': { name: 'Fake Model', ...features },
        'fake-model-2': { name: 'Fake Model 2', ...features },
      };
      writeSettings(join(home, '.config/opencode/opencode.json'), {
        autoupdate: false,
        share: 'disabled',
        model: 'fake/fake-model',
        small_model: 'fake/fake-model',
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Fake',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'not-a-key' },
            models,
          },
        },
        permission: { edit: 'ask', bash: 'ask', webfetch: 'ask' },
      });
      return {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      };
    },
  },
  qwen: {
    title: 'Qwen Code',
    // Its own default lets a model decide what the user is asked.
    program: ['cli-entry.js', '--acp', '--approval-mode', 'default'],
    output: 'text',
    tellsPlans: true,
    prepare(home, modelUrl) {
      writeSettings(join(home, '.qwen/settings.json'), {
        security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
        // A model that it does not know gets no images.
        model: { name: 'fake-model', generationConfig: { modalities: { image: true } } },
        tools: { todoWrite: { enabled: true } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      });
      return {
        OPENAI_BASE_URL: `${modelUrl}/v1`,
        OPENAI_API_KEY: 'not-a-key',
        OPENAI_MODEL: 'fake-model',
        QWEN_CODE_NO_RELAUNCH: 'true',
      };
    },
  },
  nanocoder: {
    title: 'Nanocoder',
    npm: { name: '@nanocollective/nanocoder', version: '1.30.0' },
    program: ['dist/cli.js', '--acp'],
    output: 'text',
    tellsPlans: false,
    askingMode: { id: 'normal', name: /^normal/ },
    textOnly: true,
    ignoresSession: true,
    prepare(home, modelUrl) {
      const provider = {
        name: 'Fake',
        baseUrl: `${modelUrl}/v1`,
        apiKey: 'not-a-key',
        models: ['fake-model', 'fake-model-2'],
      };
      writeSettings(join(home, '.config/nanocoder/agents.config.json'), { nanocoder: { providers: [provider] } });
      // It trusts no folder that it does not know, and tells so only in a terminal.
      writeSettings(join(home, '.config/nanocoder/nanocoder-preferences.json'), {
        lastProvider: 'Fake',
        lastModel: 'fake-model',
        trustedDirectories: ['/'],
      });
      return {};
    },
  },
  omp: {
    title: 'oh-my-pi',
    npm: { name: '@oh-my-pi/pi-coding-agent', version: '18.2.3' },
    runtime: { name: 'bun', version: '1.4.5' },
    program: ['dist/cli.js', 'acp'],
    output: 'terminal',
    tellsPlans: true,
    hasForms: true,
    editsUnasked: true,
    usesTerminals: true,
    prepare(home, modelUrl) {
      const model = {
        id: 'fake-model',
        name: 'Fake Model',
        reasoning: true,
        input: ['text', 'image'],
        contextWindow: 200_000,
        maxTokens: 32_000,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      };
      // JSON is YAML.
      writeSettings(join(home, '.omp/agent/models.yml'), {
        providers: {
          fake: { baseUrl: `${modelUrl}/v1`, api: 'openai-completions', apiKey: 'not-a-key', models: [model] },
        },
      });
      writeSettings(join(home, '.omp/agent/config.yml'), { modelRoles: { default: 'fake/fake-model' } });
      return { PI_OFFLINE: '1', OMP_OFFLINE: '1' };
    },
  },
};

/** @param {string} file @param {object} settings */
function writeSettings(file, settings) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(settings));
}

/** Whether the tests run with the newest versions on npm instead of those that Parley offers. */
const wantsNewest = process.env['PARLEY_NEWEST_AGENTS'] === '1';

/**
 * Installs an agent from npm, once, and the Node that it needs. Several hundred megabytes each.
 * @param {string} name
 */
export async function install(name) {
  const agent = agentNamed(name);
  const folder = folderOf(name);
  const { node } = await vscodeFromNpm();
  const version = wantsNewest ? (await npm(['view', agent.package, 'version'])).trim() : agent.version;
  if (!isInstalled(name, version)) {
    console.log(`Installing ${agent.package}@${version}…`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    // npm runs on our Node, but what the package runs while it is installed wants the newer one.
    const env = { ...process.env, PATH: pathWith(node) };
    const runtime = agent.runtime ? [`${agent.runtime.name}@${agent.runtime.version}`] : [];
    await npm(['install', '--prefix', folder, `${agent.package}@${version}`, ...runtime], { env });
  }
  return node;
}

/**
 * How to start an installed agent against the model.
 * @param {string} name
 * @param {string} node
 * @param {string} home
 * @param {string} modelUrl
 */
export function launchOf(name, node, home, modelUrl) {
  const agent = agentNamed(name);
  mkdirSync(home, { recursive: true });
  const [program = '', ...args] = agent.program;
  const file = join(packageFolder(name), program);
  const isScript = program.endsWith('.js');
  const runtime = agent.runtime ? join(folderOf(name), 'node_modules/.bin', agent.runtime.name) : node;
  return {
    title: agent.title,
    askingMode: agent.askingMode?.id,
    output: agent.output,
    hasForms: agent.hasForms === true,
    command: isScript ? runtime : file,
    args: isScript ? [file, ...args] : args,
    env: {
      ...agent.prepare(home, modelUrl),
      HOME: home,
      USERPROFILE: home,
      PATH: pathWith(node),
      NO_BROWSER: '1',
      DO_NOT_TRACK: '1',
      NO_UPDATE_NOTIFIER: '1',
      // Some read another configuration in a test.
      NODE_ENV: '',
    },
  };
}

/** @param {string} node */
function pathWith(node) {
  return [dirname(node), process.env['PATH']].join(delimiter);
}

/** @param {string} name @param {string} version */
function isInstalled(name, version) {
  const manifest = join(packageFolder(name), 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
}

/** @param {string} name */
function packageFolder(name) {
  return join(folderOf(name), 'node_modules', agentNamed(name).package);
}

/** @param {string} name */
function folderOf(name) {
  return join(cacheFolder, 'agents', name);
}

/** @param {string} name */
function agentNamed(name) {
  const agent = agents[name];
  if (!agent) throw new Error(`There is no agent ${name} here; there are ${Object.keys(agents).join(', ')}.`);
  const builtIn = builtInAgents().find(({ id }) => id === name);
  const { name: packageName, version } = agent.npm ?? { name: builtIn?.package ?? '', version: builtIn?.version ?? '' };
  return { ...agent, package: packageName, version };
}

/** @param {string} modelUrl */
function codexConfiguration(modelUrl) {
  return `model = "gpt-5.5"
model_provider = "fake"
model_reasoning_effort = "medium"
model_reasoning_summary = "auto"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.fake]
name = "Fake"
base_url = "${modelUrl}/v1"
env_key = "MODEL_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1

[tools.update_plan]
enabled = true
`;
}
