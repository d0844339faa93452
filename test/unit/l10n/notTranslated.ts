/** Words that are the same in every language. */
export const names = new Set([
  'Parley',
  'Parley Demo',
  'Git',
  'Node',
  'Python',
  'VS Code',
  'Markdown',
  'Unicode',
  'uv (Python)',
]);

/** Files whose texts no user reads in the product, and who reads them. */
export const notForUsers: Readonly<Record<string, string>> = {
  'src/acp/decodeOptions.ts': 'the log',
  'src/acp/dialect.ts': 'the log',
  'src/acp/errors.ts': 'the agent',
  'src/acp/openRequests.ts': 'the agent',
  'src/acp/rpcEndpoint.ts': 'the log',
  'src/acp/serve.ts': 'the agent',
  'src/acp/v2/connectionV2.ts': 'the log',
  'src/base/assert.ts': 'whoever changes Parley',
  'src/base/json.ts': 'the log',
  'src/base/hiddenCharacters.ts': 'users without a translation: src/protocol/translateMarks.ts has the same words',
  'src/base/vector.ts': 'whoever changes Parley',
  'src/changes/notes.ts': 'the agent',
  'src/host/files/placesOnDisk.ts': 'the disk',
  'src/host/agents/check/testPrompt.ts': 'the agent',
  'src/host/ask/answerRefusal.ts': 'the agent',
  'src/host/ask/apiErrors.ts': 'whoever writes an extension that uses Parley',
  'src/host/ask/commitMessage.ts': 'the agent',
  'src/host/ask/remarks.ts': 'the agent',
  'src/host/ask/repositoryChanges.ts': 'the agent',
  'src/host/attachments/contextText.ts': 'the agent',
  'src/host/files/documentEdits.ts': 'the agent',
  'src/host/sessions/conversationBlock.ts': 'the agent',
  'src/host/sessions/chatViews.ts': 'whoever changes Parley',
  'src/node/commandTerminal.ts': 'the agent',
  'src/node/downloadFile.ts': 'the log',
  'src/node/gitContents.ts': 'the log',
  'src/node/indexCache.ts': 'the log',
  'src/node/loginShell.ts': 'the login shell',
  'src/node/nodeRuntime.ts': 'Node',
  'src/node/npmConfiguration.ts': 'a registry',
  'src/node/openWithoutLinks.ts': 'the agent',
  'src/node/patternCheck.ts': 'Node',
  'src/node/pinnedCommits.ts': 'whoever changes Parley',
  'src/node/pinnedGit.ts': 'the log',
  'src/node/pty.ts': 'the log',
  'src/node/readRepositoryFile.ts': 'the log',
  'src/node/runProgram.ts': 'the log',
  'src/node/uvProgram.ts': 'the system: names of folders',
  'src/node/watchdog.ts': 'the system: a script and variables',
  'src/permission/assess.ts': 'whoever changes Parley',
  'src/permission/runners.ts': 'nobody: names of programs',
  'src/permission/wildcardPrograms.ts': 'nobody: names of programs',
  'src/permission/wrappers.ts': 'nobody: options of programs',
  'src/protocol/permissionOptions.ts': 'nobody: words that agents use',
  'src/protocol/patch.ts': 'whoever changes Parley',
  'src/registry/decodeIndex.ts': 'the log',
  'src/thread/markdown.ts': 'the agent',
  'src/thread/sessionLink.ts': 'whoever changes Parley',
  'src/thread/turns.ts': 'the log',
  'webview/main.ts': 'the browser: names of keys',
  'webview/lib/mac.ts': 'the browser: a part of its name',
};

/** Such texts in files that have others for users. */
export const exceptTexts: Readonly<Record<string, readonly string[]>> = {
  // The end of the output that the agent gets.
  'src/host/attachments/terminalCommands.ts': ['(still running)', '(exit code {})'],
  // Why only the user may allow it, for tests.
  'src/host/permissions/permissionGate.ts': ['the session works outside of its folders'],
  // As git writes it.
  'src/view/sessionMarkdown.ts': ['\\ No newline at end of file'],
  // A selector.
  'webview/parts/planBlocks.ts': ['h1, h2, h3, h4, h5, h6, p, li, tr, .code-block, .math.display'],
  // What the agent is told.
  'webview/parts/planComments.ts': ['Comments on the plan:'],
};
