/**
 * Method names of the draft of ACP v2 that Parley calls, `session/fork` to `session/set_title` from its unstable
 * schema. Case-sensitive.
 */
export const AgentMethodsV2 = {
  initialize: 'initialize',
  authLogin: 'auth/login',
  authLogout: 'auth/logout',
  sessionNew: 'session/new',
  sessionResume: 'session/resume',
  sessionList: 'session/list',
  sessionDelete: 'session/delete',
  sessionClose: 'session/close',
  sessionFork: 'session/fork',
  sessionArchive: 'session/archive',
  sessionUnarchive: 'session/unarchive',
  sessionSetTitle: 'session/set_title',
  sessionPrompt: 'session/prompt',
  sessionCancel: 'session/cancel',
  sessionSetConfigOption: 'session/set_config_option',
  toolCallCancel: 'tool_call/cancel',
  terminalCancel: 'terminal/cancel',
} as const;
