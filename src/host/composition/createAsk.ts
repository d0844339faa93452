import { Later } from '../../base/later';
import { askTable } from '../ask/askCommands';
import type { AttachmentsOptions } from '../attachments/messageAttachments';
import type { ChatPanels } from '../panel/chatPanels';
import type { CommandTable } from '../panel/commandTables';
import type { Basis } from './basis';
import type { Sessions } from './sessions';

/** What asks an agent from outside the panel. All of it is loaded when it is first used. */
export function createAsk(
  { own, context }: Basis,
  { service: sessions, attachmentStore: store }: Sessions,
  panels: ChatPanels,
  { terminals }: Pick<AttachmentsOptions, 'terminals'>,
): CommandTable {
  const ask = own(
    new Later(async () => {
      const { AskAgent } = await import('../ask/askAgent');
      return new AskAgent({ sessions, panels, terminals, store, state: context.globalState });
    }),
  );
  return askTable(ask);
}
