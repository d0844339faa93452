import { domainToUnicode } from 'node:url';
import * as l10n from '@vscode/l10n';
import { AcpError } from '../../acp/errors';
import type { WebPage } from '../../thread/thread';

/** Servers accept no longer address, and no user could read one. */
const maxLength = 16_384;

/**
 * An address that an agent asks to open, as the browser will understand it: the shown address is exactly the opened
 * one. Anything that could make it pass for another address becomes a warning.
 * @throws AcpError -32602 for anything but an absolute http or https address.
 */
export function webPage(elicitationId: string, raw: string): WebPage {
  if (raw.length > maxLength) throw AcpError.invalidParams(`url must be at most ${maxLength} characters long`);
  let url: URL;
  try {
    url = new URL(raw);
  } catch {
    throw AcpError.invalidParams('url must be an absolute address');
  }
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    throw AcpError.invalidParams('url must be an http or https address');
  return { elicitationId, url: url.href, host: url.host, warnings: [...warnings(url)] };
}

function* warnings(url: URL): Generator<string> {
  if (url.username !== '' || url.password !== '') {
    yield l10n.t(
      'The address begins with a user name (“{0}”) that may look like a site. It opens {1}.',
      url.username,
      url.host,
    );
  }
  const spelled = domainToUnicode(url.hostname);
  if (spelled !== url.hostname)
    yield l10n.t('The host name has letters from other alphabets (“{0}”) and may look like a different site.', spelled);
  if (/^[\d.]+$|^\[/.test(url.hostname) && !isLocal(url.hostname))
    yield l10n.t('The host is an IP address, not a name.');
  if (url.protocol === 'http:' && !isLocal(url.hostname)) yield l10n.t('The connection is not encrypted.');
}

function isLocal(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.')
  );
}
