/** Method names of ACP v1 (stable schema). Case-sensitive. */
export const AgentMethods = {
  initialize: 'initialize',
  authenticate: 'authenticate',
  logout: 'logout',
  sessionNew: 'session/new',
  sessionLoad: 'session/load',
  sessionList: 'session/list',
  sessionDelete: 'session/delete',
  sessionResume: 'session/resume',
  sessionClose: 'session/close',
  sessionPrompt: 'session/prompt',
  sessionCancel: 'session/cancel',
  sessionSetMode: 'session/set_mode',
  sessionSetConfigOption: 'session/set_config_option',
  /** Only in the unstable schema; only where the agent advertised them. */
  sessionFork: 'session/fork',
  sessionArchive: 'session/archive',
  sessionUnarchive: 'session/unarchive',
  sessionSetTitle: 'session/set_title',
  /** No longer in the schema; the only way to choose a model for agents that answer with `models`. */
  sessionSetModel: 'session/set_model',
  /** An extension; only where the agent advertised it. */
  sessionSteering: '_session/steering',
} as const;

export const ClientMethods = {
  sessionUpdate: 'session/update',
  requestPermission: 'session/request_permission',
  readTextFile: 'fs/read_text_file',
  writeTextFile: 'fs/write_text_file',
  terminalCreate: 'terminal/create',
  terminalOutput: 'terminal/output',
  terminalWaitForExit: 'terminal/wait_for_exit',
  terminalKill: 'terminal/kill',
  terminalRelease: 'terminal/release',
  elicitationCreate: 'elicitation/create',
  elicitationComplete: 'elicitation/complete',
  /** Extensions that agents send without negotiation. */
  authStatus: '_auth/status_update',
  rateLimits: '_account/rate_limits_update',
} as const;
