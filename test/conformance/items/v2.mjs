import { items } from '../item.mjs';

const draft = 'The draft of version 2 is not built yet.';

/** The draft of version 2, behind a setting. */
export const v2 = items(
  [191, 'M', 'v2-initialize', 'initialize of version 2 has info and capability objects.', 'schema v2', [], draft],
  [192, 'M', 'v2-the-state-ends-the-turn', 'The answer to a prompt does not end the turn; an idle state does, with its reason.', 'schema v2', [], draft],
  [193, 'M', 'v2-upserts', 'Messages, tools and terminals: omit keeps, null clears, lists replace, chunks append.', 'schema v2', [], draft],
  [194, 'M', 'v2-unknown-states', 'An unknown state is never idle; idle again is no second end.', 'schema v2', [], draft],
  [195, 'M', 'v2-terminal-bytes', 'Terminal chunks are decoded one by one, with the state of the decoder kept.', 'v2 tool calls', [], draft],
  [196, 'M', 'v2-cancel-what-can-be', 'A call or terminal is cancelled only while it says that it can be.', 'schema v2', [], draft],
  [197, 'M', 'v2-resume-replays', 'resume with replayFrom replaces load.', 'schema v2', [], draft],
  [198, 'M', 'v2-has-no-v1-methods', 'Methods that version 2 has not are neither sent nor served.', 'v2 migration', [], draft],
  [199, 'M', 'v2-falls-back', 'An agent that answers 1 is spoken to in version 1.', 'v2 migration', [], draft],
  [200, 'M', 'v2-permission-subjects', 'A question without a known subject is asked by its title and description.', 'schema v2', [], draft],
);
