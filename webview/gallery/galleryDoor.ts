import type { PanelView } from '../../src/protocol/viewModel';
import type { PartContext } from '../parts/context';
import type { GalleryPage } from './galleryPage';

/** The place of the gallery over the thread. Its code is loaded when it is first opened. */
export class GalleryDoor {
  readonly element = document.createElement('div');
  private page: GalleryPage | undefined;
  private isLoading = false;
  private latest: PanelView | undefined;

  constructor(private readonly context: PartContext) {
    this.element.className = 'gallery';
    this.element.hidden = true;
  }

  update(panel: PanelView): void {
    this.latest = panel;
    this.element.hidden = panel.gallery === undefined;
    if (this.page) this.page.update(panel.gallery, panel.galleryIcons);
    else if (panel.gallery && !this.isLoading) void this.load();
  }

  private async load(): Promise<void> {
    this.isLoading = true;
    try {
      const { GalleryPage } = await import('./galleryPage');
      this.page = new GalleryPage(this.element, this.context);
      if (this.latest) this.page.update(this.latest.gallery, this.latest.galleryIcons);
    } catch (error) {
      this.isLoading = false;
      this.context.log(error);
    }
  }
}
