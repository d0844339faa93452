import * as l10n from '@vscode/l10n';
import { visibleLine, visibleText } from '../../base/visibleText';
import { describeSource, type KnownServer } from './knownServer';
import type { StdioDefinition } from './serverDefinition';
import { namesIn } from './variables';

/** Characters; what is longer could push what matters out of the dialog. */
const maxLine = 1_500;

/** What a definition runs or reaches, on one line, as it is written: variables stay variables, so no secret is in it. */
export function describeDefinition({ definition, problem }: Pick<KnownServer, 'definition' | 'problem'>): string {
  if (!definition) return problem ?? '';
  return visibleLine(definition.transport === 'stdio' ? commandLine(definition) : definition.url);
}

/** The question whether a server is passed on: what it runs or reaches, and what it is given. */
export function adoptionQuestion(server: KnownServer): { readonly message: string; readonly detail: string } {
  const { name, definition, adoption, source } = server;
  const line = describeDefinition(server);
  const lines = [
    [...(adoption === 'changed' ? [l10n.t('The definition has changed since you decided.')] : []), l10n.t('Defined in {0}.', describeSource(source))].join(' '),
    definition?.transport === 'stdio' ? l10n.t('Agents will run this on your machine, with your permissions:') : l10n.t('Agents will send their requests to this address:'),
    line.length > maxLine ? `${line.slice(0, maxLine)}… ${l10n.t('({0} more characters: look at the file first)', line.length - maxLine)}` : line,
    ...given(server),
    l10n.t('Parley asks again when the definition changes.'),
  ];
  return { message: l10n.t('Pass the MCP server “{0}” on to your agents?', visibleLine(name)), detail: lines.join('\n\n') };
}

/** What the server learns of the user's: values of the file itself are shown where the file is not the user's. */
function given({ definition, inputs, source }: KnownServer): string[] {
  if (!definition) return [];
  const texts = Object.entries(definition.transport === 'stdio' ? definition.env : definition.headers);
  const shown = texts.map(([name, value]) => (source.kind === 'workspace' ? `${name}=${value}` : name)).join('\n');
  const environment = namesIn(definition, 'env');
  return [
    ...(texts.length > 0 ? [`${definition.transport === 'stdio' ? l10n.t('With these environment variables:') : l10n.t('With these headers:')}\n${visibleText(shown).slice(0, maxLine)}`] : []),
    ...(inputs.length > 0 ? [l10n.t('It gets these inputs: {0}.', visibleLine(inputs.map(({ id }) => id).join(', ')))] : []),
    ...(environment.length > 0 ? [l10n.t('It gets these variables of your environment: {0}.', visibleLine(environment.join(', ')))] : []),
  ];
}

/** As one would type it: an argument with anything but plain characters is quoted, so that it is clear where it ends. */
function commandLine({ command, args }: StdioDefinition): string {
  return [command, ...args].map((part) => (/^[\w@%+=:,./${}-]+$/.test(part) ? part : JSON.stringify(part))).join(' ');
}
