/** Commands about the machine, its users and its processes. */
import type { Call } from "./options.js";
import { beyond, destroys, each, type CommandSpec, type Family, type Finding } from "./spec.js";

const bare = (plain: string, value = ""): CommandSpec => ({
  effect: "reads",
  flags: { plain: `${plain} --help --version`, value },
});

/** Reports `date 01020304` and `hostname x`, which set what they otherwise print. */
function dateFindings(call: Call): readonly Finding[] {
  const isFormat = call.operands.every((word) => word.value?.startsWith("+") === true);
  return isFormat ? [] : [beyond("destroys", "it sets the clock")];
}

/**
 * Reports flags of ps that show environments. In the BSD form, `e` prints the environments of processes, which may hold
 * passwords; so does the column `environ`.
 */
function psFindings(call: Call): readonly Finding[] {
  const isPlain =
    !call.flags.some(({ values }) => values.some((value) => /environ/iu.test(value))) &&
    call.operands.every((word) => /^(?:[acfghjlmnrsTtuvwxX]+|\d+)$/u.test(word.value ?? ""));
  return isPlain ? [] : [beyond("unknown", "it may print the environments of processes")];
}

const looking: Family = {
  date: {
    effect: "reads",
    operands: { rest: "text" },
    check: dateFindings,
    flags: {
      plain: "-uRj --utc --universal --rfc-email --debug --help --version",
      joined: "-I --iso-8601",
      value: "-d --date --rfc-3339",
      read: "-r --reference -f --file",
      exceptions: [{ flags: "-s --set", takes: "value", does: "destroys", why: "sets the clock" }],
    },
  },
  cal: { effect: "reads", operands: { rest: "text" }, flags: { plain: "-13smjyhwn" } },
  uname: bare(
    "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system",
  ),
  hostname: bare("-adfiIsyA --alias --domain --fqdn --long --ip-address --all-ip-addresses --short"),
  arch: bare(""),
  nproc: bare("--all", "--ignore"),
  whoami: bare(""),
  id: { anyFlag: true, ...bare("-aGgnruz --group --groups --name --real --user --zero"), operands: { rest: "text" } },
  groups: { anyFlag: true, ...bare(""), operands: { rest: "text" } },
  ...each("who w users uptime", bare("-abdHlmpqrstTuhfsop --all --heading --count --short --pretty --since")),
  // Not listed: `-f` names another file, and `-d` looks up a host's name over the network.
  last: bare("-aFiRwx", "-n --limit"),
  tty: bare("-s --silent --quiet"),
  free: bare("-bkmghtwlv --bytes --kibi --mebi --gibi --human --si --total --wide --lohi", "-sc --seconds --count"),
  lscpu: bare("-abcJpx --all --online --offline --json"),
  df: {
    effect: "reads",
    operands: { rest: "read" },
    flags: {
      plain:
        "-ahHiklPTvm --all --human-readable --si --inodes --local --portability --print-type --total --no-sync --help --version",
      value: "-Btx --block-size --type --exclude-type",
      joined: "--output",
    },
  },
  ps: {
    effect: "reads",
    operands: { rest: "text" },
    check: psFindings,
    flags: {
      plain: "-eAafFljdMHLTcy --forest --headers --no-headers",
      value: "-opuUCtG --format --pid --ppid --user --sort --cols",
    },
  },
  ...each("pgrep pidof", {
    effect: "reads",
    operands: { rest: "text" },
    flags: {
      plain: "-aflncvxio --list-name --list-full --full --newest --oldest --count --inverse --exact --ignore-case",
      value: "-uUPgGt --euid --uid --parent",
    },
  }),
  // Programs run here get an environment without secrets (hosts/node/environment.ts).
  env: { effect: "reads", flags: { plain: "-0 --null --help --version" } },
  printenv: { effect: "reads", operands: { rest: "text" }, flags: { plain: "-0 --null --help --version" } },
  locale: bare("-amkc --all-locales --charmaps --category-name --keyword-name"),
  ...each("sync", { effect: "reads", flags: { plain: "" } }),
};

const destroying: Family = {
  ...each("kill pkill killall skill xkill", { ...destroys("it ends processes"), operands: { rest: "text" } }),
  ...each("gem brew apt apt-get dpkg yum dnf pacman apk snap flatpak port choco winget pipx conda mamba", {
    ...destroys("it changes what is installed on the machine"),
    operands: { rest: "text" },
  }),
  ...each(
    "shutdown reboot halt poweroff init telinit systemctl service launchctl initctl loginctl",
    destroys("it stops or starts the machine or its services"),
  ),
  ...each(
    "mkfs mke2fs mkfs.ext4 mkfs.xfs mkswap fdisk parted sfdisk wipefs losetup cryptsetup diskutil",
    destroys("it overwrites disks"),
  ),
  ...each(
    "mount umount swapon swapoff chroot unshare nsenter",
    destroys("it changes mounts or swap, or runs programs under another root or in another namespace"),
  ),
  ...each(
    "useradd userdel usermod groupadd groupdel adduser deluser passwd chpasswd visudo chsh chfn",
    destroys("it changes users and their permissions"),
  ),
  ...each("crontab at batch atrm systemd-run", destroys("it schedules programs")),
  ...each(
    "iptables ip6tables nft ufw firewall-cmd route ip ifconfig sysctl modprobe insmod rmmod setenforce hostnamectl timedatectl",
    destroys("it changes the machine's settings"),
  ),
  ...each(
    "defaults reg dscl csrutil spctl security pbcopy pbpaste xclip xsel gpg ssh-keygen ssh-add ssh-agent openssl pass op vault keychain",
    destroys("it can reach keys, passwords, system settings or the clipboard"),
  ),
  ...each("watch script screen tmux parallel entr flock setarch start-stop-daemon open xdg-open code", {
    ...destroys("it runs programs"),
    effect: "unknown",
  }),
};

export const systemCommands: Family = { ...looking, ...destroying };
