import type { Frame } from 'playwright-core';
import { until } from '../../launch/poll.mjs';

/** The chat panel as a person works with it. */
export class Chat {
  constructor(readonly frame: Frame) {}

  get box() {
    return this.frame.getByRole('textbox', { name: 'Message' });
  }

  get log() {
    return this.frame.getByRole('log', { name: 'Conversation' });
  }

  button(name: string | RegExp) {
    return this.frame.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  }

  permission(title: string | RegExp) {
    return this.frame.getByRole('group', { name: typeof title === 'string' ? `Permission: ${title}` : title });
  }

  toolCall(title: string | RegExp) {
    return this.frame.getByRole('group', typeof title === 'string' ? { name: title, exact: true } : { name: title });
  }

  /** Types a prompt and sends it with Enter. */
  async send(text: string): Promise<void> {
    await this.box.click();
    await this.box.fill(text);
    // A completion list over the box would take the key.
    await this.box.press('Escape');
    await this.box.press('Enter');
    // From here on the turn runs, or has ended: `idle` cannot be early.
    await until(`“${text.slice(0, 40)}” in the conversation`, async () => (await this.log.locator('.user-message').last().innerText().catch(() => '')).includes(text.split('\n')[0]!.slice(0, 40)));
  }

  /** Answers a question once it is asked. Options take no click for a moment after they appear, so this holds on. */
  async answer(title: RegExp, option: string): Promise<void> {
    const button = this.permission(title).getByRole('button', { name: option, exact: true });
    await button.waitFor();
    await until(`“${option}” to be taken`, async () => {
      await button.click({ timeout: 1_000 }).catch(() => undefined);
      return (await button.count()) === 0;
    });
  }

  /** Waits until some text stands in the conversation. */
  async sees(text: string | RegExp, timeout = 20_000): Promise<void> {
    await this.log.getByText(text).first().waitFor({ timeout });
  }

  /** Waits until no turn runs. */
  async idle(timeout = 30_000): Promise<void> {
    await until('the turn to end', async () => (await this.button('Send').count()) > 0 && (await this.button('Stop').count()) === 0, { timeout });
  }

  /** What stands in the conversation, as text. */
  text(): Promise<string> {
    return this.log.innerText();
  }
}
