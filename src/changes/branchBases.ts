/**
 * Whether two states of git's configuration differ in nothing but what VS Code's own Git extension notes there: from which
 * branch another one comes (`branch.NAME.vscode-merge-base`). It does so when it hears of a new branch, whoever has made that.
 */
export function differInBranchBases(before: string, after: string): boolean {
  return before !== after && withoutBases(before) === withoutBases(after);
}

function withoutBases(config: string): string {
  const lines = config.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*vscode-merge-base\s*=[^\\]*$/.test(line));
  // A branch of which nothing else is said is as good as none.
  return lines.filter((line, i) => !(isBranch(line) && (lines[i + 1] === undefined || lines[i + 1]!.trimStart().startsWith('[')))).join('\n');
}

function isBranch(line: string): boolean {
  return /^\[branch "[^\]]*"\]$/.test(line.trim());
}
