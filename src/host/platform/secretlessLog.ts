import type { Logger } from '../../base/log';
import { withoutSecretText } from '../../permission/secretText';

/** A log without secrets, even if an agent repeats them in its errors or on stderr. */
export interface SecretlessLog extends Logger {
  /** Removes secrets from a text before it is shortened for the log: half a secret would not be found. */
  readonly conceal: (text: string) => string;
}

/** Names of variables that probably contain secrets. */
const secretName = /(?:TOKEN|SECRET|PASSWD|PASSWORD|KEY|CREDENTIALS?|_PAT)$/i;
/** Shorter values, lines and encoded forms would match many ordinary words. */
const shortest = 6;

/** The values of variables with secret-sounding names. */
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
 * @returns a function that removes known secrets from a text, in every form in which they occur, and text that looks
 * like a secret
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

/** The value itself, its lines, and its forms in JSON, addresses and Base64. */
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

/** The certain part of the value in the Base64 of a longer text, for each of its three possible alignments. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const certain = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
