import * as l10n from '@vscode/l10n';
import type { NodeLack } from '../../node/installFailure';
import type { RuntimeOffer } from '../../node/ownRuntime';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { bytesWords } from './installWords';

/** Asks before Parley downloads its own Node.js for an agent. @param name of the agent */
export async function askForNode(name: string, problem: NodeLack, offer: RuntimeOffer): Promise<boolean> {
  const action = l10n.t('Download Node.js');
  const shown = plainText(name, 80);
  const question =
    problem.kind === 'oldNode'
      ? l10n.t('{0} needs Node.js {1}. Use Parley’s own?', shown, problem.wanted)
      : l10n.t('{0} needs Node.js. Use Parley’s own?', shown);
  const detail = [lackWords(problem), ...runtimeFacts(offer)].join('\n\n');
  return (await markedWindow.showInformationMessage(question, { modal: true, detail }, action)) === action;
}

/** The facts that a user agrees to before Parley downloads its own Node.js. */
export function runtimeFacts({ node, npm, bytes, host, packages }: RuntimeOffer): string[] {
  return [
    l10n.t(
      'Parley downloads Node.js {0} and npm {1} ({2}) for its agents. They are not added to your PATH.',
      node,
      npm,
      bytesWords(bytes),
    ),
    l10n.t('From: {0}', `${host}\n${packages.join(', ')}`),
    l10n.t('The files must match the SHA-512 that Parley knows.'),
  ];
}

function lackWords(problem: NodeLack): string {
  switch (problem.kind) {
    case 'noNode':
      return l10n.t('Parley can’t find Node.js on your PATH.');
    case 'noNpm':
      return l10n.t('Parley can’t find npm on your PATH.');
    case 'oldNode':
      return l10n.t('{0} is version {1}.', problem.file, problem.version);
  }
}
