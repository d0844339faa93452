/** A seeded random generator (mulberry32), so that a failing property test fails again. */
export class Random {
  constructor(private seed: number) {}

  /** 0 ≤ result < 1. */
  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let t = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer, 0 ≤ result < `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** The text cut into pieces at random places, between any two UTF-16 units. */
  cut(text: string, longest: number): string[] {
    const pieces: string[] = [];
    for (let at = 0; at < text.length;) {
      const next = at + 1 + this.below(longest);
      pieces.push(text.slice(at, next));
      at = next;
    }
    return pieces;
  }
}
