import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/analyse.js";
import { grammar } from "../../system/shell/grammar.js";

/** Every command as its words, with `?` for one that depends on the run, behind the names of what runs it. */
async function commandsOf(program: string): Promise<{ commands: string[]; doubts: readonly string[] }> {
  const { commands, doubts } = await analyseCommand(program, grammar);
  return {
    commands: commands.map(({ wrappers, words }) =>
      [...wrappers.map((name) => `${name}>`), ...words.map((word) => word ?? "?")].join(" "),
    ),
    doubts,
  };
}

/** Lines that are understood wholly, and the commands in them. */
const UNDERSTOOD: readonly (readonly [program: string, ...commands: string[]])[] = [
  ["git log && rm -rf /", "git log", "rm -rf /"],
  ["git log; rm -rf /", "git log", "rm -rf /"],
  ["git log || rm -rf /", "git log", "rm -rf /"],
  ["git log | rm -rf /", "git log", "rm -rf /"],
  ["ls & whoami", "ls", "whoami"],
  ["ls&whoami", "ls", "whoami"],
  ["ls && whoami & pwd || echo done", "ls", "whoami", "pwd", "echo done"],
  ["ls\nrm x", "ls", "rm x"],
  ["echo hi |& rm x", "echo hi", "rm x"],
  ["git log --format=$(rm -rf /)", "rm -rf /", "git log ?"],
  ["git log && echo $(git log | rm -rf /)", "git log", "git log", "rm -rf /", "echo ?"],
  ["gh pr view 123; rm -rf /", "gh pr view 123", "rm -rf /"],
  ["echo `rm -rf /`", "rm -rf /", "echo ?"],
  ['echo "$(whoami)"', "whoami", "echo ?"],
  ['echo "a `whoami` b"', "whoami", "echo ?"],
  ["echo `a \\`b\\``", "b", "a ?", "echo ?"],
  ["echo $(cat $(ls))", "ls", "cat ?", "echo ?"],
  ["(dangerous_cmd)", "dangerous_cmd"],
  ["(cd /tmp && rm -rf *)", "cd /tmp", "rm -rf ?"],
  ["{ rm x; }", "rm x"],
  ["diff <(git log) <(rm -rf /)", "git log", "rm -rf /", "diff ? ?"],
  ["tee >(rm -rf /)", "rm -rf /", "tee ?"],
  ["cat <<<$(whoami)", "whoami", "cat"],
  ["cat <<<`x`", "x", "cat"],
  ["echo '$(x)'", "echo $(x)"],
  ["echo \\$\\(x\\)", "echo $(x)"],
  ["echo \\`x\\`", "echo `x`"],
  ['echo "\\$(x)"', "echo $(x)"],
  ['echo "<(x)"', "echo <(x)"],
  ["files=(a b c)"],
  ["python - <<EOF\nx=(1+2)\nEOF", "python -"],
  ['node -e "..(a)=>b"', "node -e ..(a)=>b"],
  ["[ $a = $b ]", "[ ? = ? ]"],
  ['git commit -m "a; rm -rf /"', "git commit -m a; rm -rf /"],
  ['git commit -m "l1\nl2"', "git commit -m l1\nl2"],
  ["echo 'x $(rm y)'", "echo x $(rm y)"],
  ["echo 'a\u2028b'", "echo a\u2028b"],
  ['cat ".env"', "cat .env"],
  ["echo 'it'\\''s'", "echo it's"],
  ["r''m x", "rm x"],
  ["\\rm x", "rm x"],
  ["$'\\x72m' x", "rm x"],
  ["$'r\\155' x", "rm x"],
  ["echo {1..3} a{b,c}d {} {x}", "echo 1 2 3 abd acd {} {x}"],
  ["echo $((1 + 2)) ${x} $? ${#x} ${x%.*} ${x:-none}", "echo ? ? ? ? ? ?"],
  ["echo a \\\n  b", "echo a b"],
  ["cat > s.sh <<'H'\nrm x\nH\nsh s.sh && rm s.sh", "cat", "sh s.sh", "rm s.sh"],
  ["cat <<EOF | sort\n$(id)\nEOF", "id", "cat", "sort"],
  ["cat <<'EOF'\n$(id)\nEOF", "cat"],
  ["cat <<-EOF && rm x\n\t`id`\n\tEOF", "id", "cat", "rm x"],
  ["git commit -m \"$(cat <<'EOF'\nit's $(x)\nEOF\n)\"", "cat", "git commit -m ?"],
  ["git commit -m \"$(cat <<'EOF'\nfix: a\n\n- b\n\nEOF\n)\"", "cat", "git commit -m fix: a\n\n- b"],
  ["echo \"$(cat <<'EOF'\nEOF\n)\"b", "cat", "echo b"],
  ['echo "$(cat <<EOF\na $x\nEOF\n)"', "cat", "echo ?"],
  ["echo $(cat <<'EOF'\na b\nEOF\n)", "cat", "echo ?"],
  ["bash <<'EOF'\nrm x\nEOF", "bash", "bash> rm x"],
  ["bash <<< 'rm x'", "bash", "bash> rm x"],
  ["sh -s <<EOF\nrm x\nEOF", "sh -s", "sh> rm x"],
  ["> f rm x", "rm x"],
  ["< in CI=1 rm x", "rm x"],
  ["CI=bar rm f", "rm f"],
  ["for f in *; do rm $f; done", "rm ?"],
  ["if true; then touch x; fi", "true", "touch x"],
  ["if a; then b; elif c; then d; else e; fi", "a", "b", "c", "d", "e"],
  ['while read -r l; do echo "$l"; done < in', "read -r l", "echo ?"],
  ["until a; do b; done", "a", "b"],
  ["case $x in a|b*) c;; *) d; esac", "c", "d"],
  ["f() { rm x; }; f", "rm x", "f"],
  ["! rm x", "rm x"],
  ["time rm x", "time rm x", "time> rm x"],
  ["[[ $x =~ ^(a|b)$ && -f y ]] && rm x", "rm x"],
  ["a # rm x\nb", "a", "b"],
];

