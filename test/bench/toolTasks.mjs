/**
 * Ten tasks of an agent in the repository that toolRepository.mjs writes, done with the editor's tools and with text. The
 * text side is a careful agent: it searches for the right pattern at once, reads only what it must, and changes files with
 * one command.
 */

/** @typedef {(name: string, args: object) => Promise<string>} Call */
/** @typedef {import('./textTools.mjs').TextTools} TextTools */

/**
 * @typedef {object} Task
 * @property {string} name
 * @property {(call: Call) => Promise<unknown>} editor
 * @property {(text: TextTools, patch: string) => unknown} text patch: what the editor's tools have changed
 * @property {readonly RegExp[]} [expects] what the editor's answers must have
 * @property {readonly [path: string, from: string, to: string]} [before] a change that the user or agent made before
 * @property {boolean} [changes] the files are checked by a build after it, and put back
 */

const headings = '^(export )?(async )?function|^  (private |static )?(async )?[a-zA-Z]+\\(.*\\{$';

const invoiceService = 'src/billing/invoice/service.ts';
const orderHandler = 'src/stock/order/handler.ts';

/** @type {readonly Task[]} */
export const tasks = [
  {
    name: 'callers of a function',
    editor: (call) => call('call_hierarchy', { symbol: 'formatMoney' }),
    text: (text) => {
      const files = filesOf(text.grep('formatMoney\\('));
      text.grep(`formatMoney\\(|${headings}`, files, '-nE');
    },
    expects: [/stock\/claim\/view\.ts\n\s+\d+: pageStockClaim/, /school\/ticket|school\/payment/],
  },
  {
    name: 'callers of a method whose name is common',
    editor: (call) => call('call_hierarchy', { symbol: 'BillingInvoiceService/record' }),
    text: (text) => {
      // Hundreds of others have a method of that name, so it looks first where the class is known.
      const files = filesOf(text.grep('BillingInvoiceService\\b', undefined, '-rlE'));
      text.grep(`BillingInvoiceService|\\.record\\(|${headings}`, files, '-nE');
    },
    expects: [/payStockClaim/, /invoice\/service\.ts\n\s+\d+: add/, /changeBillingInvoice/],
  },
  {
    name: 'uses of a property whose name is common',
    editor: (call) => call('references', { symbol: 'Happening/label' }),
    text: (text) => {
      const files = filesOf(text.grep('Happening', undefined, '-rlw'));
      text.grep('label', files, '-nw');
      text.read('src/core/history.ts');
    },
    expects: [/history\.ts\n/],
  },
  {
    name: 'inferred type of a variable',
    editor: (call) => call('hover', { path: orderHandler, line: lineNumbers.rows, symbol: 'rows' }),
    text: (text) => {
      text.read(orderHandler, lineNumbers.rows - 3, 6);
      text.grep('class StockOrderService|  largest\\(', ['src/stock/order'], '-rnE');
      text.read('src/stock/order/service.ts', lineNumbers.largest, 10);
      text.grep('interface Line\\b', undefined, '-rnE -A5');
    },
    expects: [/sum: number/, /line: Line/],
  },
  {
    name: 'definition behind a re-export',
    editor: (call) => call('definition', { path: invoiceService, line: lineNumbers.share, symbol: 'shareOf' }),
    text: (text) => {
      text.grep('shareOf', [invoiceService], '-nw');
      text.read('src/core/index.ts');
      text.grep('shareOf', ['src/core/money.ts'], '-nw');
    },
    expects: [/money\.ts\n\s+8: export function shareOf/],
  },
  {
    name: 'body of a method by its name',
    editor: (call) => call('read_symbol', { symbol: 'TravelTicketService/total' }),
    text: (text) => {
      text.grep('class TravelTicketService|^  total\\(', ['src/travel/ticket'], '-rnE');
      // It does not know where the method ends.
      text.read('src/travel/ticket/service.ts', lineNumbers.total, 50);
    },
    expects: [/In cents, with its rate|total\(id: string\)/],
  },
  {
    name: 'implementations of an interface, also by subclasses',
    editor: (call) => call('implementations', { symbol: 'Exporter' }),
    text: (text) => {
      text.grep('class \\w+.* implements .*\\bExporter\\b');
      text.grep('class \\w+ extends (PlainExporter|\\w+AccountExporter)');
      text.grep('class \\w+ extends \\w+JourneyExporter');
    },
    expects: [/class BillingAccountExporter/, /class SchoolJourneyExporter/, /class PlainExporter/],
  },
  {
    name: 'all errors after a change of a function',
    before: ['src/core/money.ts', 'cents: number, currency: string', 'currency: string, cents: number'],
    editor: (call) => call('diagnostics', { severity: 'error' }),
    text: (text) => {
      const files = [...new Set(text.build().match(/^src[^(]+/gm))];
      // The build tells no source lines.
      text.grep('formatMoney', files, '-nw');
    },
    expects: [/stock\/claim\/view\.ts\n/, /TS2345/],
  },
  {
    name: 'rename a function',
    editor: (call) => call('rename_symbol', { symbol: 'formatMoney', new_name: 'moneyText' }),
    text: (text) => {
      const files = filesOf(text.grep('formatMoney', undefined, '-rnw'));
      text.shell(`sed -i 's/\\bformatMoney\\b/moneyText/g' ${files.join(' ')}`);
      text.build();
    },
    expects: [/Renamed formatMoney to moneyText/],
    changes: true,
  },
  {
    name: 'rename a property whose name is common',
    editor: (call) => call('rename_symbol', { symbol: 'StockOrder/note', new_name: 'remark' }),
    text: (text, patch) => {
      const files = filesOf(text.grep('StockOrder\\b', undefined, '-rlE'));
      text.grep('note', files, '-nw');
      // It knows at once which of them are its own, and writes all of them in one call.
      text.applyPatch(patch);
      text.build();
    },
    expects: [/Renamed note to remark/],
    changes: true,
  },
];

/** Lines that a question names. Filled from the source before the first task. */
export const lineNumbers = { rows: 0, largest: 0, share: 0, total: 0 };

/** The files of `path:line:text` or of `path`, each once. @param {string} found */
function filesOf(found) {
  return [...new Set(found.split('\n').flatMap((line) => (line === '' ? [] : [line.split(':')[0] ?? ''])))];
}
