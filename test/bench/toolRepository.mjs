/**
 * The repository of `npm run bench:tools`: 500 TypeScript files by rule, as a shop might have them. Five areas of twenty
 * subjects, five files each, on top of a few shared ones. Names are as common as in real code: each subject has a
 * `label`, and each service a `record` and a `total`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const areas = ['billing', 'stock', 'people', 'travel', 'school'];
const subjects =
  'account asset batch budget claim course delivery employee grade invoice journey ledger offer order payment permit refund room supplier ticket'.split(
    ' ',
  );

/** @typedef {{ area: string, name: string, at: number, type: string }} Subject */

/** @param {string} word */
const capital = (word) => word[0]?.toUpperCase() + word.slice(1);

/** @type {readonly Subject[]} */
const all = areas.flatMap((area) =>
  subjects.map((name, at) => ({ area, name, at, type: `${capital(area)}${capital(name)}` })),
);

/** Every fifth subject is paid for, and tells the invoices of billing. @param {Subject} subject */
const isPaid = ({ at }) => at % 5 === 4;

/** @param {string} folder where the repository is to be; no git yet */
export function writeToolRepository(folder) {
  /** @param {string} path @param {string} text */
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [name, text] of Object.entries(shared)) write(`src/core/${name}.ts`, text);
  for (const subject of all) {
    const place = `src/${subject.area}/${subject.name}`;
    write(`${place}/model.ts`, model(subject));
    write(`${place}/store.ts`, store(subject));
    write(`${place}/service.ts`, service(subject));
    write(`${place}/handler.ts`, handler(subject));
    write(`${place}/view.ts`, view(subject));
  }
  write('package.json', '{ "name": "shop", "private": true, "type": "module" }\n');
  write('.gitignore', 'node_modules\nout\n');
  const options = {
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
  };
  write('tsconfig.json', `${JSON.stringify({ compilerOptions: options, include: ['src'] }, undefined, 2)}\n`);
}

const shared = {
  entity: `/** What is stored under an id. */
export interface Entity {
  readonly id: string;
  /** As users see it. */
  label: string;
  changedAt: number;
}

export interface Line {
  label: string;
  count: number;
  price: number;
}

/** What happened to an entity, for its history. */
export interface Happening {
  readonly id: string;
  readonly label: string;
  readonly at: number;
}
`,
  store: `import type { Entity } from './entity';

export interface Store<T extends Entity> {
  find(id: string): T | undefined;
  save(item: T): void;
  list(): readonly T[];
}

/** Forgets everything with the process. */
export class MemoryStore<T extends Entity> implements Store<T> {
  protected readonly items = new Map<string, T>();

  find(id: string): T | undefined {
    return this.items.get(id);
  }

  save(item: T): void {
    this.items.set(item.id, item);
  }

  list(): readonly T[] {
    return [...this.items.values()];
  }
}

/** Gives each list in the order of its labels. */
export class SortedStore<T extends Entity> extends MemoryStore<T> {
  override list(): readonly T[] {
    return [...super.list()].sort((a, b) => a.label.localeCompare(b.label));
  }
}
`,
  money: `/** An amount in cents as users read it. */
export function formatMoney(cents: number, currency: string): string {
  const amount = (Math.abs(cents) / 100).toFixed(2);
  return cents < 0 ? \`-\${amount} \${currency}\` : \`\${amount} \${currency}\`;
}

/** The share of an amount in cents, rounded as accounting wants it. */
export function shareOf(cents: number, percent: number): number {
  return Math.sign(cents) * Math.round((Math.abs(cents) * percent) / 100);
}
`,
  exporter: `/** Writes an amount for another program. */
export interface Exporter {
  write(label: string, cents: number): string;
}

export class PlainExporter implements Exporter {
  write(label: string, cents: number): string {
    return \`\${label}: \${cents}\`;
  }
}
`,
  history: `import type { Happening } from './entity';

/** What happened, newest last. */
export class History {
  private readonly happenings: Happening[] = [];

  record(id: string, label: string): void {
    this.happenings.push({ id, label, at: Date.now() });
  }

  of(id: string): readonly Happening[] {
    return this.happenings.filter((happening) => happening.id === id);
  }
}
`,
  index: `export type { Entity, Happening, Line } from './entity';
export { PlainExporter, type Exporter } from './exporter';
export { History } from './history';
export { formatMoney, shareOf } from './money';
export { MemoryStore, SortedStore, type Store } from './store';
`,
};

/** @param {Subject} subject */
function model({ name, type, at }) {
  return `import type { Entity, Line } from '../../core';

/** A ${name}, with all that is known of it. */
export interface ${type} extends Entity {
  readonly lines: Line[];
  state: 'open' | 'closed' | 'held';
  /** In percent. */
  rate: number;
  note: string;
}

/** One that nobody has changed yet. */
export function new${type}(id: string, label: string): ${type} {
  return { id, label, changedAt: 0, lines: [], state: 'open', rate: ${at + 3}, note: '' };
}

/** Whether it may still be changed. */
export function canChange${type}(item: ${type}): boolean {
  return item.state === 'open' || (item.state === 'held' && item.note !== '');
}

/** The same one with another line; a line with the same label gives way. */
export function with${type}Line(item: ${type}, line: Line): ${type} {
  const lines = item.lines.filter(({ label }) => label !== line.label);
  return { ...item, lines: [...lines, line], changedAt: Date.now() };
}
`;
}

