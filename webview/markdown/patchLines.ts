import { LateCode } from '../lib/latePart';

const drawing = new LateCode(() => import('./patchBlock'));

/** The part of a code that tells whether it is a patch. Characters. */
export const PATCH_START = 400;

/** Whether a block of code is a patch. @param start its first `PATCH_START` characters */
export function isPatch(language: string, start: string): boolean {
  return (
    language === 'diff' ||
    language === 'patch' ||
    /^(?:\*\*\* Begin Patch\r?\n|diff --git |--- [^\n]*\n\+\+\+ [^\n]*\n@@ )/.test(start)
  );
}

/** Draws code that is a patch as a diff. The text stays unchanged, so that a copy is a patch. */
export function drawAsPatch(code: HTMLElement): void {
  const draw = (): void => drawing.get(draw, reportError)?.drawPatch(code);
  draw();
}
