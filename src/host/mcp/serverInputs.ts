import { stringOf } from '../../base/decode';
import { isObject } from '../../base/json';

/** A question of a definition to the user, in VS Code's format of `inputs`. Texts are hostile if the file is. */
export type InputDefinition =
  | {
      readonly type: 'promptString';
      readonly id: string;
      readonly description?: string;
      readonly password: boolean;
      readonly default?: string;
    }
  | {
      readonly type: 'pickString';
      readonly id: string;
      readonly description?: string;
      readonly options: readonly InputOption[];
      readonly default?: string;
    }
  /** A kind that Parley does not support; `kind` is the file's word for it. */
  | { readonly type: 'refused'; readonly id: string; readonly kind: string };

export interface InputOption {
  readonly label: string;
  readonly value: string;
}

/** Reads `inputs`. An item without an id is left out, since nothing can refer to it. Never throws. */
export function decodeInputs(raw: unknown): readonly InputDefinition[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item: unknown): InputDefinition[] => {
    const id = isObject(item) ? stringOf(item['id']) : undefined;
    if (!isObject(item) || id === undefined) return [];
    const description = stringOf(item['description']);
    const preset = stringOf(item['default']);
    const shared = {
      id,
      ...(description === undefined ? {} : { description }),
      ...(preset === undefined ? {} : { default: preset }),
    };
    const type = item['type'] ?? 'promptString';
    if (type === 'promptString') return [{ type, ...shared, password: item['password'] === true }];
    if (type === 'pickString') return [{ type, ...shared, options: optionsOf(item['options']) }];
    return [{ type: 'refused', id, kind: String(type) }];
  });
}

/** An undeclared input counts as a secret, which is the safe assumption. */
export function inputNamed(inputs: readonly InputDefinition[], id: string): InputDefinition {
  return inputs.find((input) => input.id === id) ?? { type: 'promptString', id, password: true };
}

/** True if an answer must be stored as a secret. */
export function isSecret(input: InputDefinition): boolean {
  return input.type === 'promptString' && input.password;
}

function optionsOf(raw: unknown): readonly InputOption[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item: unknown): InputOption[] => {
    if (typeof item === 'string') return [{ label: item, value: item }];
    const value = isObject(item) ? stringOf(item['value']) : undefined;
    return value === undefined ? [] : [{ label: (isObject(item) && stringOf(item['label'])) || value, value }];
  });
}
