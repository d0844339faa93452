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
    `${adoption === 'changed' ? 'The definition has changed since you decided. ' : ''}It is defined in ${describeSource(source)}.`,
    definition?.transport === 'stdio' ? 'Agents will run this on your machine, with your rights:' : 'Agents will send what they ask of it to this address:',
    line.length > maxLine ? `${line.slice(0, maxLine)}… (${line.length - maxLine} more characters: look at the file first)` : line,
    ...given(server),
    'You are asked again when the definition changes.',
  ];
  return { message: `Pass the MCP server “${visibleLine(name)}” on to your agents?`, detail: lines.join('\n\n') };
}

/** What the server learns of the person's: values of the file itself are shown where the file is not the person's. */
function given({ definition, inputs, source }: KnownServer): string[] {
  if (!definition) return [];
  const texts = Object.entries(definition.transport === 'stdio' ? definition.env : definition.headers);
  const shown = texts.map(([name, value]) => (source.kind === 'workspace' ? `${name}=${value}` : name)).join('\n');
  const environment = namesIn(definition, 'env');
  return [
    ...(texts.length > 0 ? [`${definition.transport === 'stdio' ? 'In this environment' : 'With these headers'}:\n${visibleText(shown).slice(0, maxLine)}`] : []),
    ...(inputs.length > 0 ? [`It is given your answers to: ${visibleLine(inputs.map(({ id }) => id).join(', '))}.`] : []),
    ...(environment.length > 0 ? [`It is given these variables of your environment: ${visibleLine(environment.join(', '))}.`] : []),
  ];
}

/** As one would type it: an argument with anything but plain characters is quoted, so that it is clear where it ends. */
function commandLine({ command, args }: StdioDefinition): string {
  return [command, ...args].map((part) => (/^[\w@%+=:,./${}-]+$/.test(part) ? part : JSON.stringify(part))).join(' ');
}
