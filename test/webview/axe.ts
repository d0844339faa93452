import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

declare global {
  interface Window {
    axe: { run(root: object, options: object): Promise<{ violations: Violation[] }> };
  }
}

/**
 * The script of the accessibility checks: evaluated in a page or frame before `runAxe` is. What the debugger evaluates
 * is not subject to the page's policy.
 */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * What breaks a rule of the panel's accessibility. Runs in the page.
 * @param coloursOnly leaves out the rules that do not depend on the theme
 */
export async function runAxe(coloursOnly: boolean): Promise<Violation[]> {
  // Pages of tests are left unpainted, and axe passes over what is transparent.
  const sheets = [...document.adoptedStyleSheets];
  document.adoptedStyleSheets = [];
  const result = await window.axe.run(document, {
    runOnly: coloursOnly
      ? { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
      : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
    rules: {
      // The agent button is named for what it does and shows who the agent is.
      'label-content-name-mismatch': { enabled: false },
      // The webview is a part of a window that has its own landmarks and main heading.
      region: { enabled: false },
      'landmark-one-main': { enabled: false },
      'page-has-heading-one': { enabled: false },
      'heading-order': { enabled: false },
    },
    resultTypes: ['violations'],
  });
  document.adoptedStyleSheets = sheets;
  return result.violations;
}