/** @param {Subject} subject */
function store({ name, type, at }) {
  const head = `import type { ${type} } from './model';\n`;
  // One in ten has a store of its own kind.
  if (at % 10 === 3)
    return `import type { Store } from '../../core';
${head}
/** Keeps what it saves as text, as a file would. */
export class ${type}Store implements Store<${type}> {
  private readonly texts = new Map<string, string>();

  find(id: string): ${type} | undefined {
    const text = this.texts.get(id);
    return text === undefined ? undefined : (JSON.parse(text) as ${type});
  }

  save(item: ${type}): void {
    this.texts.set(item.id, JSON.stringify(item));
  }

  list(): readonly ${type}[] {
    return [...this.texts.values()].map((text) => JSON.parse(text) as ${type});
  }
}
`;
  const base = at % 10 === 7 ? 'SortedStore' : 'MemoryStore';
  return `import { ${base} } from '../../core';
${head}
export const ${name}Limit = ${100 + at};

/** Each ${name} of this process. */
export class ${type}Store extends ${base}<${type}> {
  override save(item: ${type}): void {
    if (this.items.size >= ${name}Limit && !this.items.has(item.id)) throw new Error('There are too many: ${name}');
    super.save(item);
  }

  open(): readonly ${type}[] {
    return this.list().filter(({ state }) => state === 'open');
  }
}
`;
}

/** @param {Subject} subject */
function service({ name, type }) {
  return `import { shareOf, type History, type Line } from '../../core';
import { canChange${type}, new${type}, with${type}Line, type ${type} } from './model';
import type { ${type}Store } from './store';

export class ${type}Service {
  constructor(
    private readonly store: ${type}Store,
    private readonly history: History,
  ) {}

  begin(id: string, label: string): ${type} {
    const item = new${type}(id, label);
    this.store.save(item);
    this.history.record(id, \`begin \${label}\`);
    return item;
  }

  /** Writes down what happened to it, and when. */
  record(id: string, label: string): void {
    const item = this.store.find(id);
    if (!item) throw new Error(\`There is no ${name} \${id}\`);
    item.changedAt = Date.now();
    this.store.save(item);
    this.history.record(id, label);
  }

  add(id: string, line: Line): ${type} {
    const item = this.store.find(id);
    if (!item || !canChange${type}(item)) throw new Error(\`The ${name} \${id} cannot be changed\`);
    const next = with${type}Line(item, line);
    this.store.save(next);
    this.record(id, line.label);
    return next;
  }

  /** In cents, with its rate. */
  total(id: string): number {
    const lines = this.store.find(id)?.lines ?? [];
    const sum = lines.reduce((all, { count, price }) => all + count * price, 0);
    return sum + shareOf(sum, this.store.find(id)?.rate ?? 0);
  }

  /** The largest lines first, as many as asked for. */
  largest(id: string, count: number) {
    const lines = this.store.find(id)?.lines ?? [];
    return lines
      .map((line) => ({ line, sum: line.count * line.price }))
      .sort((a, b) => b.sum - a.sum)
      .slice(0, count);
  }
}
`;
}

/** @param {Subject} subject */
function handler(subject) {
  const { name, type } = subject;
  const paid = isPaid(subject) && type !== 'BillingInvoice';
  return `${paid ? "import type { BillingInvoiceService } from '../../billing/invoice/service';\n" : ''}import type { ${type}Service } from './service';

export interface ${type}Request {
  readonly id: string;
  readonly label: string;
  readonly count?: number;
  readonly price?: number;
}

export function begin${type}(service: ${type}Service, request: ${type}Request): string {
  const item = service.begin(request.id, request.label);
  return item.id;
}

export function change${type}(service: ${type}Service, request: ${type}Request): number {
  const { id, label, count = 1, price = 0 } = request;
  service.add(id, { label, count, price });
  service.record(id, label);
  return service.total(id);
}

/** What weighs most in a ${name}, for its page. */
export function summary${type}(service: ${type}Service, { id, count = 3 }: ${type}Request): string[] {
  const rows = service.largest(id, count);
  return rows.map(({ line, sum }) => \`\${line.label}: \${sum}\`);
}
${
  paid
    ? `
/** Pays for it: the invoice is told. */
export function pay${type}(invoices: BillingInvoiceService, request: ${type}Request): number {
  invoices.record(request.id, \`paid \${request.label}\`);
  return invoices.total(request.id);
}
`
    : ''
}`;
}

/** @param {Subject} subject */
function view(subject) {
  const { name, type } = subject;
  const imported = [
    ...(isPaid(subject) ? ['formatMoney'] : []),
    ...(name === 'account' ? ['type Exporter'] : []),
    ...(name === 'journey' ? ['PlainExporter'] : []),
  ];
  /** @param {string} cents */
  const amount = (cents) => (isPaid(subject) ? `formatMoney(${cents}, 'EUR')` : `String(${cents})`);
  return `${imported.length > 0 ? `import { ${imported.join(', ')} } from '../../core';\n` : ''}import type { ${type} } from './model';

/** One line in the list of ${name} and its neighbours. */
export function row${type}(item: ${type}): string {
  const label = item.label.padEnd(24);
  return \`\${label} \${item.state} \${item.lines.length}\`;
}

export function page${type}(item: ${type}, total: number): string {
  const lines = item.lines.map(({ label, count, price }) => \`\${count} x \${label}: \${${amount('price')}}\`);
  const sum = ${amount('total')};
  return [row${type}(item), ...lines, sum].join('\\n');
}
${exporter(subject)}`;
}

/** A few have a class for it. @param {Subject} subject */
function exporter({ name, type }) {
  if (name !== 'account' && name !== 'journey') return '';
  const base = name === 'account' ? 'implements Exporter' : 'extends PlainExporter';
  return `
export class ${type}Exporter ${base} {
  ${name === 'account' ? '' : 'override '}write(label: string, cents: number): string {
    return \`"\${label}";\${(cents / 100).toFixed(2)}\`;
  }
}
`;
}
