import * as l10n from '@vscode/l10n';
import type { IDisposable } from '../../base/lifecycle';
import { folderSize } from '../../node/folderSize';
import { formatSize } from '../../protocol/format';

/**
 * Measures folders, one after another, until it is disposed.
 * @param told gets the size of each in words: "12 MB", "more than 3.4 GB" where counting would take too long
 */
export function measured<Folder extends { readonly path: string }>(
  folders: readonly Folder[],
  told: (folder: Folder, size: string) => void,
): IDisposable {
  let isWanted = true;
  const measure = async () => {
    for (const folder of folders) {
      const { bytes, isMore } = await folderSize(folder.path, () => isWanted);
      if (!isWanted) return;
      const size = formatSize(bytes);
      told(folder, isMore ? l10n.t('more than {0}', size) : size);
    }
  };
  void measure();
  return { dispose: () => void (isWanted = false) };
}
