/**
 * A page for the extension's own view in VS Code, which shows pictures only from https addresses and opens no page of
 * the package. So pictures and what a page marks as only for the repository go, and links to other pages become words.
 * A repository with a public address would make them links again.
 * @param {string} markdown @returns {string}
 */
export function packagedPage(markdown) {
  const forReaders = markdown.replaceAll(/^<!-- Only in the repository[^>]*-->\n[^]*?^<!-- End -->\n\n?/gm, '');
  const withoutPictures = forReaders
    .replaceAll(/^!\[[^\]]*\]\((?!https:)[^)]*\)[ \t]*\n(?:[ \t]*\n)?/gm, '')
    .replaceAll(/!\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1');
  return withoutPictures.replaceAll(/\[([^\]]*)\]\((?!https:|#|mailto:)[^)]*\)/g, '$1');
}

/** The targets of a page that lead nowhere outside of the repository. @param {string} markdown @returns {string[]} */
export function relativeTargets(markdown) {
  return [...markdown.matchAll(/\]\((?!https:|#|mailto:)([^)]*)\)|<img[^>]+src="(?!https:)([^"]*)"/g)].map(
    ([, link, picture]) => link ?? picture ?? '',
  );
}
