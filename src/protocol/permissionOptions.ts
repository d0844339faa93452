import * as l10n from '@vscode/l10n';
import { visibleLine } from '../base/visibleText';
import type { PermissionOptionKindView, PermissionOptionView } from './permissionView';

/** The most characters of an agent's words on a button; the card has the rest. */
const MAX_NAME = 120;

/** The text of an option's button. */
export interface OptionLabel {
  /** The agent's words, or the option's effect if the words contradict it or are empty. */
  readonly text: string;
  /** The agent's words, quoted beside `text`. */
  readonly quoted?: string;
  /** The agent's words in full, if the button has no room for them. */
  readonly whole?: string;
}

type NamedOption = Pick<PermissionOptionView, 'name' | 'kind'>;

/**
 * The button labels of a request's options, in their order. The agent's words are used only if they do not contradict
 * the kind, which the agent acts on, and no option of another kind looks the same. Reading the words is a heuristic:
 * icon and description always tell the kind. The same list gives the same value.
 */
export function optionLabels(options: readonly NamedOption[]): readonly OptionLabel[] {
  let labels = known.get(options);
  if (!labels) {
    const kinds = new Map<string, Set<PermissionOptionKindView>>();
    const keys = options.map(({ name }) => keyOf(visibleLine(name)));
    for (const [i, { kind }] of options.entries()) kinds.set(keys[i]!, (kinds.get(keys[i]!) ?? new Set()).add(kind));
    known.set(options, (labels = options.map((option, i) => labelOf(option, kinds.get(keys[i]!)!.size > 1))));
  }
  return labels;
}

const known = new WeakMap<readonly NamedOption[], readonly OptionLabel[]>();

/** The label of one option alone, for the record. */
export function optionLabel(option: NamedOption): OptionLabel {
  return labelOf(option, false);
}

function labelOf({ name, kind }: NamedOption, isAmbiguous: boolean): OptionLabel {
  const words = visibleLine(name, MAX_NAME);
  const whole = visibleLine(name);
  const rest = whole === words ? {} : { whole };
  if (kind === 'other') return { text: words || l10n.t('Unnamed option'), ...rest };
  if (words === '') return { text: kindWords[kind] };
  return isAmbiguous || contradicts(whole, kind)
    ? { text: kindWords[kind], quoted: words, ...rest }
    : { text: words, ...rest };
}

/** The effect of each kind of option, whatever its label. */
export const kindWords: Readonly<Record<PermissionOptionKindView, string>> = {
  // Translated when read: no translation is loaded yet when this module is.
  get allow_once() {
    return l10n.t('Allow once');
  },
  get allow_always() {
    return l10n.t('Always allow');
  },
  get reject_once() {
    return l10n.t('Reject');
  },
  get reject_always() {
    return l10n.t('Always reject');
  },
  get other() {
    return l10n.t('Unknown effect');
  },
};

function contradicts(words: string, kind: PermissionOptionKindView): boolean {
  // A mark: the text has hidden characters.
  if (words.includes('⟨')) return true;
  const plain = keyOf(words);
  const parts = plain.match(/[\p{L}\p{M}'’]+/gu) ?? [];
  // A word that mixes alphabets is meant to deceive.
  if (
    parts.some(
      (part) =>
        /\p{Script=Latin}/u.test(part) &&
        /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(part),
    )
  )
    return true;
  if (kind.endsWith('_always') && once.test(plain)) return true;
  return claimOf(plain, parts) === (kind.startsWith('allow') ? 'reject' : 'allow');
}

/** Decides by the first decisive word: "Yes, and don't ask again" is a yes. */
function claimOf(plain: string, parts: readonly string[]): 'allow' | 'reject' | undefined {
  if (rejectingSigns.test(plain)) return 'reject';
  if (allowingSigns.test(plain)) return 'allow';
  const decisive = parts
    .map((part) => part.replaceAll('’', "'"))
    .find((part) => allowing.has(part) || rejecting.has(part));
  return decisive === undefined ? undefined : rejecting.has(decisive) ? 'reject' : 'allow';
}

function keyOf(words: string): string {
  return words.normalize('NFKC').toLowerCase();
}

const allowing =
  wordSet(`allow allows allowed accept approve yes yep ok okay grant permit proceed continue confirm agree enable trust
  run apply
  erlauben zulassen akzeptieren genehmigen bestätigen ja autoriser accepter approuver permettre oui permitir aceptar
  aprobar sí
  consenti consentire accetta approva sì aceitar aprovar sim toestaan accepteren zezwól tak zatwierdź evet onayla
  разрешить разрешаю принять одобрить да дозволити так`);
const rejecting =
  wordSet(`reject rejects rejected deny decline no nope not cancel refuse disallow don't dont never block stop abort
  skip dismiss forbid
  ablehnen verweigern abbrechen nein nicht refuser rejeter annuler interdire non rechazar denegar cancelar rifiuta
  rifiutare nega annulla
  rejeitar negar recusar não weigeren nee odrzuć odmów nie reddet hayır отклонить отказать запретить
  отменить нет відхилити ні`);
const rejectingSigns =
  /拒绝|拒絕|拒否|不允许|不允許|不同意|许可しない|許可しない|いいえ|取消|キャンセル|거부|아니|취소/u;
const allowingSigns = /允许|允許|同意|批准|接受|許可|承認|はい|허용|승인|예/u;
const once =
  /\bonce\b|\bone[ -]time\b|\bthis time\b|\bjust this\b|\beinmal\b|\bune fois\b|\buna vez\b|\buma vez\b|\bune? volta\b|один раз|一次|一回|1回|한 번/u;

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

interface Option {
  readonly kind: PermissionOptionKindView;
}

/** The yes that allows least, at any position. An option of an unknown kind is neither yes nor no. */
export function smallerYes<O extends Option>(options: readonly O[]): O | undefined {
  return options.find(({ kind }) => kind === 'allow_once') ?? options.find(({ kind }) => kind === 'allow_always');
}

/** The yes to suggest: a plain one for only this request, if it has no risks. */
export function suggestedYes(
  options: readonly PermissionOptionView[],
  risks: readonly unknown[],
): PermissionOptionView | undefined {
  if (risks.length > 0) return undefined;
  return options.find(({ kind }, i) => kind === 'allow_once' && optionLabels(options)[i]!.quoted === undefined);
}

/** The no that forbids least. */
export function smallerNo<O extends Option>(options: readonly O[]): O | undefined {
  return options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always');
}

/**
 * The only option that the agent remembers as a yes; undefined if there are several, among which only the user can
 * choose.
 */
export function onlyAlways<O extends Option>(options: readonly O[]): O | undefined {
  const always = options.filter(({ kind }) => kind === 'allow_always');
  return always.length === 1 ? always[0] : undefined;
}
