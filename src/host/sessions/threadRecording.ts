import type { ThreadAction } from '../../thread/actions';
import type { TranscriptHeader, TranscriptStore } from './transcriptStore';

/**
 * Writes what happens in one thread to its transcript, from the first prompt on: threads in which nobody asked anything
 * leave no file.
 */
export class ThreadRecording {
  #unwritten: ThreadAction[] = [];

  /** @param begun the thread has its file already. */
  constructor(
    private readonly transcripts: Pick<TranscriptStore, 'begin' | 'append'>,
    private readonly header: TranscriptHeader,
    private begun: boolean,
  ) {}

  get hasBegun(): boolean {
    return this.begun;
  }

  record(action: ThreadAction): void {
    if (this.begun) this.transcripts.append(this.header.id, action);
    else this.#unwritten.push(action);
  }

  /** Gives the thread its file, with what has happened so far. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.transcripts.begin(this.header);
    for (const action of this.#unwritten) this.transcripts.append(this.header.id, action);
    this.#unwritten = [];
  }
}
