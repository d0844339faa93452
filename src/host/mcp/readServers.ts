import { createHash } from 'node:crypto';
import nodePath from 'node:path';
import { asObject, decoded, oneOf, stringOf } from '../../base/decode';
import type { Adoption, Decision, KnownServer, ServerSource } from './knownServer';
import { decodeServerFile, decodeServers, type ServerDefinition, type ServerEntry } from './serverDefinition';
import { type InputDefinition, inputNamed } from './serverInputs';
import { namesIn } from './variables';

/** Longer names could hide the text after them. */
const maxName = 100;

/** The unread servers of one source: the text of a file, or the value of the setting. */
export type FoundServers =
  | { readonly source: Exclude<ServerSource, { kind: 'settings' }>; readonly text: string }
  | { readonly source: { readonly kind: 'settings' }; readonly value: unknown };

/**
 * Reads the found servers, in the order of precedence. @param decisionOn returns the stored decision for a server's key
 */
export function readServers(
  found: readonly FoundServers[],
  decisionOn: (source: ServerSource, key: string) => unknown,
): readonly KnownServer[] {
  return found.flatMap((item) => {
    const { source } = item;
    const { servers, inputs, problem } =
      'text' in item ? decodeServerFile(item.text) : { servers: decodeServers(item.value), inputs: [] };
    // An unreadable file becomes an entry of its own, so that the user sees why its servers are missing.
    const entries =
      problem === undefined || !('file' in source)
        ? servers
        : [{ name: nodePath.basename(source.file), definition: undefined, problem }];
    return entries.map((entry) =>
      knownServer({ ...entry, name: entry.name.slice(0, maxName) }, source, inputs, (key) =>
        decodeDecision(decisionOn(source, key)),
      ),
    );
  });
}

/** Joins an entry with its source and the user's decision. */
export function knownServer(
  entry: ServerEntry,
  source: ServerSource,
  declared: readonly InputDefinition[],
  decisionOn: (key: string) => Decision | undefined,
): KnownServer {
  const key = `${source.kind}:${placeOf(source)}:${entry.name}`;
  const inputs = entry.definition ? namesIn(entry.definition, 'input').map((id) => inputNamed(declared, id)) : [];
  const fingerprint = fingerprintOf(entry.definition, inputs);
  return {
    ...entry,
    key,
    source,
    inputs,
    fingerprint,
    adoption: source.kind === 'settings' ? 'own' : adoptionOf(fingerprint, decisionOn(key)),
  };
}

/** Distinguishes files of one kind. The first ones that Parley supported have no name. */
function placeOf(source: ServerSource): string {
  if (source.kind === 'settings') return '';
  if (nodePath.basename(source.file) === 'mcp.json') return source.kind === 'workspace' ? source.folder : '';
  return source.file;
}

/** Reads a stored decision. A damaged decision is ignored. */
export function decodeDecision(raw: unknown): Decision | undefined {
  const fingerprint = stringOf(asObject(raw)['fingerprint']);
  const choice = decoded(oneOf('adopted', 'declined'), asObject(raw)['choice']);
  return fingerprint === undefined || choice === undefined ? undefined : { fingerprint, choice };
}

function adoptionOf(fingerprint: string, decision: Decision | undefined): Adoption {
  if (!decision) return 'new';
  return decision.fingerprint === fingerprint ? decision.choice : 'changed';
}

function fingerprintOf(definition: ServerDefinition | undefined, inputs: readonly InputDefinition[]): string {
  return createHash('sha256')
    .update(JSON.stringify([definition, inputs]))
    .digest('hex');
}
