import { runnerProgram } from './runners';
import { programOf, type ShellCommand } from './shellCommand';
import { filters } from './simpleCommands';

/** Programs whose words may be code, other programs or files of either: an allow rule must write out all their words. */
const exactOnly: ReadonlySet<string> = new Set(
  `sh bash zsh dash ksh ash fish su powershell pwsh cmd busybox toybox runuser gosu su-exec sg setpriv capsh chroot proot unshare nsenter firejail bwrap fakeroot faketime runcon systemd-run systemd-inhibit systemd-cat
  strace ltrace flock tmux screen at batch crontab expect unbuffer rlwrap hyperfine entr watchexec nodemon concurrently nix nix-shell direnv run-parts start-stop-daemon xvfb-run taskset chrt numactl prlimit winpty
  cross-env cross-env-shell dotenv dotenvx env-cmd dbus-run-session valgrind perf gdb lldb catchsegv cpulimit ld.so dumb-init tini chpst zargs chronic sem retry wait-for-it start-server-and-test setarch linux32 linux64
  i386 x86_64 arch cgexec ifne mispipe pee zrun lckdo sandbox-exec wine nyc c8 op doppler sops aws-vault chamber teller infisical pm2 forever supervisor cargo-watch ansible open xdg-open osascript explorer rundll32
  regsvr32 mshta wscript cscript msiexec schtasks wmic forfiles start invoke-item ii invoke-command icm pcalua wsl enable hash bind complete compgen fc emulate zmodload autoload repeat noglob nocorrect setopt shopt functions
  sched zle bindkey set setenv setx pypy node nodejs bun tsx ts-node deno perl ruby php lua luajit rscript r groovy scala swift raku dc julia rake mix iex latexmk ghc ocaml kotlinc kotlin clojure clj bb babel-node coffee
  octave ipython tex latex pdftex pdflatex xelatex lualatex matlab rails nano pico guile racket elixir sbcl emacs vim vi nvim view ex gvim less more most man awk gawk mawk nawk gsed tar gtar bsdtar zip cpio ssh scp sftp
  slogin rsync curl wget gmake bmake cmake ctest gcc g++ cc c++ clang clang++ rustc fzf split tcpdump ip nc ncat netcat java mvn mvnw gradle gradlew psql mysql mariadb sqlite3 sqlite mongosh redis-cli socat docker podman
  irb tclsh`.split(/\s+/),
);

interface OpenProgram {
  /** How its words begin where a wildcard may follow. */
  readonly begins?: RegExp;
  /** Words that a wildcard does not stand for. */
  readonly except: RegExp;
}
const packages: OpenProgram = {
  begins: /^(test|t|run|run-script|start|install|i|ci|add|ls|list|outdated|why|audit)( |$)/,
  except: /^--(script-shell|node-|user|global|git|ed|browser|viewer|init|use-y|pnpmfile|config|shell|call)|^-[a-z]*c$|^(exec|config|set|pkg|set-script|plugin|explore|edit|node)$/,
};
/** Programs that run others too, and are so common that a rule may say `git log *`. */
const openPrograms: Readonly<Record<string, OpenProgram>> = {
  git: {
    begins: /^(--no-pager |-C [\w./-]+ )*(status|log|diff|show|add|commit|branch|checkout|switch|restore|stash|tag|blame|describe|grep|rev-parse|ls-files|ls-tree|shortlog|reflog|merge-base|cat-file|fetch|pull|push|rebase|reset|remote|rm|mv)( |$)/,
    except: /^(-[A-Za-z]*[xO]|--(ex|op|up|rec))|ext::/,
  },
  npm: packages,
  pnpm: packages,
  yarn: packages,
  cargo: { begins: /^(test|build|check|clippy|fmt|doc|tree|bench|run|metadata)( |$)/, except: /^(--config|-Z|\+|watch$|-s$)/ },
  go: { begins: /^(test|build|vet|fmt|list|version|doc|mod|get|install)( |$)/, except: /^--?(exec|toolexec|vettool|overlay|gccgo|modfile)|^(generate|env|tool)$/ },
  gh: { begins: /^(pr|issue|run|release|repo|workflow|search|label)( |$)/, except: /^(alias|extension)$/ },
  python: { begins: /^-m (pytest|unittest)( |$)/, except: /^-[A-Za-z]*c|timeit/ },
  make: { except: /^(-[A-Za-z]*[fEI]|--(file|makefile|eval|include))|=/ },
  rg: { except: /^--(pre|hostname-bin)/ },
  sort: { except: /^--comp/ },
  sed: { begins: /^-n \d+(,(\d+|\$))?p( |$)/, except: /^-(?!n$)/ },
};

/** An option whose name says that a program, code or a list of files follows, whatever program takes it. */
const codeOption =
  /^--?(?!-|(no|ignore|disable|skip|list|show|help)-)([^=]*-)?(exec|execute|command|cmd|eval|shell|pager|editor|rsh|hook|preload|javaagent|agentlib|plugin|launcher|wrapper|script|program|askpass|sendmail|renderer)(?=[-=]|$)|^--(files0?-from|pathspec-from|from-file|file-list)/is;

/** Whether a pattern with `*` may allow a command: not where one of its words may run something else. */
export function takesWildcard(command: ShellCommand): boolean {
  const program = programOf(command);
  const args = command.words.slice(1).map(({ text }) => text);
  // `python3.11`, `gcc-12`.
  const family = program.replace(/(?<![-\d.])[-\d.]+$/, '');
  if (program === '' || runnerProgram([program, ...args]) !== undefined || args.some((arg) => codeOption.test(arg))) return false;
  const name = Object.hasOwn(openPrograms, program) ? program : family;
  if (Object.hasOwn(openPrograms, name)) {
    const { begins, except } = openPrograms[name]!;
    // A word with a blank in it begins as none of these.
    const isOpen = begins === undefined || begins.test(args.map((arg) => (/\s/.test(arg) ? "'" : arg)).join(' '));
    return isOpen && !args.some((arg) => except.test(arg));
  }
  // `rbenv exec …`: many programs have that word.
  return !exactOnly.has(program) && !exactOnly.has(family) && (filters.has(program) || !args.includes('exec'));
}
