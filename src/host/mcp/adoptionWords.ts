import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../base/visibleText';
import { describeSource, type KnownServer } from './knownServer';
import type { StdioDefinition } from './serverDefinition';
import { namesIn } from './variables';

/** Characters; longer text could push the important part out of the dialog. So could more names. */
const maxLine = 1_500;
const maxNames = 50;

/** The program or address of a definition, on one line, with its variables unreplaced, so that it has no secret. */
export function describeDefinition({ definition, problem }: Pick<KnownServer, 'definition' | 'problem'>): string {
  if (!definition) return problem ?? '';
  return visibleLine(definition.transport === 'stdio' ? commandLine(definition) : definition.url);
}

export interface AdoptionQuestion {
  readonly message: string;
  readonly detail: string;
  /** False if not even all names fit, so that the user must not agree to it. */
  readonly isComplete: boolean;
}

/** The question whether a server is passed on: its program or address, and its inputs. */
export function adoptionQuestion(server: KnownServer): AdoptionQuestion {
  const { name, definition, adoption, source } = server;
  const facts = given(server);
  const lines = [
    [
      ...(adoption === 'changed' ? [l10n.t('The definition has changed since you decided.')] : []),
      l10n.t('Defined in {0}.', describeSource(source)),
    ].join(' '),
    definition?.transport === 'stdio'
      ? l10n.t('Agents will run this on your machine, with your permissions:')
      : l10n.t('Agents will send their requests to this address:'),
    cut(describeDefinition(server), maxLine),
    ...(facts ?? [
      l10n.t(
        'Its variable, header or input names are too many or too long to show here. Open the definition to see ' +
          'them. To use this server, copy it to the parley.mcpServers setting.',
      ),
    ]),
    l10n.t('Parley asks again when the definition changes.'),
  ];
  return {
    message: l10n.t('Allow agents to use the MCP server “{0}”?', visibleLine(name)),
    detail: lines.join('\n\n'),
    isComplete: facts !== undefined,
  };
}

/**
 * The user's data that the server gets: values in the file are shown unless it is the user's own file.
 * @returns undefined if not even the names fit.
 */
function given({ definition, inputs, source }: KnownServer): string[] | undefined {
  if (!definition) return [];
  const texts = Object.entries(definition.transport === 'stdio' ? definition.env : definition.headers);
  const environment = namesIn(definition, 'env');
  if (![texts.map(([name]) => name), inputs.map(({ id }) => id), environment].every(fit)) return undefined;
  const shown = source.kind === 'workspace' ? withValues(texts) : texts.map(([name]) => visibleLine(name));
  return [
    ...(texts.length > 0
      ? [
          [
            definition.transport === 'stdio'
              ? l10n.t('With these environment variables:')
              : l10n.t('With these headers:'),
            ...shown,
          ].join('\n'),
        ]
      : []),
    ...(inputs.length > 0
      ? [l10n.t('It gets these inputs: {0}.', visibleLine(inputs.map(({ id }) => id).join(', ')))]
      : []),
    ...(environment.length > 0
      ? [l10n.t('It gets these variables from your environment: {0}.', visibleLine(environment.join(', ')))]
      : []),
  ];
}

function fit(names: readonly string[]): boolean {
  return names.length <= maxNames && visibleLine(names.join(', ')).length <= maxLine;
}

/** Values share the room that the names leave, so that a long one does not hide another variable. */
function withValues(texts: readonly (readonly [name: string, value: string])[]): string[] {
  const lines = texts.map(([name, value]) => ({ name: visibleLine(name), value: visibleLine(value) }));
  const roomOf = (part: 'name' | 'value') => lines.reduce((sum, line) => sum + line[part].length, 0);
  const isShort = roomOf('name') + roomOf('value') <= maxLine;
  const room = Math.max(0, Math.floor((maxLine - roomOf('name')) / lines.length));
  return lines.map(({ name, value }) => `${name}=${isShort ? value : cut(value, room)}`);
}

function cut(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const rest = l10n.t('({0} more characters: open the definition to see them)', line.length - limit);
  return `${line.slice(0, limit)}… ${rest}`;
}

/** As a user would type it: arguments with special characters are quoted, so that their end is visible. */
function commandLine({ command, args }: StdioDefinition): string {
  return [command, ...args].map((part) => (/^[\w@%+=:,./${}-]+$/.test(part) ? part : JSON.stringify(part))).join(' ');
}
