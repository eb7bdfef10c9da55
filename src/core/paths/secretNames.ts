import type { FileRule } from "./fileRules.js";

/** Name parts of template files such as `.env.example`, which hold no real secrets. */
const SAMPLE = "{example,sample,template,dist,tmpl,tpl}";

/**
 * Files that hold keys and passwords. Reading them needs the user's approval, and searches skip them. Sources: the
 * ignore lists of GitHub's gitignore collection and of secret scanners (gitleaks, trufflehog, detect-secrets), and the
 * tools' own manuals.
 */
export const SECRET: readonly FileRule[] = [
  {
    why: "it may hold passwords or keys",
    globs: ["**/.env*", "**/*.env", "**/.flaskenv", "**/.dev.vars*"],
    but: [
      `**/.env*[._-]${SAMPLE}`,
      `**/.dev.vars[._-]${SAMPLE}`,
      `**/*[._-]${SAMPLE}.env`,
      `**/${SAMPLE}.env`,
      "**/.environment*",
      "**/.envoy*",
    ],
  },
  {
    why: "it may hold passwords or keys",
    globs: [
      "**/.{netrc,npmrc,pypirc,pgpass,htpasswd,authinfo,my.cnf,mylogin.cnf,s3cfg,boto,vault-token,terraformrc,yarnrc.yml,git-credentials,dockercfg,dockerconfigjson}",
      "**/_netrc",
      "**/pgpass.conf",
      "**/rclone.conf",
      "**/{wp-config.php,local.settings.json}",
      "**/*.tfstate",
      "**/*.tfstate.*",
      "**/{secret,secrets}.{yml,yaml,json,toml,ini,properties}",
      "**/credentials.{json,yml,yaml,toml,ini,csv,xml}",
      "**/client_secret*.json",
      "**/{service-account,service_account,serviceaccount}*.json",
      "**/*{-service-account,_service_account,firebase-adminsdk}*.json",
    ],
  },
  {
    why: "it may hold passwords or keys",
    globs: ["**/*.tfvars", "**/*.tfvars.json"],
    but: [`**/*[._-]${SAMPLE}.tfvars`, `**/${SAMPLE}.tfvars`],
  },
  {
    why: "it may hold a private key",
    globs: ["**/*.{pem,key,p8,p12,pfx,pk8,jks,jceks,bks,keystore,keytab,kdbx,kdb,ppk,ovpn,agekey}"],
  },
  { why: "it may hold a private key", globs: ["**/*{private,priv,secret}*.{asc,gpg,pgp}", "**/secring.gpg"] },
  { why: "it may hold a private key", globs: ["**/id_{rsa,dsa,ecdsa,ed25519}*"], but: ["**/*.pub"] },
  // Keys may have any name after `id_`; source files that begin like one have an extension.
  { why: "it may hold a private key", globs: ["**/id_*"], but: ["**/id_*.*"] },
  { why: "it holds credentials", globs: ["**/.ssh", "**/.ssh/**"], but: ["**/.ssh/**/*.pub"] },
  {
    why: "it holds credentials",
    // The folders themselves as well: a link to one may have any name.
    globs: [
      "**/.{aws,gnupg,azure}",
      "**/.{aws,gnupg,azure}/**",
      "**/.kube/config",
      "**/{.,*.,}kubeconfig",
      "**/.docker/config.json",
      "**/.cargo/credentials.toml",
      "**/.gem/credentials",
      "**/.config/{gh/hosts.yml,hub,doctl/config.yaml}",
      "**/.config/gcloud/**",
      "**/.terraform.d/credentials.tfrc.json",
    ],
  },
  // A remote's address may contain a token.
  {
    why: "it may hold a token in a remote's address",
    globs: ["**/.git/{config,config.worktree}", "**/.git/modules/**/config"],
  },
  // Where a workspace contains the state folder, a home folder for example (docs/security.md lists the places).
  {
    why: "it holds what Toolhost keeps of files and sessions",
    globs: [
      "**/.local/state/toolhost/**",
      "**/Library/Application Support/toolhost/**",
      "**/AppData/Local/toolhost/**",
      "**/workspaces/*/{state,knowledge-*}.db*",
      "**/workspaces/*/commands/*-*-*/**",
      "**/workspaces/*/results/r????????????.{txt,json}",
    ],
  },
  { why: "typed commands may hold passwords", globs: ["**/.*_history", "**/{.zhistory,.histfile,fish_history}"] },
];
