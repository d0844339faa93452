/** Words that are the same in every language. */
export const names = new Set(['Parley', 'Parley Demo', 'Git', 'Node', 'Python', 'VS Code', 'Markdown', 'Unicode']);

/** Files whose texts no user reads in the product, and who reads them. */
export const notForUsers: Readonly<Record<string, string>> = {
  'src/host/attachments/boundedDiff.ts': 'the agent',
  'src/host/attachments/problemsText.ts': 'the agent',
  'src/host/files/documentEdits.ts': 'the agent',
  'src/host/sessions/conversationBlock.ts': 'the agent',
  'src/host/sessions/sessionDirectory.ts': 'whoever changes Parley',
};

/** Such texts in files that have others for users. */
export const exceptTexts: Readonly<Record<string, readonly string[]>> = {
  // The end of the output that the agent gets.
  'src/host/attachments/terminalCommands.ts': ['(still running)', '(exit code {})'],
};
