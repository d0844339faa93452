import type { GalleryAgent } from './galleryAgents';

type Icons = Readonly<Record<string, string>>;

/** The icons of the agents in the gallery: SVG, base64. */
export class GalleryIcons {
  byKey: Icons = {};
  byName: Icons = {};
  #reading: Promise<Icons> | undefined;

  /** @param readBuiltIn reads those that Parley brings, by name of the agent */
  constructor(private readonly readBuiltIn: () => Promise<Icons>) {}

  builtIn(): Promise<Icons> {
    return (this.#reading ??= this.readBuiltIn());
  }

  /** @param listed by id in the index @param builtIn for built-in agents that the index has no icon of */
  draw(list: readonly GalleryAgent[], listed: Icons, builtIn: Icons): void {
    const drawn = list.flatMap(({ key, name, id, kind }) => {
      const icon = (id === undefined ? undefined : listed[id]) ?? (kind === 'builtIn' ? builtIn[name] : undefined);
      return icon === undefined ? [] : [{ key, name, icon }];
    });
    this.byName = Object.fromEntries(drawn.map(({ name, icon }) => [name, icon]));
    this.byKey = Object.fromEntries(drawn.map(({ key, icon }) => [key, icon]));
  }
}
