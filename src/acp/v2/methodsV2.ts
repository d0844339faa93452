/** Method names of the draft of ACP v2 (stable schema of v2) that Parley calls. Case-sensitive. */
export const AgentMethodsV2 = {
  initialize: 'initialize',
  authLogin: 'auth/login',
  authLogout: 'auth/logout',
  sessionNew: 'session/new',
  sessionResume: 'session/resume',
  sessionList: 'session/list',
  sessionDelete: 'session/delete',
  sessionClose: 'session/close',
  sessionPrompt: 'session/prompt',
  sessionCancel: 'session/cancel',
  sessionSetConfigOption: 'session/set_config_option',
  toolCallCancel: 'tool_call/cancel',
  terminalCancel: 'terminal/cancel',
} as const;
