import { describe, expect, it } from "vitest";
import { commandEnvironment, isAgentsCommand } from "../../../../src/hosts/node/environment.js";

describe("a command's environment", () => {
  for (const name of [
    ...[
      "GITHUB_TOKEN",
      "NPM_TOKEN",
      "GH_TOKEN",
      "OPENAI_API_KEY",
      "OPENAI_BASE_URL",
      "ANTHROPIC_AUTH_TOKEN",
      "AWS_ACCESS_KEY_ID",
      "AWS_SESSION_TOKEN",
    ],
    ...[
      "AZURE_CLIENT_ID",
      "STRIPE_SECRET",
      "PGPASSWORD",
      "MYSQL_PWD",
      "DB_PASS",
      "SSHPASS",
      "npm_config__authToken",
      "NPM_CONFIG__AUTH",
      "SENTRY_DSN",
    ],
    ...[
      "GOOGLE_APPLICATION_CREDENTIALS",
      "DOCKER_AUTH_CONFIG",
      "ADO_PAT",
      "API_KEYS",
      "SESSION_COOKIE",
      "ACTIONS_RUNTIME_URL",
      "MY_KEY_FILE",
      "signing_passphrase",
      "TOOLHOST_MESSAGE_CHANNELS",
      "TOOLHOST_SECRET_TEAM",
    ],
    ...[
      "VSCODE_PID",
      "VSCODE_GIT_ASKPASS_NODE",
      "ELECTRON_RUN_AS_NODE",
      "NODE_CHANNEL_FD",
      "TERM_PROGRAM",
      "GIT_ASKPASS",
      "SSH_ASKPASS",
      "FORCE_COLOR",
      "CLICOLOR_FORCE",
      "COLORTERM",
      "OLDPWD",
      "CHROME_DESKTOP",
      "APPLICATION_INSIGHTS_NO_STATSBEAT",
    ],
    ...["CDPATH", "HISTFILE", "GLOBIGNORE", "SHELLOPTS", "BASHOPTS", "RIPGREP_CONFIG_PATH"],
  ]) {
    it(`has no ${name}`, () => {
      expect(commandEnvironment({ [name]: "value" }, {}, "/w")).not.toHaveProperty(name);
    });
  }

  for (const name of [
    ...[
      "PATH",
      "HOME",
      "USER",
      "LANG",
      "LC_ALL",
      "SHELL",
      "TMPDIR",
      "SSH_AUTH_SOCK",
      "XAUTHORITY",
      "DISPLAY",
      "JAVA_HOME",
      "GOPATH",
      "VIRTUAL_ENV",
      "CI",
    ],
    ...[
      "AWS_PROFILE",
      "AWS_REGION",
      "TOKENIZERS_PARALLELISM",
      "KEYBOARD_LAYOUT",
      "GIT_AUTHOR_NAME",
      "npm_config_cache",
      "NODE_ENV",
      "MONKEY",
      "COMPASS_HOME",
      "DBUS_SESSION_BUS_ADDRESS",
    ],
    ...["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0", "HTTPS_PROXY"],
  ]) {
    it(`keeps ${name}`, () => {
      expect(commandEnvironment({ [name]: "value" }, {}, "/w")[name]).toBe("value");
    });
  }

  for (const [value, stays] of [
    ["ghp_0123456789abcdef", false],
    ["github_pat_11AAAA", false],
    ["sk-proj-0123456789abcdef0123", false],
    ["xoxb-1-2-3", false],
    ["AKIAIOSFODNN7EXAMPLE", false],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x", false],
    ["postgres://me:hunter2@db/x", false],
    ["postgres://db/x", true],
    ["https://example.org/a:b@c", true],
    ["sk-short", true],
    ["git@github.com:a/b.git", true],
    ["-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk", false],
    ["-----BEGIN PRIVATE KEY-----\\nMIIE", false],
    ["-----BEGIN PGP PRIVATE KEY BLOCK-----", false],
    ["LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ==", false],
    ["-----BEGIN CERTIFICATE-----\nMIIE", true],
    ["sk_live_51H8abc", false],
    ["rk_test_51H8abc", false],
    ["https://hooks.slack.com/services/T000/B000/XXXX", false],
    ["https://discord.com/api/webhooks/1/abc", false],
    ["https://ptb.discordapp.com/api/webhooks/1/abc", false],
    ["https://contoso.webhook.office.com/webhookb2/1@2/IncomingWebhook/3", false],
    ["https://discord.com/channels/1/2", true],
    ["pypi-AgEIcHlwaS5vcmcCJDU3", false],
    ["pypi-mirror", true],
    ["hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", false],
    ["hf_transfer", true],
    ["SG.abcdefghijklmnopqrstuv.xyz", false],
    ["AIzaSyA0123456789abcdefghijklmnopqrstuv", false],
    ["lin_api_0123456789", false],
    ["glrt-0123456789", false],
    ["ASIAIOSFODNN7EXAMPLE", false],
    ["Bearer 0123456789", false],
    ["bearer of news", true],
    ["Authorization: token abc", false],
    ["Server=db;Database=x;User Id=sa;Password=hunter2", false],
    ["Server=db; Pwd=hunter2;", false],
    ["DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc==;EndpointSuffix=core.windows.net", false],
    ["Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=n;SharedAccessKey=abc=", false],
    ["Server=db;Database=x;Integrated Security=true", true],
    ["https://a.blob.core.windows.net/c?sv=2022&sig=abc%3D", false],
    ["https://api.example.org/v1?access_token=abc", false],
    ["https://api.example.org/v1?page=2&keyword=token", true],
    ["https://0123456789abcdef@sentry.example.org/1", false],
    ["https://x-access-token@github.com/a/b.git", false],
    ["ssh://git@github.com/a/b.git", true],
    ["postgres://me@db/x", true],
    ["https://registry.npmjs.org/@scope/name", true],
    ['{"type":"service_account","private_key":"-----BEGIN"}', false],
    ['{ "client_secret": "abc" }', false],
    ['{"auths":{"r":{"password":"x"}}}', false],
    ['{"keyboard":"us","tokens":3}', true],
    ["//registry.npmjs.org/:_authToken=abc", false],
    ["--token=ghp_0123456789abcdef", false],
    ["/opt/sk-linux-toolchain-gcc-13/bin:/usr/bin", true],
    ["-Djava.io.tmpdir=/tmp -Xmx2g", true],
    ["rs=0:di=01;34:ln=01;36:*.tar=01;31", true],
  ] as const) {
    it(`${stays ? "keeps" : "drops"} a variable of any name with ${value}`, () => {
      expect("ANYTHING" in commandEnvironment({ ANYTHING: value }, {}, "/w")).toBe(stays);
    });
  }

  it("has what every program needs, whatever it looks like", () => {
    const odd = "/home/x;token=y:/usr/bin";
    expect(commandEnvironment({ PATH: odd, HOME: odd, LC_ALL: odd, TMPDIR: odd }, {}, "/w")).toMatchObject({
      PATH: odd,
      HOME: odd,
      LC_ALL: odd,
      TMPDIR: odd,
    });
  });

  it("decides on long values in time that grows with their length", () => {
    for (const part of [
      "http://",
      "a",
      '"',
      "secret",
      "; ",
      "a_token",
      "-----BEGIN ",
      "A ",
      "eyJ",
      "key-",
      "authorization",
    ]) {
      expect(commandEnvironment({ LONG: part.repeat(130_000 / part.length) }, {}, "/w")).toHaveProperty("LONG");
    }
  });

  it("sets nothing that tests of a program would see, and leaves what the user set", () => {
    const set = Object.keys(commandEnvironment({}, {}, "/w")).sort();
    expect(set.filter((name) => /COLOR|^CI$|^COLUMNS|^LINES/.test(name))).toEqual([]);
    expect(commandEnvironment({ NO_COLOR: "1", CI: "1" }, {}, "/w")).toMatchObject({ NO_COLOR: "1", CI: "1" });
  });

  it("has what the call takes away no more, but for that an agent runs it", () => {
    const env = commandEnvironment(
      { LANG: "C", HOME: "/h" },
      { LANG: null, TERM: null, PAGER: null, TOOLHOST_AGENT: null },
      "/w",
    );
    for (const name of ["LANG", "TERM", "PAGER"]) {
      expect(env).not.toHaveProperty(name);
    }
    expect(env).toMatchObject({ HOME: "/h", TOOLHOST_AGENT: "1" });
  });

  it("keeps a proxy with its password, or nothing would reach the network", () => {
    expect(commandEnvironment({ https_proxy: "http://me:pw@proxy:3128" }, {}, "/w").https_proxy).toBe(
      "http://me:pw@proxy:3128",
    );
  });

  it("has all of git's numbered settings or none", () => {
    const settings = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "http.extraheader",
      GIT_CONFIG_VALUE_0: "Authorization: basic xxx",
    };
    const inKey = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "url.https://abc@github.com/.insteadOf",
      GIT_CONFIG_VALUE_0: "https://github.com/",
    };
    for (const env of [settings, inKey]) {
      expect(Object.keys(commandEnvironment(env, {}, "/w")).filter((name) => name.startsWith("GIT_CONFIG"))).toEqual(
        [],
      );
    }
  });

  it("has a debugger's Node options no more, and the user's", () => {
    expect(
      commandEnvironment(
        { NODE_OPTIONS: "--require /x/ms-vscode.js-debug/src/bootloader.js --inspect-publish-uid=http" },
        {},
        "/w",
      ),
    ).not.toHaveProperty("NODE_OPTIONS");
    expect(commandEnvironment({ NODE_OPTIONS: "--max-old-space-size=4096" }, {}, "/w").NODE_OPTIONS).toBe(
      "--max-old-space-size=4096",
    );
  });

  it("lets nothing wait for a person", () => {
    expect(
      commandEnvironment({ PAGER: "less", GIT_EDITOR: "code --wait", TERM: "xterm-256color" }, {}, "/w"),
    ).toMatchObject({
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_EDITOR: ":",
      GIT_TERMINAL_PROMPT: "0",
      TERM: "dumb",
      PWD: "/w",
    });
  });

  it.each([{}, { TOOLHOST_AGENT: "" }, { TOOLHOST_AGENT: "0" }])(
    "says that an agent runs the command, also where the call asks for %j",
    (requested) => {
      const env = commandEnvironment({ PATH: "/bin" }, requested, "/w");
      expect(env).toMatchObject({ PATH: "/bin", TOOLHOST_AGENT: "1" });
      expect([isAgentsCommand(env), isAgentsCommand({}), isAgentsCommand({ TOOLHOST_AGENT: "" })]).toEqual([
        true,
        false,
        false,
      ]);
    },
  );

  it("has what the call asks for, whatever it is", () => {
    expect(
      commandEnvironment({ A: "1", TERM: "xterm" }, { A: "2", GITHUB_TOKEN: "t", TERM: "vt100", PAGER: "" }, "/w"),
    ).toMatchObject({ A: "2", GITHUB_TOKEN: "t", TERM: "vt100", PAGER: "" });
  });
});
