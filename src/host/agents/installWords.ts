import * as l10n from '@vscode/l10n';
import type { DownloadTrouble, InstallProblem, UvTrouble } from '../../node/installFailure';
import type { InstallProgress } from '../../node/packageManager';
import { type AgentPackage, specOf } from '../../registry/packageNames';

/** Why an agent could not be started, for the panel. */
export interface PreparationFailure {
  readonly title: string;
  readonly detail: string;
  /** The last lines of npm or uv, if they add information. */
  readonly stderr?: string;
  readonly kind?: InstallProblem['kind'];
}

/**
 * The words for a problem with installing an agent: the problem, its cause, and the next step.
 * @param name the user's name for the agent @param what its package and version @param folder of installed agents
 */
export function installWords(problem: InstallProblem, name: string, what: string, folder: string): PreparationFailure {
  const title = l10n.t('{0} could not be installed', name);
  switch (problem.kind) {
    case 'noNode':
      return {
        title: l10n.t('{0} could not be started', name),
        detail: l10n.t(
          'Parley can’t find Node.js on your PATH, and has none of its own for this system. Install it from ' +
            'nodejs.org, then restart VS Code. Parley does not use a Node.js inside the workspace.',
        ),
      };
    case 'noNpm':
      return {
        title,
        detail: l10n.t(
          'Parley can’t find npm on your PATH. Install Node.js with npm from nodejs.org, then restart VS Code.',
        ),
      };
    case 'noUv':
      return {
        title,
        detail: l10n.t(
          'Parley can’t find uv on your PATH, and has none of its own for this system. Install uv, then restart ' +
            'VS Code. Parley does not use a uv inside the workspace.',
        ),
      };
    case 'oldNode':
      return {
        title: l10n.t('{0} needs a newer Node.js', name),
        detail: l10n.t(
          'It needs Node.js {0} or newer. {1} is version {2}. Install a newer version, or put it first on your ' +
            'PATH, then restart VS Code.',
          problem.wanted,
          problem.file,
          problem.version,
        ),
      };
    case 'ownRuntime':
      if (problem.runtime === 'uv')
        return {
          title,
          detail: l10n.t(
            '{0} does not run on this system, so Parley removed it. Install uv yourself, then restart VS Code.',
            problem.output,
          ),
        };
      return {
        title,
        detail: l10n.t(
          '{0} does not run on this system, so Parley removed it. Install Node.js from nodejs.org or with your ' +
            'system’s packages, then restart VS Code.',
          problem.output,
        ),
      };
    case 'noProgram':
      return {
        title,
        detail: l10n.t(
          '{0} can’t be started: {1} Use another version or package in the parley.agents setting.',
          what,
          problem.output,
        ),
      };
    case 'cancelled':
      return { title: l10n.t('Installation cancelled'), detail: '' };
    case 'download':
      return {
        title,
        detail: [
          downloadWords(problem.trouble, problem.host, problem.status),
          ...(problem.trouble === 'tooLarge' ? [l10n.t('Parley installed nothing.')] : []),
        ].join(' '),
      };
    case 'archive':
      return {
        title,
        detail: l10n.t('Parley can’t unpack the download of {0}. {1} Parley installed nothing.', what, problem.output),
      };
    case 'disk':
      return {
        title,
        detail: diskWords(problem.code, folder) ?? l10n.t('Parley can’t write a file: {0}', problem.output),
      };
    case 'npm': {
      const detail =
        npmWords(problem.code, what) ??
        diskWords(problem.code, folder, 'npm') ??
        (problem.code
          ? l10n.t('npm failed to install {0} ({1}).', what, problem.code)
          : l10n.t('npm failed to install {0}.', what));
      return { title, detail, stderr: problem.output };
    }
    case 'uv':
      return {
        title,
        detail: diskWords(problem.code, folder, 'uv') ?? uvWords(problem.code, what),
        stderr: problem.output,
      };
  }
}

/** The progress of an installation, in one line. */
export function progressWords(
  progress: InstallProgress,
  item: Pick<AgentPackage, 'manager' | 'name' | 'version'>,
): string {
  const what = specOf(item);
  switch (progress.step) {
    case 'resolving':
      return l10n.t('Looking up the packages of {0} with {1}', what, item.manager);
    case 'question':
      return l10n.t('Waiting for you');
    case 'packages':
      if (progress.done !== undefined)
        return l10n.t(
          'First start downloads {0} with {1}: {2} of {3} packages',
          what,
          item.manager,
          progress.done,
          progress.total,
        );
      return progress.total === 1
        ? l10n.t('First start downloads {0} with {1}: 1 package', what, item.manager)
        : l10n.t('First start downloads {0} with {1}: {2} packages', what, item.manager, progress.total);
    case 'script':
      return l10n.t('Running the install script of {0}', what);
    case 'download':
      return l10n.t('Downloading {0}: {1}', progress.of ?? what, bytesWords(progress.done, progress.total));
    case 'unpacking':
      return l10n.t('Unpacking {0}', progress.of ?? what);
  }
}

