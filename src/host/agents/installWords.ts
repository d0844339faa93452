import type { DownloadTrouble, InstallProblem, UvTrouble } from '../../node/installFailure';
import type { InstallProgress } from '../../node/packageManager';
import { type AgentPackage, specOf } from '../../registry/packageNames';

/** Why an agent could not be started, for the panel. */
export interface PreparationFailure {
  readonly title: string;
  readonly detail: string;
  /** The last lines of npm or uv, where they say more. */
  readonly stderr?: string;
  readonly kind?: InstallProblem['kind'];
}

/**
 * What happened, why, and what to do, for a problem with installing an agent.
 * @param name of the agent, as users know it @param what its package and version @param folder of installed agents
 */
export function installWords(problem: InstallProblem, name: string, what: string, folder: string): PreparationFailure {
  const title = `${name} could not be installed`;
  switch (problem.kind) {
    case 'noNode':
      return { title: `${name} could not be started`, detail: 'Parley can’t find Node.js on your PATH. Install it from nodejs.org, then restart VS Code. A Node.js inside the workspace is not used.' };
    case 'noNpm':
      return { title, detail: 'Parley can’t find npm on your PATH. Install Node.js with npm from nodejs.org, then restart VS Code.' };
    case 'noUv':
      return { title, detail: 'Parley can’t find uv on your PATH. Install uv, then restart VS Code. A uv inside the workspace is not used.' };
    case 'oldNode':
      return { title: `${name} needs a newer Node.js`, detail: `It needs Node.js ${problem.wanted} or newer. ${problem.file} is version ${problem.version}. Install a newer one, or put it first on your PATH, then restart VS Code.` };
    case 'noProgram':
      return { title, detail: `${what} can’t be started: ${problem.output} Choose another version or package in the setting parley.agents.` };
    case 'cancelled':
      return { title: 'Installation cancelled', detail: '' };
    case 'download':
      return { title, detail: downloadWords(problem.trouble, problem.host, problem.status) };
    case 'archive':
      return { title, detail: `The download of ${what} can’t be unpacked. ${problem.output} Nothing was installed.` };
    case 'disk':
      return { title, detail: diskWords(problem.code, folder) ?? `A file could not be written: ${problem.output}` };
    case 'npm': {
      const detail = npmWords(problem.code, what) ?? diskWords(problem.code, folder, 'npm') ?? `npm failed to install ${what}${problem.code ? ` (${problem.code})` : ''}.`;
      return { title, detail, stderr: problem.output };
    }
    case 'uv':
      return { title, detail: diskWords(problem.code, folder, 'uv') ?? uvWords(problem.code, what), stderr: problem.output };
  }
}

/** What an installation is doing, in one line. */
export function progressWords(progress: InstallProgress, item: AgentPackage): string {
  const what = specOf(item);
  switch (progress.step) {
    case 'resolving':
      return `Looking up the packages of ${what} with ${item.manager}`;
    case 'packages': {
      const count = progress.done === undefined ? progress.total : `${progress.done} of ${progress.total}`;
      return `First start downloads ${what} with ${item.manager}: ${count} ${progress.total === 1 && progress.done === undefined ? 'package' : 'packages'}`;
    }
    case 'script':
      return `Running the install script of ${what}`;
    case 'download':
      return `Downloading ${what}: ${bytesWords(progress.done, progress.total)}`;
    case 'unpacking':
      return `Unpacking ${what}`;
  }
}

