import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ServerEntry } from './serverDefinition';
import type { InputDefinition } from './serverInputs';

/**
 * Where a definition stands. What a workspace or another program's file says is passed on only once the user agreed.
 */
export type ServerSource =
  | { readonly kind: 'settings' }
  /** A list of the user's servers outside of any workspace: VS Code's own, or that of Copilot. */
  | { readonly kind: 'user'; readonly file: string }
  /** `.vscode/mcp.json` or `.mcp.json` of a workspace folder: hostile. */
  | { readonly kind: 'workspace'; readonly file: string; readonly folder: string };

/**
 * How the user stands to a definition. `own`: it is in the user's settings of Parley. `new`, `changed`: to be asked
 * about; `changed` where another definition of that name was decided on.
 */
export type Adoption = 'own' | 'adopted' | 'declined' | 'new' | 'changed';

/** A server that is defined somewhere, whether or not it can be passed on. */
export interface KnownServer extends ServerEntry {
  /** Names the definition among all sources; stable while its text changes. */
  readonly key: string;
  readonly source: ServerSource;
  /** Those that the definition uses. */
  readonly inputs: readonly InputDefinition[];
  /** Of everything that is passed on, and of the questions. */
  readonly fingerprint: string;
  readonly adoption: Adoption;
}

/** What the user decided on a definition, as it is kept. */
export interface Decision {
  readonly fingerprint: string;
  readonly choice: 'adopted' | 'declined';
}

/** True while the user has to look at it before it can be passed on. */
export function awaitsReview({ definition, adoption }: Pick<KnownServer, 'definition' | 'adoption'>): boolean {
  return definition !== undefined && (adoption === 'new' || adoption === 'changed');
}

/** Where a definition stands, for showing. */
export function describeSource(source: ServerSource): string {
  switch (source.kind) {
    case 'settings':
      return l10n.t('your settings');
    case 'user':
      return nodePath.basename(source.file) === 'mcp.json' ? l10n.t('your mcp.json') : '~/.copilot/mcp-config.json';
    case 'workspace':
      return l10n.t({
        message: '{0} in {1}',
        args: [nodePath.relative(source.folder, source.file).replaceAll('\\', '/'), nodePath.basename(source.folder)],
        comment: ['A file in a folder.'],
      });
  }
}
