import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ServerEntry } from './serverDefinition';
import type { InputDefinition } from './serverInputs';

/**
 * The source of a definition. One from a workspace or another program's file is passed on only after the user agreed.
 */
export type ServerSource =
  | { readonly kind: 'settings' }
  /** A list of the user's servers outside of any workspace: VS Code's own, or that of Copilot. */
  | { readonly kind: 'user'; readonly file: string }
  /** `.vscode/mcp.json` or `.mcp.json` of a workspace folder: hostile. */
  | { readonly kind: 'workspace'; readonly file: string; readonly folder: string };

/**
 * The user's decision on a definition. `own`: it is in the user's settings of Parley. `new`, `changed`: not decided
 * yet; `changed` if another definition of that name was decided on.
 */
export type Adoption = 'own' | 'adopted' | 'declined' | 'new' | 'changed';

/** A server that is defined somewhere, whether or not it can be passed on. */
export interface KnownServer extends ServerEntry {
  /** Identifies the definition among all sources; stable while its text changes. */
  readonly key: string;
  readonly source: ServerSource;
  /** The inputs that the definition uses. */
  readonly inputs: readonly InputDefinition[];
  /** Covers everything that is passed on, and the questions. */
  readonly fingerprint: string;
  readonly adoption: Adoption;
}

/** The stored decision of the user on a definition. */
export interface Decision {
  readonly fingerprint: string;
  readonly choice: 'adopted' | 'declined';
}

/** True while the user must review it before it can be passed on. */
export function awaitsReview({ definition, adoption }: Pick<KnownServer, 'definition' | 'adoption'>): boolean {
  return definition !== undefined && (adoption === 'new' || adoption === 'changed');
}

/** The source of a definition, for showing. */
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
