import { createHash } from 'node:crypto';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { asObject, oneOf, stringOf } from '../../acp/json';
import type { ServerDefinition, ServerEntry } from './serverDefinition';
import { type InputDefinition, inputNamed } from './serverInputs';
import { namesIn } from './variables';

/** Where a definition stands. What a workspace or another program's file says is passed on only once the user agreed. */
export type ServerSource =
  | { readonly kind: 'settings' }
  /** VS Code's own list of the user's servers. */
  | { readonly kind: 'user'; readonly file: string }
  /** `.vscode/mcp.json` of a workspace folder: hostile. */
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

/** Joins an entry with where it stands and what was decided on it. */
export function knownServer(entry: ServerEntry, source: ServerSource, declared: readonly InputDefinition[], decisionOn: (key: string) => Decision | undefined): KnownServer {
  const key = `${source.kind}:${source.kind === 'workspace' ? source.folder : ''}:${entry.name}`;
  const inputs = entry.definition ? namesIn(entry.definition, 'input').map((id) => inputNamed(declared, id)) : [];
  const fingerprint = fingerprintOf(entry.definition, inputs);
  return { ...entry, key, source, inputs, fingerprint, adoption: source.kind === 'settings' ? 'own' : adoptionOf(fingerprint, decisionOn(key)) };
}

/** Reads a decision that was kept; one that is damaged counts as none. */
export function decodeDecision(raw: unknown): Decision | undefined {
  const fingerprint = stringOf(asObject(raw)['fingerprint']);
  const choice = oneOf(asObject(raw)['choice'], ['adopted', 'declined']);
  return fingerprint === undefined || choice === undefined ? undefined : { fingerprint, choice };
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
      return l10n.t('your mcp.json');
    case 'workspace':
      return l10n.t({ message: '{0} in {1}', args: ['.vscode/mcp.json', nodePath.basename(source.folder)], comment: ['A file in a folder.'] });
  }
}

function adoptionOf(fingerprint: string, decision: Decision | undefined): Adoption {
  if (!decision) return 'new';
  return decision.fingerprint === fingerprint ? decision.choice : 'changed';
}

function fingerprintOf(definition: ServerDefinition | undefined, inputs: readonly InputDefinition[]): string {
  return createHash('sha256').update(JSON.stringify([definition, inputs])).digest('hex');
}