/** Why a download failed, and what to do. @param host as the address names it */
export function downloadWords(trouble: DownloadTrouble, host: string, status?: number): string {
  switch (trouble) {
    case 'status':
      if (status === 404 || status === 410)
        return l10n.t('{0} no longer has the file (HTTP {1}). Try again later.', host, status);
      if (status === 401 || status === 403)
        return l10n.t('{0} refused the download (HTTP {1}). Check whether your network allows it.', host, status);
      return status === undefined
        ? l10n.t('{0} has a problem. Try again later.', host)
        : l10n.t('{0} has a problem (HTTP {1}). Try again later.', host, status);
    case 'network':
      return l10n.t('Parley can’t reach {0}. Check your connection and the http.proxy setting, then try again.', host);
    case 'timeout':
      return l10n.t('{0} is not responding. Check your connection, then try again.', host);
    case 'certificate':
      return l10n.t(
        'The certificate of {0} is not trusted. Add your network’s certificate to your system’s trusted ' +
          'certificates, then restart VS Code.',
        host,
      );
    case 'redirect':
      return l10n.t('{0} redirects to an address that Parley does not download from. Try again later.', host);
    case 'tooLarge':
      return l10n.t('The file from {0} is too large.', host);
    case 'cutOff':
      return l10n.t('The connection to {0} was interrupted. Try again.', host);
    case 'checksum':
      return l10n.t(
        'The file from {0} does not have the published checksum, so Parley did not install it. Try again. If it ' +
          'happens again, tell the agent’s author.',
        host,
      );
    case 'address':
      return l10n.t('“{0}” is not an https address. Parley downloads only from https addresses.', host);
  }
}

/** Bytes as VS Code writes them: "12.3 of 40.1 MB". */
export function bytesWords(done: number, total?: number): string {
  const inMegabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
  return total === undefined
    ? l10n.t('{0} MB', inMegabytes(done))
    : l10n.t('{0} of {1} MB', inMegabytes(done), inMegabytes(total));
}

function npmWords(code: string, what: string): string | undefined {
  switch (code) {
    case 'E401':
    case 'E403':
    case 'ENEEDAUTH':
      return l10n.t(
        'Your npm registry refused the download of {0} ({1}). Sign in with “npm login”, or check the registry in ' +
          'your .npmrc.',
        what,
        code,
      );
    case 'E404':
    case 'ETARGET':
    case 'ENOVERSIONS':
      return l10n.t(
        'Your npm registry does not have {0}, or a package that it needs ({1}). Check the name, and the registry ' +
          'in your .npmrc.',
        what,
        code,
      );
    case 'ETIMEDOUT':
    case 'ERR_SOCKET_TIMEOUT':
    case 'ESOCKETTIMEDOUT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return l10n.t(
        'npm can’t reach your registry ({0}). Check your connection and npm’s proxy settings, then try again. An ' +
          'installed agent starts without a network.',
        code,
      );
    case 'EINTEGRITY':
      return l10n.t(
        'The registry sent a file that differs from the published {0}, so npm did not install it. Run “npm cache ' +
          'verify” and try again. If it happens again, check the registry in your .npmrc.',
        what,
      );
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_HAS_EXPIRED':
      return l10n.t(
        'npm does not trust the certificate of your registry ({0}). Set “cafile” in your .npmrc to your network’s ' +
          'certificate.',
        code,
      );
    case 'EUSAGE':
      return l10n.t(
        'The lockfile of {0} does not match the registry. Update npm, or check the registry in your .npmrc.',
        what,
      );
    default:
      return undefined;
  }
}

function uvWords(code: UvTrouble, what: string): string {
  switch (code) {
    case 'refused':
      return l10n.t(
        'Your package index refused the download of {0}. Sign in to the index, or check it in your uv.toml.',
        what,
      );
    case 'missing':
      return l10n.t(
        'Your package index does not have {0}, or a package that it needs. Check the name and version, and the ' +
          'index in your uv.toml.',
        what,
      );
    case 'network':
      return l10n.t(
        'uv can’t reach your package index. Check your connection and proxy settings, then try again. An installed ' +
          'agent starts without a network.',
      );
    case 'certificate':
      return l10n.t(
        'uv does not trust the certificate of your package index. Set SSL_CERT_FILE to your network’s certificate, ' +
          'then restart VS Code.',
      );
    case 'integrity':
      return l10n.t(
        'The index sent a file that differs from the published {0}, so uv did not install it. Run “uv cache clean” ' +
          'and try again. If it happens again, check the index in your uv.toml.',
        what,
      );
    case 'source':
      return l10n.t(
        '{0}, or a package that it needs, has a build script, which Parley does not run. Use another version, or ' +
          'install the agent yourself and set its command in parley.agents.',
        what,
      );
    case 'noPython':
      return l10n.t('uv can’t find a Python for {0}. Run “uv python install”, then try again.', what);
    case 'oldUv':
      return l10n.t('Your uv is too old for Parley. Update uv, then try again.');
    default:
      return l10n.t('uv failed to install {0}.', what);
  }
}

/** @param manager whose cache may be the reason */
function diskWords(code: string, folder: string, manager?: string): string | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return l10n.t('The disk is full. Free some space for {0}, then try again.', folder);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return manager === undefined
        ? l10n.t('Parley can’t write a file ({0}). Check the permissions of {1}.', code, folder)
        : l10n.t(
            '{0} can’t write a file ({1}). Check the permissions of {2} and of the cache of {0}.',
            manager,
            code,
            folder,
          );
    default:
      return undefined;
  }
}
