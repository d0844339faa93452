import type { Logger } from '../../base/log';

/** A log in which none of some secrets can stand, whatever an agent repeats of them in its errors or on stderr. */
export function withoutSecrets(log: Logger, secrets: () => Iterable<string>): Logger {
  const conceal = (message: string) => {
    let text = message;
    for (const secret of secrets()) text = text.replaceAll(secret, '•••');
    return text;
  };
  return {
    trace: (message) => log.trace(conceal(message)),
    debug: (message) => log.debug(conceal(message)),
    info: (message) => log.info(conceal(message)),
    warn: (message) => log.warn(conceal(message)),
    error: (message) => log.error(conceal(message)),
  };
}
