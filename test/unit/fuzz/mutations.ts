import * as fc from 'fast-check';
import { isLong } from '../../fakes/tries';

/**
 * The same messages every time; `FUZZ_SEED=random` looks for new ones, and a failure prints its seed. `FUZZ_RUNS` is
 * how often each law is tried; `npm run test:long` tries each 2,000 times.
 */
export const runs = {
  numRuns: Number(process.env['FUZZ_RUNS'] ?? (isLong ? 2_000 : 6)),
  ...(process.env['FUZZ_SEED'] === 'random' ? {} : { seed: Number(process.env['FUZZ_SEED'] ?? 20_261_120) }),
};

/** Values that have broken decoders before. */
const nasty: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '0',
  'null',
  '__proto__',
  'constructor',
  'file:///',
  [],
  {},
  [[]],
  [null],
  { '': '' },
  JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"valueOf":null,"length":-1,"then":{}}',
  ),
  Array.from({ length: 150 }).reduce<unknown>((inner) => ({ inner }), 'deep'),
  'x'.repeat(20_000),
];

/** Any JSON, and often what is nasty. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...nasty),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
);

type Position = readonly (string | number)[];

/**
 * One of the samples with one to three of its positions changed: other JSON in its place, nothing in its place, or
 * something beside it.
 */
export function mutated<T>(samples: readonly T[]): fc.Arbitrary<unknown> {
  return fc.constantFrom(...samples).chain((sample) => {
    const positions = positionsOf(sample);
    const change = fc.tuple(
      fc.constantFrom(...positions),
      fc.oneof(
        { weight: 4, arbitrary: anyJson.map((value) => ({ value })) },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    );
    return fc
      .array(change, { minLength: 1, maxLength: 3 })
      .map((changes) =>
        changes.reduce(
          (message, [position, to]) => changed(message, position, to),
          structuredClone<unknown>(JSON.parse(JSON.stringify(sample))),
        ),
      );
  });
}

/** Where something stands in a value; the empty position is the value itself. */
function positionsOf(value: unknown): Position[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, item]) =>
          positionsOf(item).map((position) => [Array.isArray(value) ? Number(key) : key, ...position]),
        )
      : [];
  return [[], ...inner];
}

/**
 * The value with something else at a position, or without it. A position that an earlier change took away stays away.
 */
function changed(value: unknown, [key, ...rest]: Position, to: { readonly value: unknown } | undefined): unknown {
  if (key === undefined) return to ? to.value : null;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  // JSON has no array with an empty slot.
  if (Array.isArray(value) && rest.length === 0 && to === undefined) return value.toSpliced(Number(key), 1);
  const copy = (Array.isArray(value) ? value.slice() : { ...value }) as Record<string | number, unknown>;
  if (rest.length === 0 && to === undefined) delete copy[key];
  else copy[key] = changed(copy[key], rest, to);
  return copy;
}
