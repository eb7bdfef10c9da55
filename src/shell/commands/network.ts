/** Commands that reach other machines, containers and clouds. */
import { addressFindings } from "./goals.js";
import type { Call } from "./options.js";
import {
  beyond,
  destroys,
  each,
  unknown,
  type CommandSpec,
  type Exception,
  type Family,
  type Finding,
} from "./spec.js";

/** Reports words about secrets: `kubectl get secret` prints them. */
function secretKinds(call: Call): readonly Finding[] {
  return call.operands.some(({ value }) => value === undefined || /secret/iu.test(value))
    ? [beyond("unknown", "it may show the cluster's secrets")]
    : [];
}

const compose: CommandSpec = {
  effect: "changes",
  why: "it builds and runs the project's containers",
  lenient: true,
  here: "always",
  operands: { rest: "text" },
  flags: { exceptions: [{ flags: "-v --volumes --rmi", does: "destroys", why: "deletes data" }] },
};

/** A container can be given folders of the machine, so the flags that do this are listed. */
const image: CommandSpec = {
  effect: "changes",
  why: "it builds an image, which runs a Dockerfile's steps",
  lenient: true,
  here: "always",
  operands: { rest: "read" },
  check: (call) => addressFindings(call.operands.map(({ value }) => (value === "-" ? "stdin://" : value))),
  flags: {
    exceptions: [
      {
        flags:
          "-f --file -o --output --secret --ssh --build-context --metadata-file --iidfile --push --allow --cache-to --cache-from --builder --sbom --attest",
        takes: "value",
        does: "reaches",
        why: "reads or writes elsewhere",
      },
      {
        flags:
          "--network --add-host --device --isolation --security-opt --cap-add --authfile --creds --cert-dir --hooks-dir --env-file --runtime -v --volume",
        takes: "value",
        does: "reaches",
        why: "gives the build access to the machine",
      },
    ],
  },
};

const deletes = destroys("it deletes containers, images or data");

const composeCommand: CommandSpec = {
  effect: "unknown",
  globals: {
    value: "--progress --ansi --profile -p --project-name",
    exceptions: [
      {
        flags: "-f --file --project-directory --env-file",
        takes: "value",
        does: "reaches",
        why: "uses another configuration",
      },
    ],
  },
  subcommands: {
    ...each("up build stop start restart pull create", compose),
    ...each("ps logs config images top port version", { ...compose, why: "it queries the container service" }),
    down: compose,
    ...each("rm kill", deletes),
    ...each("exec run", unknown("it runs a program in a container")),
  },
};

const containerCommands: Family = {
  build: image,
  compose: composeCommand,
  ...each("ps images logs info version top port stats history", {
    effect: "changes",
    why: "it queries the container service, which may be on another machine",
    lenient: true,
    operands: { rest: "text" },
  }),
  // `inspect` shows environments, with passwords in them.
  ...each("inspect events search diff", unknown("it queries the container service, which may be on another machine")),
  ...each("rm rmi kill prune system volume network container image builder buildx swarm stack service node", deletes),
  ...each("run exec create start cp attach", unknown("it runs a program that can be given any folder on the machine")),
  ...each("push login logout trust", destroys("it publishes, or changes accounts")),
};

const containers: Family = each("docker podman nerdctl", {
  effect: "unknown",
  globals: {
    plain: "-D --debug --tls --tlsverify",
    value: "-l --log-level",
    exceptions: [
      {
        flags: "-H --host -c --context --config --tlscacert --tlscert --tlskey --url --connection --root",
        takes: "value",
        does: "reaches",
        why: "uses another machine or configuration",
      },
    ],
  },
  bare: { effect: "reads", flags: { plain: "-v --version" } },
  subcommands: containerCommands,
});

/** terraform accepts one dash or two (terraform 1.9, `terraform plan -help`). */
const planExceptions: readonly Exception[] = [
  {
    flags:
      "-out --out -generate-config-out --generate-config-out -state --state -state-out --state-out -backup --backup",
    takes: "value",
    does: "writes",
    why: "writes to the path it names",
  },
  { flags: "-var-file --var-file", takes: "value", does: "reaches", why: "takes values from elsewhere" },
];

/** Queries that `gh` makes over the network in the user's name (cli.github.com/manual). */
const tells: CommandSpec = {
  effect: "changes",
  why: "it queries the service over the network in your name",
  lenient: true,
  operands: { rest: "text" },
  flags: { value: "-R --repo", exceptions: [{ flags: "-w --web", does: "runs", why: "starts a browser" }] },
};
const changesInYourName: CommandSpec = {
  effect: "destroys",
  why: "it may change or publish something in your name",
  prefix: 0,
  lenient: true,
  operands: { rest: "text" },
};
const telling = (names: string): CommandSpec => ({
  ...changesInYourName,
  bare: changesInYourName,
  subcommands: each(names, tells),
});

export const networkCommands: Family = {
  "docker-compose": composeCommand,
  ...each(
    "curl wget aria2c http https xh lynx w3m links",
    unknown("it reaches the network, and can send and write files"),
  ),
  ...each(
    "nc ncat netcat socat telnet ssh sftp scp rsync ftp tftp mosh rclone",
    unknown("it reaches other machines, and can send and write files"),
  ),
  ...each(
    "ping traceroute dig nslookup host whois nmap tcpdump arp",
    unknown("it reaches the network, or shows who does"),
  ),
  ...containers,
  // The rule's prefix includes the resource kind, so that no rule allows `kubectl get secret` by accident.
  ...each("kubectl oc", {
    effect: "unknown",
    bare: destroys("it changes a cluster"),
    subcommands: each("get describe logs top explain api-resources version", {
      effect: "changes",
      why: "it queries the cluster over the network",
      prefix: 3,
      lenient: true,
      operands: { rest: "text" },
      check: secretKinds,
      flags: {
        exceptions: [
          {
            flags: "--kubeconfig --context --cluster --server -s --token --raw -f --filename -k --kustomize",
            takes: "value",
            does: "reaches",
            why: "reaches another cluster or file",
          },
        ],
      },
    }),
  }),
  ...each("helm k9s minikube kind", destroys("it changes a cluster")),
  ...each("terraform tofu", {
    effect: "unknown",
    bare: destroys("it changes machines and services"),
    subcommands: {
      plan: {
        effect: "changes",
        why: "it runs the configuration's providers, which query the services that the configuration names",
        style: "single",
        lenient: true,
        here: "always",
        operands: {},
        flags: { exceptions: planExceptions },
      },
    },
  }),
  ...each("terragrunt pulumi ansible ansible-playbook vagrant packer", destroys("it changes machines and services")),
  ...each(
    "aws gcloud az doctl flyctl fly heroku vercel netlify firebase wrangler",
    destroys("it changes services in a cloud"),
  ),
  ...each("gh glab hub", {
    effect: "unknown",
    why: "it reaches the network in your name",
    prefix: 0,
    globals: { value: "-R --repo" },
    subcommands: {
      pr: telling("view list status diff checks"),
      issue: telling("view list status"),
      ...each("run release", telling("view list")),
      ...each(
        "repo workflow gist label secret variable auth ssh-key gpg-key api extension alias config codespace project cache ruleset",
        changesInYourName,
      ),
      ...each("search status browse", unknown("it reaches the network in your name")),
    },
  }),
};
