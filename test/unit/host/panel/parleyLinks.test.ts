import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ParleyLinks, maxLinkedPrompt, readLink, sessionLink } from '../../../../src/host/panel/parleyLinks';

const said = vi.hoisted(() => ({
  warnings: [] as string[],
  notes: [] as string[],
  chooses: undefined as string | undefined,
}));
vi.mock('vscode', () => ({
  window: {
    showWarningMessage: async (text: string) => void said.warnings.push(text),
    showInformationMessage: async (text: string) => {
      said.notes.push(text);
      return said.chooses;
    },
  },
}));

const id = '01234567-89ab-cdef-0123-456789abcdef';
const partsOf = (link: string) => ({
  path: new URL(link).pathname,
  query: decodeURIComponent(new URL(link).search.slice(1)),
});

let done: string[];
let sessions: { active: { id: string; imported?: object }; showNew(): void; openSession(id: string): Promise<boolean> };
let links: ParleyLinks;

beforeEach(() => {
  [done, said.warnings, said.notes, said.chooses] = [[], [], [], undefined];
  sessions = {
    active: { id },
    showNew: () => void done.push('new session'),
    openSession: async (key) => {
      done.push(`open ${key}`);
      return key === id;
    },
  };
  const panel = {
    reveal: async () => void done.push('reveal'),
    deliver: (message: object) => done.push(JSON.stringify(message)),
    revealEntry: (entryId: string) => done.push(`reveal ${entryId}`),
  };
  links = new ParleyLinks({ panel, sessions });
});

const open = (link: string) => links.open(partsOf(link));

describe('a link', () => {
  it('shows a session, and the prompt that it was copied for', async () => {
    await open(sessionLink('vscode', 'parley.parley', id, 'e12'));
    expect(done).toEqual([`open ${id}`, 'reveal', 'reveal e12']);
    done = [];
    await open(sessionLink('vscode-insiders', 'parley.parley', id));
    expect(done).toEqual([`open ${id}`, 'reveal']);
  });

  it('fills the message box and says so, and neither sends nor starts anything', async () => {
    await open('vscode://parley.parley/prompt?text=Explain%20a%26b%20%3D%20c%23d%2Be%0Aplease');
    expect(done).toEqual(['reveal', '{"type":"draft/restore","text":"Explain a&b = c#d+e\\nplease","mentions":[]}']);
    expect(said.notes).toEqual(['A link filled the message box. Read the prompt before you send it.']);
  });

  it('shows what would be sent unseen', async () => {
    await open(`vscode://parley.parley/prompt?text=${encodeURIComponent(`a\u{e0041}b\u202ec${'\n'.repeat(40)}d`)}`);
    expect(done.at(-1)).toContain('a⟨U+E0041⟩b⟨U+202E⟩c');
    expect(done.at(-1)).toContain('empty lines⟩');
  });

  it('to a session of another workspace says so', async () => {
    await open(`vscode://parley.parley/session/${id.replace('0', '1')}`);
    expect(done).toHaveLength(1);
    expect(said.warnings).toEqual([
      'This workspace does not have the linked session. It may belong to another folder or have been deleted.',
    ]);
  });

  it.each([
    '/',
    '/session/',
    '/session/../../secrets',
    `/session/${id}/`,
    `/session/${id}?at=12`,
    `/session/${id}?at=e1&x=1`,
    `/session/${id.toUpperCase()}`,
    '/prompt',
    '/prompt?text=',
    '/prompt?text=%20%0A',
    '/send?text=a',
    '/prompt?other=1',
  ])('that reads %s is refused with a warning', async (rest) => {
    await open(`vscode://parley.parley${rest}`);
    expect(done).toEqual([]);
    expect(said.warnings).toHaveLength(1);
  });

  it('that is too long is refused with a warning', async () => {
    await open(`vscode://parley.parley/prompt?text=${'a'.repeat(maxLinkedPrompt + 1)}`);
    expect(done).toEqual([]);
    expect(said.warnings).toEqual(['Parley cannot open this link. Its prompt is longer than 8000 characters.']);
  });

  it('with a prompt opens a new session in place of an imported one only after a click', async () => {
    sessions.active = { id, imported: {} };
    await open('vscode://parley.parley/prompt?text=hi');
    expect(done).toEqual([]);
    said.chooses = 'New Session';
    await open('vscode://parley.parley/prompt?text=hi');
    expect(done).toEqual(['reveal', 'new session', '{"type":"draft/restore","text":"hi","mentions":[]}']);
  });

  it('can be anything: what is read from it is bounded and of the expected form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, query) => {
        for (const parts of [
          { path, query },
          { path: '/prompt', query: `text=${query}` },
          { path: `/session/${path}`, query },
        ]) {
          const link = readLink(parts);
          if (typeof link === 'string') continue;
          if (link.kind === 'session') expect(link.id).toMatch(/^[0-9a-f-]{36}$/);
          else expect(link.text.length).toBeLessThanOrEqual(maxLinkedPrompt);
        }
      }),
    );
  });
});
