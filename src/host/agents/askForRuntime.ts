import * as l10n from '@vscode/l10n';
import type { RuntimeLack } from '../../node/installFailure';
import type { RuntimeOffer } from '../../node/ownRuntime';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { bytesWords } from './installWords';

/** Asks before Parley downloads a runtime of its own for an agent. @param name of the agent */
export async function askForRuntime(name: string, problem: RuntimeLack, offer: RuntimeOffer): Promise<boolean> {
  const action = offer.name === 'node' ? l10n.t('Download Node.js') : l10n.t('Download uv');
  const detail = runtimeFacts(lackWords(problem), offer).join('\n\n');
  const question = questionWords(plainText(name, 80), problem);
  return (await markedWindow.showInformationMessage(question, { modal: true, detail }, action)) === action;
}

/** The facts that a user agrees to before Parley downloads a runtime of its own. @param reason a sentence */
export function runtimeFacts(reason: string, { name, versions, bytes, host, packages }: RuntimeOffer): string[] {
  const from = [l10n.t('From: {0}', host), packages.join(', ')];
  if (name === 'node') {
    const download = l10n.t(
      'Parley downloads Node.js {0} and npm {1} ({2}) for its agents and does not add them to your PATH.',
      versions[0]!,
      versions[1]!,
      bytesWords(bytes ?? 0),
    );
    const check = l10n.t('The files must match the SHA-512 that Parley knows.');
    return [`${reason} ${download}`, [...from, check].join('\n')];
  }
  const download = l10n.t('Parley downloads uv {0} for its agents and does not add it to your PATH.', versions[0]!);
  const check = l10n.t('The file must match the SHA-256 that Parley knows.');
  const python = l10n.t(
    'If this machine has no suitable Python, uv downloads one, too, and verifies it. Parley removes both with the ' +
      'last agent that needs them.',
  );
  return [`${reason} ${download}`, [...from, check].join('\n'), python];
}

function questionWords(agent: string, problem: RuntimeLack): string {
  if (problem.kind === 'noUv') return l10n.t('{0} needs uv. Use Parley’s own?', agent);
  return problem.kind === 'oldNode'
    ? l10n.t('{0} needs Node.js {1}. Use Parley’s own?', agent, problem.wanted)
    : l10n.t('{0} needs Node.js. Use Parley’s own?', agent);
}

function lackWords(problem: RuntimeLack): string {
  switch (problem.kind) {
    case 'noNode':
      return l10n.t('Parley can’t find Node.js on your PATH.');
    case 'noNpm':
      return l10n.t('Parley can’t find npm on your PATH.');
    case 'noUv':
      return l10n.t('Parley can’t find uv on your PATH.');
    case 'oldNode':
      return l10n.t('{0} is version {1}.', problem.file, problem.version);
  }
}
