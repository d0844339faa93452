import type { CancellationToken } from '../base/cancellation';
import { type DownloadTrouble, InstallFailure } from './installFailure';

/** The most redirects that are followed. */
const maxRedirects = 5;

export interface WebRequestOptions {
  readonly token: CancellationToken;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request fails after this time without data, ms. */
  readonly idleMs?: number;
  /** The only allowed server: a redirect to another one fails. */
  readonly origin?: string;
}

/** An answer whose body is not read yet. */
export interface WebAnswer {
  /** 200, 304, or 206 if a range was asked for. */
  readonly status: number;
  readonly etag?: string;
  /** Bytes of the body, if the server sends the length. */
  readonly length?: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * An address from which Parley downloads. Only https is accepted, and http on this machine.
 * @param base of a relative address. An https base allows only https.
 */
export function webAddress(text: string, base?: URL): URL | undefined {
  if (!URL.canParse(text, base?.href)) return undefined;
  const url = new URL(text, base);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return url;
  const isLocal = url.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  return isLocal && base?.protocol !== 'https:' ? url : undefined;
}

/**
 * Requests an address and passes on its answer. The connection ends with `use`, successful or not. VS Code replaces the
 * global `fetch` by one with the user's proxy and certificates, so this uses that one.
 * @throws InstallFailure
 */
export async function webRequest<T>(
  address: URL,
  { token, headers = {}, idleMs = 30_000, origin }: WebRequestOptions,
  use: (answer: WebAnswer) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let trouble: DownloadTrouble | undefined;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      trouble = 'timeout';
      abort.abort();
    }, idleMs);
  };
  const listener = token.onCancellationRequested(() => abort.abort());
  if (token.isCancellationRequested) abort.abort();
  let hasAnswer = false;
  try {
    wait();
    const response = await follow(address, headers, abort.signal, origin);
    hasAnswer = true;
    const { status, body } = response;
    if (status !== 200 && status !== 304 && !(status === 206 && 'range' in headers))
      throw new InstallFailure({
        kind: 'download',
        trouble: 'status',
        host: address.host,
        status,
        output: `HTTP ${status}`,
      });
    const [etag, length] = [response.headers.get('etag'), Number(response.headers.get('content-length') ?? Number.NaN)];
    return await use({
      status,
      ...(etag === null ? {} : { etag }),
      ...(Number.isSafeInteger(length) ? { length } : {}),
      chunks: chunksOf(body, wait),
    });
  } catch (error) {
    if (token.isCancellationRequested) throw new InstallFailure({ kind: 'cancelled' });
    if (error instanceof InstallFailure) throw error;
    const { code, words } = causeOf(error);
    // Errors of the disk have a code of the system; those of the network come from fetch.
    if (trouble === undefined && error instanceof Error && 'syscall' in error) throw InstallFailure.of(error);
    throw new InstallFailure({
      kind: 'download',
      trouble: trouble ?? (isCertificate(code) ? 'certificate' : hasAnswer ? 'cutOff' : 'network'),
      host: address.host,
      output: code || words,
    });
  } finally {
    clearTimeout(timer);
    listener.dispose();
    abort.abort();
  }
}

/** Checks each step of a redirect, so that none leads from https to http. */
async function follow(
  address: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  origin: string | undefined,
): Promise<Response> {
  const { authorization, ...others } = headers;
  for (let url = address, left = maxRedirects; ; left--) {
    // The user's key is for the first server alone.
    const isFirst = authorization !== undefined && url.origin === address.origin;
    const sent = isFirst ? { ...others, authorization } : others;
    const response = await fetch(url, { headers: sent, redirect: 'manual', signal });
    if (![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel().catch(() => undefined);
    const next = webAddress(response.headers.get('location') ?? '', url);
    if (next === undefined || next.href === url.href || left === 0 || (origin !== undefined && next.origin !== origin))
      throw new InstallFailure({
        kind: 'download',
        trouble: 'redirect',
        host: address.host,
        output: `HTTP ${response.status}`,
      });
    url = next;
  }
}

async function* chunksOf(body: Response['body'], wait: () => void): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    wait();
    yield chunk;
  }
}

/** Finds the actual error; fetch wraps it, sometimes twice. */
function causeOf(error: unknown): { readonly code: string; readonly words: string } {
  let words = '';
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    words = at.message;
    if (typeof code === 'string') return { code, words };
  }
  return { code: '', words: words || String(error) };
}

function isCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ERR_TLS/.test(code);
}