/** Why something could not be downloaded, and what to do. @param host as the address names it */
export function downloadWords(trouble: DownloadTrouble, host: string, status?: number): string {
  switch (trouble) {
    case 'status':
      if (status === 404 || status === 410) return `${host} does not have the file any more (HTTP ${status}). Try again later.`;
      if (status === 401 || status === 403) return `${host} refused the download (HTTP ${status}). Check whether your network allows it.`;
      return `${host} has a problem (HTTP ${status ?? 'unknown'}). Try again later.`;
    case 'network':
      return `Parley can’t reach ${host}. Check your connection and the setting http.proxy, then try again.`;
    case 'timeout':
      return `${host} does not answer. Check your connection, then try again.`;
    case 'certificate':
      return `The certificate of ${host} is not trusted. Add the certificate of your network to your system, then restart VS Code.`;
    case 'redirect':
      return `${host} leads to an address that Parley does not download from. Try again later.`;
    case 'tooLarge':
      return `What ${host} sends is too large. Nothing was installed.`;
    case 'cutOff':
      return `The connection to ${host} broke off. Try again.`;
    case 'checksum':
      return `What ${host} sent does not have the published checksum, so it was not installed. Try again. If it happens again, tell the agent’s author.`;
    case 'address':
      return `Parley downloads only from https addresses. “${host}” is none.`;
  }
}

/** Bytes as VS Code writes them: "12.3 of 40.1 MB". */
export function bytesWords(done: number, total?: number): string {
  const inMegabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
  return total === undefined ? `${inMegabytes(done)} MB` : `${inMegabytes(done)} of ${inMegabytes(total)} MB`;
}

function npmWords(code: string, what: string): string | undefined {
  switch (code) {
    case 'E401':
    case 'E403':
    case 'ENEEDAUTH':
      return `Your npm registry refused the download of ${what} (${code}). Sign in with “npm login”, or check the registry in your .npmrc.`;
    case 'E404':
    case 'ETARGET':
    case 'ENOVERSIONS':
      return `Your npm registry does not have ${what}, or a package that it needs (${code}). Check the name, and the registry in your .npmrc.`;
    case 'ETIMEDOUT':
    case 'ERR_SOCKET_TIMEOUT':
    case 'ESOCKETTIMEDOUT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return `npm can’t reach your registry (${code}). Check your connection and npm’s proxy settings, then try again. An installed agent starts without a network.`;
    case 'EINTEGRITY':
      return `What the registry sent is not ${what} as it was published, so it was not installed. Run “npm cache verify” and try again. If it happens again, check the registry in your .npmrc.`;
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_HAS_EXPIRED':
      return `npm does not trust the certificate of your registry (${code}). Set “cafile” in your .npmrc to the certificate of your network.`;
    case 'EUSAGE':
      return `The lockfile of ${what} does not match what the registry has. Update npm, or check the registry in your .npmrc.`;
    default:
      return undefined;
  }
}

function uvWords(code: UvTrouble, what: string): string {
  switch (code) {
    case 'refused':
      return `Your package index refused the download of ${what}. Sign in to the index, or check it in your uv.toml.`;
    case 'missing':
      return `Your package index does not have ${what}, or a package that it needs. Check the name and version, and the index in your uv.toml.`;
    case 'network':
      return 'uv can’t reach your package index. Check your connection and proxy settings, then try again. An installed agent starts without a network.';
    case 'certificate':
      return 'uv does not trust the certificate of your package index. Set SSL_CERT_FILE to the certificate of your network, then restart VS Code.';
    case 'integrity':
      return `What the index sent is not ${what} as it was published, so it was not installed. Run “uv cache clean” and try again. If it happens again, check the index in your uv.toml.`;
    case 'source':
      return `${what}, or a package that it needs, must be built on your machine, which runs its build script. Parley does not run it. Choose another version, or install the agent yourself and set its command in parley.agents.`;
    case 'noPython':
      return `uv can’t find a Python for ${what}. Run “uv python install”, then try again.`;
    case 'oldUv':
      return 'Your uv is too old for Parley. Update uv, then try again.';
    default:
      return `uv failed to install ${what}.`;
  }
}

/** @param managers whose cache may be the reason */
function diskWords(code: string, folder: string, managers?: string): string | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk is full. Free some space for ${folder}, then try again.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `A file could not be written (${code}). Check the permissions of ${folder}${managers === undefined ? '' : ` and of the cache of ${managers}`}.`;
    default:
      return undefined;
  }
}
