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

/** The last part of a path, whichever slash it uses. */
export function baseName(path: string): string {
  return path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/, '') || path;
}
