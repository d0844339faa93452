import { expect, it, vi } from 'vitest';
import { type LiveRow, pickLive } from '../../../../src/host/platform/liveList';

const shown = vi.hoisted(() => {
  class Picker {
    activeItems: readonly LiveRow[] = [];
    selectedItems: readonly LiveRow[] = [];
    drawn = 0;
    isDisposed = false;
    accept = () => {};
    hide = () => {};
    #items: readonly LiveRow[] = [];
    get items() {
      return this.#items;
    }
    /** As VS Code does, the first row is active again. */
    set items(next) {
      this.#items = next;
      this.activeItems = next.slice(0, 1);
      this.drawn++;
    }
    onDidAccept = (listener: () => void) => (this.accept = listener);
    onDidHide = (listener: () => void) => (this.hide = listener);
    show() {}
    dispose() {
      this.isDisposed = true;
    }
  }
  return { Picker, picker: new Picker() };
});
vi.mock('vscode', () => ({ window: { createQuickPick: () => (shown.picker = new shown.Picker()) } }));

function open() {
  const list = {
    rows: [
      { key: 'a', label: 'A' },
      { key: 'b', label: 'B' },
    ] as LiveRow[],
    ended: 0,
    redraw: () => {},
  };
  const picked = pickLive(
    { title: 'List' },
    () => list.rows.map((row) => ({ ...row })),
    (redraw) => ((list.redraw = redraw), { dispose: () => list.ended++ }),
  );
  return { list, picked };
}

it('rows change while the list is open, and the active one stays', async () => {
  const { list, picked } = open();
  const { picker } = shown;
  picker.activeItems = [picker.items[1]!];
  list.rows = [{ key: 'new', label: 'New' }, ...list.rows.slice(1)];
  list.rows[1] = { key: 'b', label: 'B', description: '12 MB' };
  list.redraw();
  expect(picker.items.map(({ label }) => label)).toEqual(['New', 'B']);
  expect(picker.activeItems).toMatchObject([{ key: 'b', description: '12 MB' }]);
  list.redraw();
  expect(picker.drawn).toBe(2);
  picker.selectedItems = picker.activeItems;
  picker.accept();
  expect(await picked).toMatchObject({ key: 'b' });
  expect([list.ended, picker.isDisposed]).toEqual([1, true]);
});

it('what follows ends with the list, also if nothing is picked', async () => {
  const { list, picked } = open();
  shown.picker.hide();
  expect(await picked).toBeUndefined();
  expect([list.ended, shown.picker.isDisposed]).toEqual([1, true]);
});
