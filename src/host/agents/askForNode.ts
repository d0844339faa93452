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
  const detail = runtimeFacts(lackWords(problem), offer).join('\n\n');
  return (await markedWindow.showInformationMessage(question, { modal: true, detail }, action)) === action;
}

/** The facts that a user agrees to before Parley downloads its own Node.js. @param reason a sentence */
export function runtimeFacts(reason: string, { node, npm, bytes, host, packages }: RuntimeOffer): string[] {
  const download = l10n.t(
    'Parley downloads Node.js {0} and npm {1} ({2}) for its agents and does not add them to your PATH.',
    node,
    npm,
    bytesWords(bytes),
  );
  const check = l10n.t('The files must match the SHA-512 that Parley knows.');
  return [`${reason} ${download}`, [l10n.t('From: {0}', host), packages.join(', '), check].join('\n')];
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
