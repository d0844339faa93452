import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { silentLogger } from '../../src/base/log';
import { KeepHistory } from '../../src/host/changes/keepHistory';
import { ReviewService } from '../../src/host/changes/reviewService';
import { Review } from '../../src/host/review/review';
import type { TiedTurns } from '../../src/host/review/confirmations';
import { FakeClock } from './fakeClock';
import { contentOfText } from '../../src/host/storage/contentInHand';

/**
 * The review of one window with one session and one file on disk. It takes no notice of what is not its own until it
 * looks.
 */
export class ReviewWindow {
  readonly reported: string[] = [];
  readonly asked: string[] = [];
  /** The answer to a question about other turns. */
  withOthers: boolean | undefined = true;
  readonly service: ReviewService;
  readonly keeping: KeepHistory;
  readonly review: Review;
  turn = 'e0';

  constructor(
    readonly sessionId: string,
    private readonly path: string,
  ) {
    const [clock, isGuarded, confirm, report] = [
      new FakeClock(),
      () => false,
      async () => true,
      (message: string) => void this.reported.push(message),
    ];
    const baselines = { set: (_path: string, key: string) => key, add: () => '', deleteAll: () => undefined };
    this.service = new ReviewService({
      scopes: () => undefined,
      baselines: baselines as never,
      clock,
      log: silentLogger,
      turnOf: () => this.turn,
      dialogs: { confirm, report },
    });
    this.keeping = new KeepHistory(this.service);
    const askTied = async ({ wish, turns, hasRest }: TiedTurns) => {
      this.asked.push(`${wish} ${turns.map(({ title }) => title).join(', ')}${hasRest ? ', or the rest' : ''}`);
      return this.withOthers;
    };
    this.review = new Review(this.service, this.keeping, () => dirname(path), clock, {
      movedFrom: () => undefined,
      isGuarded,
      askGuarded: async () => false,
      askTied,
      turnName: (_, turn) => ({ number: undefined, title: turn }),
      report,
    });
  }

  /** Its agent writes the file. */
  agent(change: (lines: string[]) => string[], turn = this.turn): void {
    this.turn = turn;
    const before = readFileSync(this.path, 'utf8');
    const after = change(before.split('\n')).join('\n');
    writeFileSync(this.path, after);
    this.service.record(this.sessionId, this.path, contentOfText(before), contentOfText(after));
  }

  close(): void {
    for (const part of [this.review, this.service]) part.dispose();
  }
}
