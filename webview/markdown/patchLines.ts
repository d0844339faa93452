/** Whether a block of code is a patch. */
export function isPatch(language: string, start: string): boolean {
  return language === 'diff' || language === 'patch' || /^\*\*\* Begin Patch\r?\n/.test(start);
}

/** Marks the lines of a patch as added and removed. The text stays as it is, so that a copy is a patch. */
export function markPatchLines(piece: HTMLElement): void {
  const lines = (piece.textContent ?? '').split('\n');
  piece.replaceChildren(
    ...lines.flatMap((line, i) => {
      const isLast = i === lines.length - 1;
      if (isLast && line === '') return [];
      const row = document.createElement('span');
      row.className = `patch-line ${kindOf(line)}`;
      row.append(line, isLast ? '' : '\n');
      return [row];
    }),
  );
}

function kindOf(line: string): string {
  if (/^(?:\+\+\+ |--- |diff |index |\*\*\* |@@)/.test(line)) return 'head';
  return line.startsWith('+') ? 'add' : line.startsWith('-') ? 'remove' : '';
}
