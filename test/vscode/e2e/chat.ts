import type { Frame, Locator } from 'playwright-core';
import { until } from '../../launch/poll.mjs';

/**
 * For so long after one answer the panel takes no other, in ms: answerDelay.ts and permissionAnswers.ts, with some to
 * spare.
 */
const ANSWER_PAUSE_MS = 500;

/** The chat panel as a user works with it. */
export class Chat {
  private answeredAt = -Infinity;

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

  /** Waits until VS Code and the panel have moved the focus into the box; before that, keys go elsewhere. */
  async focused(): Promise<void> {
    await until('the focus in the message box', () =>
      this.box.evaluate((box) => box === document.activeElement && document.hasFocus()),
    );
  }

  /** Types a prompt and sends it with Enter. */
  async send(text: string): Promise<void> {
    const start = text.split('\n')[0]!.slice(0, 40);
    const before = await this.#lastPrompt();
    await this.box.fill(text);
    // A completion list over the box would take the key.
    await this.box.press('Escape');
    await this.box.press('Enter');
    // From here on the turn runs, or has ended: `idle` cannot be early.
    await until(
      async () => `“${start}” in the conversation; the box has “${await this.box.inputValue().catch(String)}”`,
      async () => {
        const now = await this.#lastPrompt();
        return now !== before && now.includes(start);
      },
    );
  }

  /** The last prompt with the name of its entry: the one before may begin with the same words. */
  #lastPrompt(): Promise<string> {
    return this.log
      .locator('.user-message')
      .evaluateAll((all) => {
        const message = all.at(-1);
        return message === undefined
          ? ''
          : `${message.closest('[data-entry]')?.getAttribute('data-entry')} ${message.textContent}`;
      })
      .catch(() => '');
  }

  /** Answers a question once it is asked and its options take clicks, with one click. */
  async answer(title: RegExp, option: string): Promise<void> {
    // Its call in the thread may have the same name.
    const card = this.permission(title).and(this.frame.locator('[data-question]'));
    const button = card.getByRole('button', { name: option, exact: true });
    await button.waitFor();
    const id = (await card.getAttribute('data-question'))!;
    // A second click of a double click is no answer to the next question: nothing on screen says for how long.
    await until('the pause after the answer before', () => Date.now() >= this.answeredAt + ANSWER_PAUSE_MS);
    await this.read(button);
    await button.click();
    const left = this.frame.locator(`[data-question=${JSON.stringify(id)}]`);
    await until(
      async () => `“${option}” to be taken; the question reads: ${(await left.allInnerTexts()).join(' / ')}`,
      async () => (await left.count()) === 0,
    );
    this.answeredAt = Date.now();
  }

  /** Presses a locked answer, which leads to what was not in view of its request, until it can be given. */
  async read(answer: Locator): Promise<void> {
    await until('an answer that can be given', () =>
      answer.evaluate((button: HTMLButtonElement) => {
        const isLocked = button.getAttribute('aria-disabled') === 'true';
        if (isLocked) button.click();
        return !isLocked;
      }),
    );
  }

  /**
   * Waits until a question takes an answer by key. The panel enables its options when it has shown them for a moment;
   * the extension host, which reads the keys, counts from when it is told of that.
   */
  async ready(card: Locator): Promise<void> {
    await this.read(card.locator('.options button').first());
    const since = Date.now();
    await until(
      'the question to be ready in the extension host too',
      () => Date.now() >= Math.max(since, this.answeredAt) + 4 * ANSWER_PAUSE_MS,
    );
  }

  /** Waits until the conversation has some text that the user has not sent. */
  async sees(text: string | RegExp, timeout = 120_000): Promise<void> {
    await this.log
      .getByText(text)
      .and(this.frame.locator(':not(.user-message, .user-message *)'))
      .first()
      .waitFor({ timeout });
  }

  /** Waits until no turn runs. Work that outlives its turn has a Stop of its own, apart from the message box. */
  async idle(timeout = 120_000): Promise<void> {
    const stop = this.frame.locator('.composer').getByRole('button', { name: 'Stop', exact: true });
    const shown = () =>
      this.frame
        .locator('button.send')
        .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')).join(' and '))
        .catch(String);
    await until(
      async () => `the turn to end; the message box offers: ${await shown()}`,
      async () => (await this.button('Send').count()) > 0 && (await stop.count()) === 0,
      { timeout },
    );
  }

  /** What stands in the conversation, as text. */
  text(): Promise<string> {
    return this.log.innerText();
  }
}
