import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** Colours code: a fragment of text and spans with class names, or `undefined` if the language is unknown. */
export function highlight(code: string, language: string): DocumentFragment | undefined {
  if (!hljs.getLanguage(language)) return undefined;
  const result = hljs.highlight(code, { language, ignoreIllegals: true });
  // When it fails, the library returns its partial result; half of the code is worse than no colours.
  return result.errorRaised ? undefined : (result._emitter as unknown as NodeEmitter).root;
}

/** True if `highlight` knows the language of a fence's info string. */
export function knowsLanguage(language: string): boolean {
  return hljs.getLanguage(language) !== undefined;
}

/** Builds nodes instead of the library's string of HTML. */
class NodeEmitter {
  readonly root = document.createDocumentFragment();
  #top: Node = this.root;

  addText(text: string): void {
    if (text === '') return;
    const last = this.#top.lastChild;
    if (last?.nodeType === Node.TEXT_NODE) (last as Text).appendData(text);
    else this.#top.appendChild(document.createTextNode(text));
  }

  startScope(scope: string): void {
    const span = document.createElement('span');
    span.className = `hl-${scope.split('.')[0]!.replace(/[^\w-]/g, '')}`;
    this.#top = this.#top.appendChild(span);
  }

  endScope(): void {
    this.#top = this.#top.parentNode ?? this.root;
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: { readonly root: DocumentFragment }): void {
    this.#top.appendChild(emitter.root);
  }

  finalize(): void {
    this.#top = this.root;
  }

  toHTML(): string {
    return '';
  }
}

hljs.configure({ __emitter: NodeEmitter as never });
for (const [name, language] of Object.entries({
  bash,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  powershell,
  python,
  ruby,
  rust,
  shell,
  sql,
  typescript,
  xml,
  yaml,
}))
  hljs.registerLanguage(name, language);
hljs.registerAliases(['scss', 'less'], { languageName: 'css' });
hljs.registerAliases(['env', 'dotenv', 'properties'], { languageName: 'ini' });
hljs.registerAliases(['vue', 'svelte', 'astro'], { languageName: 'xml' });
