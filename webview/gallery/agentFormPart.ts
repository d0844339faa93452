import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type {
  AgentFormValues,
  AgentFormVariable,
  AgentFormView,
  ConnectionTestView,
} from '../../src/protocol/agentForm';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import type { PartContext } from '../parts/context';
import { focusOn } from '../lib/reveal';

/** A variable with its own number, so that its row keeps its fields when another one is removed. */
type Row = AgentFormVariable & { readonly number: number };

type Text = Record<'name' | 'command' | 'args' | 'cwd', string>;

/** The form for an agent of the user's own. Typed secrets are only in its fields and in no state. */
export class AgentFormPart {
  readonly element = document.createElement('form');
  #view: AgentFormView | undefined;
  #text: Text = { name: '', command: '', args: '', cwd: '' };
  #rows: readonly Row[] = [];
  #count = 0;

  constructor(private readonly context: PartContext) {
    this.element.className = 'agent-form';
    this.element.noValidate = true;
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send('agentForm/save');
    });
  }

  update(view: AgentFormView): void {
    const isNew = view.id !== this.#view?.id;
    this.#view = view;
    if (isNew) {
      const { name, command, args, env, cwd } = view.values;
      this.#text = { name, command, args: args.join('\n'), cwd };
      this.#rows = env.map((item) => ({ ...item, number: ++this.#count }));
    }
    this.#draw();
    if (isNew) focusOn(this.element.querySelector('input'));
  }

  #draw(): void {
    const view = this.#view;
    if (!view) return;
    const field = (key: keyof Text) => (event: Event) => {
      this.#text = { ...this.#text, [key]: (event.target as HTMLInputElement).value };
      this.#keep();
    };
    render(
      html`<h2>${view.title}</h2>
        <label>${l10n.t('Name')}<input type="text" .value=${this.#text.name} @input=${field('name')}
          spellcheck="false" /></label>
        <label>${l10n.t('Command')}<input type="text" placeholder=${l10n.t('A program on your PATH, or a path')}
          .value=${this.#text.command} @input=${field('command')} spellcheck="false" /></label>
        <label>${l10n.t('Arguments')}<textarea rows="2" placeholder=${l10n.t('One per line')} .value=${this.#text.args}
          @input=${field('args')} spellcheck="false"></textarea></label>
        <fieldset>
          <legend>${l10n.t('Environment variables')}</legend>
          ${repeat(
            this.#rows,
            (row) => row.number,
            (row) => this.#variable(row),
          )}
          <button type="button" class="secondary" @click=${() => this.#addRow()}>${l10n.t('Add Variable')}</button>
        </fieldset>
        <label>${l10n.t('Folder')}<input type="text" placeholder=${l10n.t('The workspace folder')}
          .value=${this.#text.cwd} @input=${field('cwd')} spellcheck="false" /></label>
        <p class="dim hint">${l10n.t(
          'Use ${env:NAME}, ${userHome} and ${workspaceFolder} in any field below Name. VS Code stores secrets in ' +
            'its secret storage.',
        )}</p>
        ${
          view.problem
            ? html`<p class="agent-problem" role="alert">${icon('error', 'failed')}<span>${view.problem}</span></p>`
            : nothing
        }
        ${view.test ? testResult(view.test) : nothing}
        <div class="buttons">
          <button type="submit" class="primary">${l10n.t('Save')}</button>
          <button type="button" class="secondary" ?disabled=${view.test?.state === 'running'}
            @click=${() => this.#send('agentForm/test')}>${l10n.t('Test Connection')}</button>
          <button type="button" class="secondary"
            @click=${() => this.context.post({ type: 'agentForm/close' })}>${l10n.t('Cancel')}</button>
        </div>`,
      this.element,
    );
  }

  #variable(row: Row) {
    const change = (fields: Partial<Row>, redraw = false) => {
      this.#rows = this.#rows.map((other) => (other.number === row.number ? { ...other, ...fields } : other));
      this.#keep();
      if (redraw) this.#draw();
    };
    const { name } = row;
    return html`<div class="variable">
      <input type="text" class="variable-name" aria-label=${l10n.t('Name of the variable')} placeholder="NAME"
        .value=${name} @input=${(event: Event) => change({ name: (event.target as HTMLInputElement).value })}
        spellcheck="false" />
      <input type=${row.isSecret ? 'password' : 'text'} class="variable-value" autocomplete="off"
        aria-label=${name === '' ? l10n.t('Value of the variable') : l10n.t('Value of {0}', name)}
        placeholder=${row.isKept && row.isSecret ? l10n.t('Stored') : l10n.t('Value')} .value=${row.value}
        @input=${(event: Event) => change({ value: (event.target as HTMLInputElement).value })} spellcheck="false" />
      <label class="check"><input type="checkbox" .checked=${row.isSecret}
        @change=${(event: Event) =>
          change({ isSecret: (event.target as HTMLInputElement).checked }, true)} />${l10n.t('Secret')}</label>
      <button type="button" class="icon-button codicon codicon-trash" title=${l10n.t('Remove')}
        aria-label=${name === '' ? l10n.t('Remove the variable') : l10n.t('Remove {0}', name)}
        @click=${() => this.#removeRow(row)}></button>
    </div>`;
  }

  #addRow(): void {
    this.#rows = [...this.#rows, { name: '', value: '', isSecret: false, isKept: false, number: ++this.#count }];
    this.#draw();
    focusOn([...this.element.querySelectorAll<HTMLInputElement>('.variable-name')].at(-1));
  }

  #removeRow(row: Row): void {
    this.#rows = this.#rows.filter((other) => other !== row && other.number !== row.number);
    this.#keep();
    this.#draw();
    focusOn(this.element.querySelector<HTMLElement>('fieldset > button'));
  }

  #send(type: 'agentForm/save' | 'agentForm/test'): void {
    this.context.post({ type, values: this.#values() });
  }

  /** Sends the values to the host, for when the panel is hidden and shown again. A secret must be typed again then. */
  #keep(): void {
    const values = this.#values();
    this.context.post({
      type: 'agentForm/draft',
      values: {
        ...values,
        env: values.env.map((row) =>
          row.isSecret ? { ...row, value: '', isKept: row.isKept && row.value === '' } : row,
        ),
      },
    });
  }

  #values(): AgentFormValues {
    const { name, command, args, cwd } = this.#text;
    return {
      name,
      command,
      cwd,
      args: args.split('\n').filter((line) => line !== ''),
      env: this.#rows.map(({ number: _number, ...row }) => row),
    };
  }
}

function testResult(test: ConnectionTestView) {
  if (test.state === 'running')
    return html`<p class="test-result dim" role="status">${spinner()}${l10n.t('Starting the agent')}</p>`;
  if (test.state === 'failed')
    return html`<div class="test-result" role="status"><p
      class="agent-problem">${icon('error', 'failed')}<span>${test.problem}</span></p>${
        test.stderr
          ? html`<pre class="notice-detail" tabindex="0" aria-label=${l10n.t('Error output')}>${test.stderr}</pre>`
          : nothing
      }</div>`;
  return html`<div class="test-result" role="status"><p
    class="test-passed">${icon('pass', 'passed')}${l10n.t('The agent answered.')}</p><dl>${test.lines.map(
      ({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`,
    )}</dl></div>`;
}
