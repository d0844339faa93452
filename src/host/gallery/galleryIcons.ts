import type { GalleryAgent } from './galleryAgents';

type Icons = Readonly<Record<string, string>>;

/** The icons of the agents in the gallery: SVG, base64. */
export class GalleryIcons {
  byKey: Icons = {};
  byName: Icons = {};
  #reading: Promise<Icons> | undefined;

  /** @param readBuiltIn reads those of built-in agents, by name of the agent */
  constructor(private readonly readBuiltIn: () => Promise<Icons>) {}

  builtIn(): Promise<Icons> {
    return (this.#reading ??= this.readBuiltIn());
  }

  /** @param listed by id in the index @param builtIn for built-in agents without an icon in the index */
  draw(list: readonly GalleryAgent[], listed: Icons, builtIn: Icons): void {
    const drawn = list.flatMap(({ key, name, id, kind }) => {
      const icon = (id === undefined ? undefined : listed[id]) ?? (kind === 'builtIn' ? builtIn[name] : undefined);
      return icon === undefined ? [] : [{ key, name, icon }];
    });
    this.byName = Object.fromEntries(drawn.map(({ name, icon }) => [name, icon]));
    this.byKey = Object.fromEntries(drawn.map(({ key, icon }) => [key, icon]));
  }
}
