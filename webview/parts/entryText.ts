import type { ContentView } from '../../src/protocol/contentView';
import type { DiffView } from '../../src/protocol/diffView';
import type { EntryView } from '../../src/protocol/entryView';
import type { ElicitationView, FormFieldView } from '../../src/protocol/formView';
import { optionLabels } from '../../src/protocol/permissionOptions';
import type { PermissionView } from '../../src/protocol/permissionView';
import type { TerminalView } from '../../src/protocol/terminalView';
import type { ToolCallView } from '../../src/protocol/toolCallView';
import { showsOptions } from './formField';

type Terminals = (id: string) => TerminalView | undefined;

/** The text that an entry shows without being opened, from the data alone: it may not be drawn. */
export function shownTexts(view: EntryView, terminal: Terminals): readonly string[] {
  switch (view.kind) {
    case 'userMessage':
    case 'agentMessage':
      return view.content.flatMap(contentTexts);
    case 'thought':
    case 'compaction':
      return [];
    case 'toolCall':
      return [view.title, ...view.permissions.flatMap(permissionTexts), ...cardTexts(view.content, terminal)];
    case 'notice':
      return present(view.title, view.detail);
    case 'elicitation':
      return formTexts(view);
  }
}

/** The further text of an opened entry, and of its buttons, which is not copied. */
export function foldedTexts(view: EntryView): readonly string[] {
  switch (view.kind) {
    case 'thought':
    case 'compaction':
      return view.content.flatMap(contentTexts);
    case 'toolCall':
      return [
        ...view.locations.map(({ label }) => label),
        ...present(view.command === view.title ? undefined : view.command),
        ...view.content.flatMap((c) => (c.type === 'content' ? contentTexts(c.content) : [])),
        ...present(view.input, view.output, view.name),
        ...view.permissions.flatMap(({ options }) =>
          optionLabels(options).flatMap(({ text, quoted, whole }) => present(text, quoted, whole)),
        ),
      ];
    default:
      return [];
  }
}

function contentTexts(content: ContentView): readonly string[] {
  switch (content.type) {
    case 'text':
      return [content.text];
    case 'resource':
      return present(content.label, content.text);
    case 'resourceLink':
      return present(content.label, content.description);
    default:
      return [];
  }
}

function cardTexts(content: ToolCallView['content'], terminal: Terminals): readonly string[] {
  return content.flatMap((card) => {
    if (card.type === 'content') return [];
    if (card.type === 'diff') return diffTexts(card);
    if (card.output) return present(card.output.lines.join('\n'));
    const shown = terminal(card.terminalId);
    return shown
      ? present(shown.command, shown.rows.map((row) => row.map(({ text }) => text).join('')).join('\n'))
      : [];
  });
}

function diffTexts({ label, hunks, remark }: DiffView): readonly string[] {
  return present(label, remark, ...hunks.map(({ lines }) => lines.map((line) => line.slice(1)).join('\n')));
}

function permissionTexts({
  title,
  description,
  risks = [],
  command,
  url,
  content,
  input,
}: PermissionView): readonly string[] {
  return present(
    title,
    description,
    ...risks.map(({ text }) => text),
    command,
    url,
    ...cardTexts(content, () => undefined),
    input,
  );
}

function formTexts({ title, message, body, state, answers }: ElicitationView): readonly string[] {
  const waits = state === 'waiting' || state === 'opened';
  const asked = body.type === 'page' ? [waits ? body.url : body.host] : waits ? body.fields.flatMap(fieldTexts) : [];
  return present(title, message, ...asked, ...answers.flatMap(({ label, text }) => [label, text]));
}

function fieldTexts(field: FormFieldView): readonly (string | undefined)[] {
  const options = showsOptions(field) ? field.options.flatMap((option) => [option.title, option.description]) : [];
  return [field.label, field.description, ...options];
}

function present(...texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text): text is string => text !== undefined && text !== '');
}
