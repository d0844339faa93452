import * as l10n from '@vscode/l10n';
import { messageOf } from '../../src/base/errorText';
import { sniffLength, sniffMediaType } from '../../src/base/mediaType';
import { maxImageSource, maxMediaLength, notSupported } from '../../src/protocol/attachments';
import type { ToWebview } from '../../src/protocol/messages';
import type { PartContext } from '../parts/context';
import { fromBase64, prepareImage, toBase64 } from './imagePreparation';

const sourceLimit = `${maxImageSource / 1024 / 1024} MB`;

export interface FileIntakeActions {
  /** Shows the user a text at the message box. */
  readonly say: (text: string) => void;
  /** Tells the user why a file was not added. */
  readonly refuse: (text: string) => void;
  /** The number of files in preparation has changed. */
  readonly onDidChange: () => void;
}

/** Prepares pasted or dropped files, and sends them to the host one by one. */
export class FileIntake {
  /** The number of files in preparation. */
  pending = 0;

  constructor(
    private readonly context: PartContext,
    private readonly actions: FileIntakeActions,
  ) {}

  /** @param files with a name that the user knows */
  add(files: readonly { readonly file: Blob; readonly name: string }[]): void {
    for (const { file, name } of files) {
      void this.#while(name, async () => {
        const type = sniffMediaType(new Uint8Array(await file.slice(0, sniffLength).arrayBuffer()));
        const refusal = this.#refusal(type ?? '', file, name);
        if (refusal !== undefined) this.actions.refuse(refusal);
        else if (type?.startsWith('image/')) await this.#addImage(file, name);
        else this.context.post({ type: 'attachment/add', name, data: await toBase64(file) });
      });
    }
  }

  /** An image file that the host has read. */
  prepare({ requestId, name, mimeType, data }: Extract<ToWebview, { type: 'image/prepare' }>): void {
    void this.#while(name, async () => {
      try {
        await this.#addImage(fromBase64(data, mimeType), name, requestId);
      } catch (error) {
        this.context.post({ type: 'image/refused', requestId, reason: reasonOf(error) });
      }
    });
  }

  /**
   * Item 75: a file that the agent accepts in no form is refused here, with the reason. Before the agent runs, this is
   * unknown.
   */
  #refusal(type: string, { size }: Blob, name: string): string | undefined {
    const { agent, promptCapabilities: takes } = this.context.panel();
    if (type.startsWith('image/')) {
      if (takes && !takes.image) return notSupported('image', agent);
      return size > maxImageSource ? l10n.t('{0} is larger than {1}.', name, sourceLimit) : undefined;
    }
    if (type.startsWith('audio/') && takes && !takes.audio) return notSupported('audio', agent);
    return size > (maxMediaLength / 4) * 3
      ? l10n.t('{0} is too large. Use Add Context to send it as a link.', name)
      : undefined;
  }

  async #addImage(file: Blob, name: string, requestId?: number): Promise<void> {
    const { data, preview, remark, scaled } = await prepareImage(file, name);
    this.context.post({
      type: 'attachment/add',
      name,
      data,
      remark,
      ...(preview ? { preview } : {}),
      ...(requestId === undefined ? {} : { requestId }),
    });
    if (scaled) this.actions.say(`${name}: ${remark}`);
  }

  async #while(name: string, work: () => Promise<void>): Promise<void> {
    this.pending++;
    this.actions.onDidChange();
    try {
      await work();
    } catch (error) {
      // A folder, or a deleted file: the browser reports it only when it is read.
      this.actions.refuse(error instanceof DOMException ? l10n.t('{0} cannot be read.', name) : reasonOf(error));
    } finally {
      this.pending--;
      this.actions.onDidChange();
    }
  }
}

function reasonOf(error: unknown): string {
  return messageOf(error);
}