describe("the commands of a line", () => {
  it.each(UNDERSTOOD)("%j", async (program, ...commands) => {
    expect(await commandsOf(program)).toEqual({ commands, doubts: [] });
  });
});

/** Lines that a wrapper runs. */
const WRAPPED: readonly (readonly [program: string, ...commands: string[]])[] = [
  ["sudo rm x", "sudo rm x", "sudo> rm x"],
  ["sudo -n -u root rm x", "sudo -n -u root rm x", "sudo> rm x"],
  ["doas rm x", "doas rm x", "doas> rm x"],
  ["env CI=1 mv a b", "env CI=1 mv a b", "env> mv a b"],
  ["/usr/bin/env -v rm x", "/usr/bin/env -v rm x", "env> rm x"],
  ["env -u CI --unset=TZ rm x", "env -u CI --unset=TZ rm x", "env> rm x"],
  ["timeout -s KILL 30 rm f", "timeout -s KILL 30 rm f", "timeout> rm f"],
  ["/usr/bin/time rm x", "/usr/bin/time rm x", "time> rm x"],
  ['find src* -name "$x"', "find ? -name ?"],
  ["nohup cp a b", "nohup cp a b", "nohup> cp a b"],
  ["nice -n 5 rm x", "nice -n 5 rm x", "nice> rm x"],
  ["command rm x", "command rm x", "command> rm x"],
  ["command -v rm", "command -v rm"],
  ["exec rm x", "exec rm x", "exec> rm x"],
  ["xargs rm < list", "xargs rm", "xargs> rm ?"],
  ["xargs -I {} rm {}", "xargs -I {} rm {}", "xargs> rm ?"],
  ["xargs", "xargs"],
  ["find . -exec rm {} \\;", "find . -exec rm {} ;", "find> rm ?"],
  ["find . -name x -exec a {} + -exec b \\;", "find . -name x -exec a {} + -exec b ;", "find> a ?", "find> b"],
  ["fd x -X rm", "fd x -X rm", "fd> rm ?"],
  ["bash -c 'rm x; ls'", "bash -c rm x; ls", "bash> rm x", "bash> ls"],
  ["bash -lc 'rm x'", "bash -lc rm x", "bash> rm x"],
  ["bash -euo pipefail -c 'rm x'", "bash -euo pipefail -c rm x", "bash> rm x"],
  [
    "sudo bash -c 'env rm x'",
    "sudo bash -c env rm x",
    "sudo> bash -c env rm x",
    "sudo> bash> env rm x",
    "sudo> bash> env> rm x",
  ],
  ["eval 'rm x' y", "eval rm x y", "eval> rm x y"],
  ["trap 'rm x' EXIT", "trap rm x EXIT", "trap> rm x"],
  ["watch -n 1 'rm x; ls'", "watch -n 1 rm x; ls", "watch> rm x", "watch> ls"],
  ["git bisect run rm x", "git bisect run rm x", "git> rm x"],
  ["git rebase -x 'rm x' main", "git rebase -x rm x main", "git> rm x"],
  ["npx -c 'rm x'", "npx -c rm x", "npx> rm x"],
];

describe("what wrappers run", () => {
  it.each(WRAPPED)("%j", async (program, ...commands) => {
    expect(await commandsOf(program)).toEqual({ commands, doubts: [] });
  });
});
