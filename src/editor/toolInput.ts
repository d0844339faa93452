import { asObject, integerOf, stringOf } from '../base/decode';
import type { JsonObject } from '../base/json';

/** A call cannot be done. The message is for the model: what is wrong, and what to do next. */
export class ToolError extends Error {}

/** A place as an agent names it. At least a symbol, or a path with a line. */
export interface NamedPlace {
  /** The parts of a name path: `['Class', 'method']`. */
  readonly symbol?: readonly string[];
  readonly path?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/** A part of a long list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

const defaultLimit = 50;
const maxLimit = 500;
/** Characters of a name. Longer ones are no name of a symbol. */
const maxName = 500;

/** @throws ToolError if the arguments name no place */
export function placeOf(args: JsonObject): NamedPlace {
  const [name, path] = [textOf(args, 'symbol'), textOf(args, 'path')];
  const [line, column] = [lineOf(args, 'line'), lineOf(args, 'column')];
  const symbol = name === undefined ? undefined : namePath(name);
  if (symbol === undefined && (path === undefined || line === undefined))
    throw new ToolError('Name a symbol, or a path with a line.');
  if (line !== undefined && path === undefined) throw new ToolError('line needs a path.');
  return {
    ...(symbol === undefined ? {} : { symbol }),
    ...(path === undefined ? {} : { path }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

/** `Class/method`, `Class.method`, `Class::method` and `Class#method` are the same. */
export function namePath(name: string): readonly string[] {
  const parts = nameParts(name);
  if (parts.length === 0) throw new ToolError('symbol must be a name.');
  return parts;
}

/**
 * The parts of a symbol's name, also as language servers write it: with parameters (`name(a)`), of a type
 * (`(*Server).Serve` in Go, `Server::serve` in C++, `impl Serve for Server` in Rust), generic, or private (`#name`).
 */
export function nameParts(name: string): readonly string[] {
  return name
    .slice(0, maxName * 8)
    .replace(/^\(\*?([\p{L}\p{N}_]+)(?:\[[^\]]*\])?\)\./u, '$1.')
    .replace(/^impl\b(?:.* for )?/s, (said) => (said === name ? said : ''))
    .replace(/\(.*$/s, '')
    .replace(/<[^<>]*(?:<[^<>]*>[^<>]*)*>/g, '')
    .split(/\/|::|\.|#/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** @param usual the limit where the agent names none @throws ToolError if the cursor is not one of ours */
export function pageOf(args: JsonObject, usual = defaultLimit): Page {
  const limit = Math.min(maxLimit, Math.max(1, wholeOf(args, 'limit') ?? usual));
  const cursor = args['cursor'];
  if (cursor === undefined || cursor === null || cursor === '') return { limit, offset: 0 };
  const offset = typeof cursor === 'string' && /^\d{1,9}$/.test(cursor) ? Number(cursor) : undefined;
  if (offset === undefined) throw new ToolError('cursor must be the one from the end of the answer before.');
  return { limit, offset };
}

/** A text that may be absent. @throws ToolError if it is no text, or too long */
export function textOf(args: JsonObject, key: string, limit = maxName * 8): string | undefined {
  const value = args[key];
  if (value === undefined || value === null || value === '') return undefined;
  const text = stringOf(value);
  if (text === undefined || text.length > limit || text.includes('\0'))
    throw new ToolError(`${key} must be a string of at most ${limit} characters.`);
  return text;
}

/** @throws ToolError without it */
export function requiredText(args: JsonObject, key: string, limit?: number): string {
  const text = textOf(args, key, limit);
  if (text === undefined) throw new ToolError(`${key} is missing.`);
  return text;
}

/**
 * A whole number that may be absent. A wrong one must not count as absent: the model would take the answer for another.
 * @throws ToolError if it is none
 */
export function wholeOf(args: JsonObject, key: string): number | undefined {
  const value = args[key];
  if (value === undefined || value === null || value === '') return undefined;
  // Models write numbers as texts, too.
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : integerOf(value);
  if (number === undefined) throw new ToolError(`${key} must be a whole number.`);
  return number;
}

/** A line or column, from 1. @throws ToolError if it is none */
export function lineOf(args: JsonObject, key: string): number | undefined {
  const value = args[key];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : integerOf(value);
  if (number === undefined || number < 1) throw new ToolError(`${key} must be a whole number from 1.`);
  return number;
}

/** One of some words, the first if it is absent. @throws ToolError */
export function wordOf<T extends string>(args: JsonObject, key: string, ...words: readonly [T, ...T[]]): T {
  const value = args[key];
  if (value === undefined || value === null || value === '') return words[0];
  const found = words.find((word) => word === value);
  if (found === undefined) throw new ToolError(`${key} must be one of ${words.join(', ')}.`);
  return found;
}

/** The arguments of a call as an object; some agents send them as JSON in a text. */
export function argumentsOf(raw: unknown): JsonObject {
  if (typeof raw !== 'string') return asObject(raw);
  try {
    return asObject(JSON.parse(raw));
  } catch {
    return {};
  }
}
