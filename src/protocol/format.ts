import * as l10n from '@vscode/l10n';
import { numberText } from '../base/numberText';
import type { LocationView } from './toolCallView';

/** "0.4 s", "34 s", "2 min 5 s": as short as possible. */
export function formatDuration(ms: number): string {
  if (ms < 9950) return l10n.t('{0} s', Math.max(0.1, Math.round(ms / 100) / 10));
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return l10n.t('{0} s', seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? l10n.t('{0} min {1} s', minutes, seconds % 60) : l10n.t('{0} min', minutes);
  return l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

/** Whole seconds of a running time. */
export function formatElapsed(ms: number): string {
  return ms < 1000 ? l10n.t('{0} s', 0) : formatDuration(Math.floor(ms / 1000) * 1000);
}

/** "now", "5 min", "3 h", "2 days", "4 weeks": the age in the form of VS Code's own lists. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return l10n.t('now');
  if (minutes < 60) return l10n.t('{0} min', minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return l10n.t('{0} h', hours);
  const days = Math.floor(hours / 24);
  if (days < 14) return days === 1 ? l10n.t('1 day') : l10n.t('{0} days', days);
  if (days < 365) return l10n.t('{0} weeks', Math.floor(days / 7));
  const years = Math.floor(days / 365);
  return years === 1 ? l10n.t('1 year') : l10n.t('{0} years', years);
}

/** "1 file", "3 files". */
export function fileCount(n: number): string {
  return n === 1 ? l10n.t('1 file') : l10n.t('{0} files', n);
}

/** "512 B", "12 KB", "3.4 MB", "1.2 GB". */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  const inMB = bytes / 1_000_000;
  return inMB < 1000 ? `${inMB.toFixed(1)} MB` : `${(inMB / 1000).toFixed(1)} GB`;
}

/** "980", "12K", "1.2M": a number of tokens in little room. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_500) return `${(tokens / 1000).toFixed(tokens < 9_950 ? 1 : 0).replace(/\.0$/, '')}K`;
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`;
}

/** Money in its own format, any other unit in the agent's spelling: "$0.0249", "12.5 credits". */
export function formatCost(amount: number, currency: string): string {
  const small = Math.abs(amount) < 1 && amount !== 0;
  if (/^[A-Za-z]{3}$/.test(currency)) {
    try {
      return numberText(amount, { style: 'currency', currency, ...(small ? { maximumFractionDigits: 4 } : {}) });
    } catch {
      // Three letters that are not a currency.
    }
  }
  return `${numberText(amount, { maximumFractionDigits: small ? 4 : 2 })} ${currency}`.trim();
}

/** A place as an agent names it: `src/a.ts:10-20`. */
export function placeWords({ label, line, endLine }: LocationView): string {
  return line === undefined ? label : endLine === undefined ? `${label}:${line}` : `${label}:${line}-${endLine}`;
}
