import type { Logger } from '../../base/log';
import { withoutSecretText } from '../../permission/secretText';

/** A log without secrets, whatever an agent repeats of them in its errors or on stderr. */
export interface SecretlessLog extends Logger {
  /** Leaves secrets out of a text that is to be shortened before it is logged: half a secret is not found any more. */
  readonly conceal: (text: string) => string;
}

/** Names of variables that have secrets, as far as a name tells. */
const secretName = /(?:TOKEN|SECRET|PASSWD|PASSWORD|KEY|CREDENTIALS?|_PAT)$/i;
/** Shorter values of variables, lines and encoded forms would be found in many words. */
const shortest = 6;

/** The values of variables that sound secret. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortest && secretName.test(name) ? [value] : [],
  );
}

/** @param secrets known values, which may become more */
export function secretlessLog(log: Logger, secrets: () => Iterable<string>): SecretlessLog {
  const conceal = concealer(secrets);
  return {
    conceal,
    trace: (message) => log.trace(conceal(message)),
    debug: (message) => log.debug(conceal(message)),
    info: (message) => log.info(conceal(message)),
    warn: (message) => log.warn(conceal(message)),
    error: (message) => log.error(conceal(message)),
  };
}

/**
 * @returns what leaves known secrets out of a text, in each form in which they travel, and whatever looks like a secret
 */
export function concealer(secrets: () => Iterable<string>): (text: string) => string {
  const formsOf = new Map<string, readonly string[]>();
  const forms = (secret: string) => {
    const known = formsOf.get(secret) ?? encodedForms(secret);
    formsOf.set(secret, known);
    return known;
  };
  return (text) => {
    // The longest first: a secret may be the beginning of another one.
    const all = [...secrets()].flatMap(forms).sort((a, b) => b.length - a.length);
    return withoutSecretText(all.reduce((rest, form) => rest.replaceAll(form, '•••'), text));
  };
}

/** The value itself, its lines, and what JSON, addresses and Base64 make of it. */
function encodedForms(secret: string): readonly string[] {
  if (secret === '') return [];
  const lines = secret.includes('\n') ? secret.split(/\r?\n/) : [];
  const encoded = [
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(Buffer.from(secret).toString()),
    ...base64Forms(secret),
  ];
  return [...new Set([secret, ...[...lines, ...encoded].filter((form) => form.length >= shortest)])];
}

/** Base64 of a longer text that has the value in it: what the three places where it can begin have for certain. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const certain = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
