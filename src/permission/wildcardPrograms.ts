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
  irb tclsh csh tcsh mksh pdksh posh yash elvish xonsh nu osh rbash aa-exec choom logsave setlock softlimit envdir envuidgid setuidgid run0 dzdo gksu gksudo kdesu sshpass ssh-agent ssh-add ssh-keygen ssh-copy-id sshfs
  autossh mosh proxychains torify torsocks tsocks eatmydata ccache sccache distcc icecc grc multitime pexec bear scan-build coverage py-spy samply flamegraph rr stap bpftrace openvt dbus-launch xinit startx ttyd gotty
  asciinema zellij dtach abduco byobu tmate gum sk peco rofi onchange chokidar watchman watchman-make act gitlab-runner circleci earthly dagger skaffold tilt okteto telepresence railway firebase netlify cdk cdktf cdk8s
  pulumi packer vagrant terragrunt ansible-playbook ansible-console ansible-pull ansible-galaxy ansible-inventory ansible-test puppet facter knife chef-client salt salt-call fab helm helmfile kustomize oc k9s k3s minikube
  docker-compose podman-compose nerdctl buildah skopeo ctr crictl lxc incus multipass distrobox toolbox machinectl limactl colima gcloud az doctl heroku vault nomad systemctl service launchctl busctl dbus-send gdbus qdbus
  mount modprobe insmod sysctl iptables ip6tables logrotate visudo vipw vigr update-alternatives nginx apache2ctl httpd caddy pg_ctl postgres mysqld redis-server sshd supervisord supervisorctl apt apt-get apt-cache
  apt-mark aptitude dpkg rpm rpmbuild rpmdb rpmquery rpmverify yum dnf zypper apk pacman makepkg snap flatpak brew port emerge guix nix-build nix-env nix-instantiate nixos-rebuild home-manager choco winget scoop msbuild
  installutil csc fsi csi psexec reg regedit certutil bitsadmin winrs import-module ipmo add-type new-object start-job set-alias sal new-alias nal invoke-wmimethod invoke-cimmethod enter-pssession new-pssession
  register-scheduledtask measure-command trace-command automator shortcuts defaults installer code code-insiders codium vscodium cursor windsurf subl zed idea emacsclient vimdiff gvimdiff rvim rview micro hx kak joe jed mg
  mc ranger nnn vifm lf ncdu patch unzip unrar unar 7z 7za 7zr 7zz jar javac jshell jdb jrunscript jjs jbang ant sbt lein mill groovysh kscript scalac scala-cli amm ghci runghc runhaskell cabal stack erl erlc escript
  rebar3 opam utop ocamlfind ocamlrun zig nim nimble crystal rdmd dmd ldc2 dub gfortran fpc gnatmake tcc c89 c99 cpp ld ldd lld nvcc emcc em++ libtool clang-tidy nm ar ranlib rustdoc m4 autom4te autoconf automake
  autoreconf bison yacc flex scons meson waf bazel bazelisk buck buck2 pants xcrun xcodebuild fastlane pod gem cpan cpanm prove perldoc luarocks pry byebug bpython ptpython jupyter pipenv pdm hatch rye conda mamba
  micromamba pixi pipx easy_install virtualenv tox nox django-admin wp drush mise nvm corepack nlx zx jiti tsm vite-node electron chrome google-chrome google-chrome-stable chromium chromium-browser msedge firefox lynx
  w3m links elinks mmdc plantuml pandoc asciidoctor groff troff nroff pic enscript a2ps gs ps2pdf magick convert mogrify gimp inkscape blender soffice libreoffice unoconv luatex xetex context dvips cowsay cowthink exiftool
  gnuplot maxima sage scilab octave-cli wolframscript mlr csvtool vd yq jsonnet dhall gomplate xsltproc xmlstarlet duckdb clickhouse clickhouse-client clickhouse-local sqlcmd sqlplus cqlsh mongo mysqlsh pgcli mycli litecli
  usql sqlmap aria2c ftp lftp ncftp tftp telnet smbclient nmap openvpn openssl wg-quick tshark wireshark mitmproxy mitmdump mitmweb websocat rclone restic borg duplicity unison gpg gpgsm gpg-agent p11tool pkcs11-tool mail
  mailx mutt neomutt msmtp run-mailcap svn hg bzr brz cvs darcs jj fossil p4 hub glab tig lazygit gitui gitk ack sdiff diff3 xdotool ydotool scrot pidstat msgfilter debugfs coredumpctl gdbserver dlv wrk k6 locust artillery
  mypy dmypy pyright node-gyp tsup tsc-watch jscodeshift fx sqlite-utils csvpy cppcheck doxygen cloc gio gtk-launch kde-open exo-open sensible-browser sensible-editor sensible-pager x-www-browser`.split(/\s+/),
);
/** Parts of git, and compilers for another system. */
const exactFamilies = /^git-|-(gcc|g\+\+|clang|clang\+\+|cpp|ld|gdb)$/;

interface OpenProgram {
  /** How its words begin where a wildcard may follow. */
  readonly begins?: RegExp;
  /** Words that a wildcard does not stand for. */
  readonly except: RegExp;
}
const packages: OpenProgram = {
  begins: /^(test|t|run|run-script|start|install|i|ci|add|ls|list|outdated|why|audit)( |$)/,
  except: /^--(scr|nod|py|make|user|global|git|ed|browser|viewer|init|use-y|pnpmfile|config|shell|call)|^-[a-z]*c$|^(exec|config|set|pkg|set-script|plugin|explore|edit|node)$/,
};
const recipes: OpenProgram = { except: /^-|[^\w./:@+-]/ };
const flutter: OpenProgram = { begins: /^(test|analyze|format|pub (get|outdated|deps))( |$)/, except: /^--packages/ };
const terraform: OpenProgram = { begins: /^(fmt|validate|plan|show|output|version|graph)( |$)/, except: /^--?chdir/ };
/** Programs that run others too, and are so common that a rule may say `git log *`. */
const openPrograms: Readonly<Record<string, OpenProgram>> = {
  git: {
    // A repository inside the workspace has its own hooks and settings: git must not send to a path, fetch from one, or merge by a
    // program. With an option whose value is the next word, Parley cannot tell which word is the remote.
    begins:
      /^(--no-pager |-C [\w./-]+ )*((status|log|diff|show|add|commit|branch|checkout|switch|restore|stash|tag|blame|describe|grep|rev-parse|ls-files|ls-tree|shortlog|reflog|merge-base|cat-file|reset|rm|mv)( |$)|remote(?!.* (add|set-url)( |$))( |$)|rebase(?!.* (-[A-Za-z]*s|--strat))( |$)|(fetch|pull|push)(?!.* (-[A-Za-z]*[ms]|--str|--mu))( (--depth|--deepen|-j|--jobs) \d+| -[afknpPqtuvrd46]+| --[a-z-]+=[^ ]*| --(no-[a-z-]+|all|append|atomic|autostash|commit|delete|dry-run|ff|ff-only|follow-tags|force|force-with-lease|keep|log|porcelain|progress|prune|prune-tags|quiet|rebase|refetch|set-upstream|squash|stat|tags|thin|unshallow|verbose|verify))*( (origin|upstream)( |$)|$))/,
    except: /^(-[A-Za-z]*[xO]|--(ex|op|ou|up|rec|rep))|ext::/,
  },
  npm: packages,
  pnpm: packages,
  yarn: packages,
  cargo: { begins: /^(test|build|check|clippy|fmt|doc|tree|bench|run|metadata)( |$)/, except: /^(--config|-Z|\+|watch$|-s$)/ },
  go: { begins: /^(test|build|vet|fmt|list|version|doc|mod|get|install)( |$)/, except: /^--?(exec|toolexec|vettool|overlay|gccgo|ldflags|modfile)|^(generate|env|tool)$/ },
  gh: { begins: /^(pr|issue|run|release|repo(?!.* (create|new)( |$))|workflow|search|label)( |$)/, except: /^(alias|extension|--)$|ext::/ },
  python: { begins: /^-m (pytest|unittest)( |$)/, except: /^-[A-Za-z]*c|timeit/ },
  // Long options may be cut short wherever they are those of GNU.
  make: { except: /^(-[A-Za-z]*[fEI]|--(f|mak|ev|inc))|=/ },
  ninja: { except: /^(-[A-Za-z]*[ft]|--)/ },
  // What they are given is often pasted into a script.
  just: recipes,
  task: recipes,
  pip: { begins: /^(install|list|show|freeze|check|download|index)( |$)/, except: /^(-C|--(py|key|con|log|src))|ext::/ },
  uv: { begins: /^(sync|add|remove|lock|tree|pip (install|list|show|freeze|check|tree))( |$)/, except: /^(-[A-Za-z]*p|-C|--(py|config|key|with|from|dir|proj))|ext::/ },
  'pre-commit': { begins: /^run( |$)/, except: /^(-c|--con)/ },
  poetry: { begins: /^(install|add|remove|update|lock|show|check|build)( |$)/, except: /^(-C|-P|--(dir|proj))|ext::/ },
  bundle: { begins: /^(install|add|update|lock|check|list|show|info|outdated)( |$)/, except: /^--(gemfile|shebang)|ext::/ },
  composer: { begins: /^(install|require|update|show|validate|outdated|dump-autoload|run|run-script|test)( |$)/, except: /^(-d|--w)/ },
  dotnet: { begins: /^(build|test|restore|clean|publish|run|format|list)( |$)/, except: /^(?!--?(c|configuration|f|framework|filter|no-build|no-restore|nologo|v|verbosity|o|output|r|runtime|project)([=:]|$))[-/@]/ },
  dart: flutter,
  flutter,
  terraform,
  tofu: terraform,
  kubectl: { begins: /^(get|describe|logs|top|explain|version|api-resources)( |$)/, except: /^(-[A-Za-z]*s|--(kubeconfig|server|raw|cache-dir|profile))/ },
  aws: { except: /^configure$/ },
  rg: { except: /^--(pre|hostname-bin)/ },
  ag: { except: /^--pa/ },
  sort: { except: /^--(co|fil)/ },
  wc: { except: /^--f/ },
  du: { except: /^--f/ },
  install: { except: /^--str/ },
  sed: { begins: /^-n \d+(,(\d+|\$))?p( |$)/, except: /^-(?!n$)/ },
};

/** An option whose name says that a program, code or a list of files follows, whatever program takes it. */
const codeOption =
  /^--?(?!-|(no|ignore|disable|skip|list|show|help)-)([^=]*-)?(exec|execute|command|cmd|eval|shell|pager|editor|rsh|hook|preload|javaagent|agentlib|plugins?|executable|interpreter|pythonpath|linker|compiler|tool|launcher|wrapper|script|program|askpass|sendmail|renderer)(?=[-=]|$)|^--?(files0?-from|pathspec-from|from-file|file-list)/is;

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
    const isOpen = begins === undefined || begins.test(args.map((arg) => arg.replaceAll(/\s/g, "'")).join(' '));
    // `yarn run` runs any program that is installed in the workspace.
    const run = name === 'yarn' && args[0] === 'run' ? command.words.findIndex(({ text }, at) => at > 1 && !text.startsWith('-')) : -1;
    return isOpen && !args.some((arg) => except.test(arg)) && (run < 0 || takesWildcard({ ...command, words: command.words.slice(run) }));
  }
  // `rbenv exec …`: many programs have that word.
  return !exactOnly.has(program) && !exactOnly.has(family) && !exactFamilies.test(family) && (filters.has(program) || !args.includes('exec'));
}
