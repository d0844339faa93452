/** RFC 3339 → the value of a date and time input, in the user's zone. "" if there is none. */
export function toLocal(moment: string): string {
  const date = new Date(moment);
  if (moment === '' || Number.isNaN(date.getTime())) return '';
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const seconds = date.getSeconds() > 0 ? `:${two(date.getSeconds())}` : '';
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}${seconds}`;
}

/** The value of a date and time input, in the user's zone → RFC 3339 in UTC. */
export function fromLocal(local: string): string {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z');
}
