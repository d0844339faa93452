/** The list of the packages whose code is in a release, as CycloneDX: what scanners for known faults read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ type: 'library', 'bom-ref': string, name: string, version: string, scope: 'required' | 'optional',
 *   licenses?: object[], purl?: string, hashes?: { alg: 'SHA-512', content: string }[] }} Component
 */

/**
 * Packages in the bundles, node-pty, and what its files for Windows bring along. The last two are optional: a package
 * for another platform does not have them.
 * @param {string} root the project's top folder
 * @param {readonly string[]} folders of the packages in the bundles, from there
 * @returns {Component[]}
 */
export function componentsOf(root, folders) {
  /** @type {{ packages: Record<string, { integrity?: string }> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const pty = 'node_modules/node-pty';
  const components = [...folders, pty].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return componentOf(
      { name, version, license, integrity: packages[folder]?.integrity },
      folder === pty ? 'optional' : 'required',
    );
  });
  return [...components, ...consolesOf(join(root, pty))].toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
}

/**
 * @param {{ name: string, version: string, license?: string | undefined, integrity?: string | undefined }} found
 * @param {'required' | 'optional'} scope
 * @returns {Component}
 */
function componentOf({ name, version, license, integrity }, scope) {
  // An address of a package has its scope's @ in percent code.
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope,
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    purl,
    ...(integrity?.startsWith('sha512-')
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
      : {}),
  };
}

/** A single licence has an id; a choice of several is an expression. @param {string} license */
const licenseOf = (license) => (/\s/.test(license) ? { expression: license } : { license: { id: license } });

/** Windows Terminal's console host, which node-pty brings; its folder is named after the version. @param {string} pty */
function consolesOf(pty) {
  return readdirSync(join(pty, 'third_party/conpty')).map(
    (version) =>
      /** @type {Component} */ ({
        type: 'library',
        'bom-ref': `conpty@${version}`,
        name: 'ConPTY and OpenConsole of Windows Terminal',
        version,
        scope: 'optional',
        licenses: [licenseOf('MIT')],
      }),
  );
}

/**
 * @param {{ publisher: string, name: string, version: string, license: string }} manifest
 * @param {readonly Component[]} components
 * @param {Date} date see `sourceDate`
 * @returns {string} JSON
 */
export function sbomOf({ publisher, name, version, license }, components, date) {
  const ref = `${publisher}.${name}@${version}`;
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        timestamp: date.toISOString(),
        component: {
          type: 'application',
          'bom-ref': ref,
          name: `${publisher}.${name}`,
          version,
          licenses: [licenseOf(license)],
        },
      },
      components,
      dependencies: [{ ref, dependsOn: components.map((component) => component['bom-ref']) }],
    },
    undefined,
    2,
  )}\n`;
}
