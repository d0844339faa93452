/** "0.4 s", "34 s", "2 min 5 s": as long as it needs to be, never longer. */
export function formatDuration(ms: number): string {
  if (ms < 50) return '0.1 s';
  if (ms < 9950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Whole seconds, for a time that still runs. */
export function formatElapsed(ms: number): string {
  return formatDuration(Math.max(0, Math.floor(ms / 1000)) * 1000 || 100).replace('0.1 s', '0 s');
}

/** Whole seconds of a time that is left: "0 s" is the end of it and not its last second. */
export function formatRemaining(ms: number): string {
  return formatElapsed(Math.ceil(ms / 1000) * 1000);
}

/** "now", "5 min", "3 h", "2 days", "4 weeks": how long ago, as VS Code's own lists say it. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h`;
  const days = Math.floor(hours / 24);
  return days < 14 ? count(days, 'day') : days < 365 ? count(Math.floor(days / 7), 'week') : count(Math.floor(days / 365), 'year');
}

/** "1 file", "3 files". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** "512 B", "12 KB", "3.4 MB". */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** "980", "12K", "1.2M": a number of tokens where there is little room. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_500) return `${(tokens / 1000).toFixed(tokens < 9_950 ? 1 : 0).replace(/\.0$/, '')}K`;
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`;
}

/** Money as money, any other unit as the agent spells it: "$0.0249", "12.5 credits". */
export function formatCost(amount: number, currency: string): string {
  const small = Math.abs(amount) < 1 && amount !== 0;
  if (/^[A-Za-z]{3}$/.test(currency)) {
    try {
      return amount.toLocaleString('en-US', { style: 'currency', currency, ...(small ? { maximumFractionDigits: 4 } : {}) });
    } catch {
      // Three letters that are no currency after all.
    }
  }
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: small ? 4 : 2 })} ${currency}`.trim();
}
