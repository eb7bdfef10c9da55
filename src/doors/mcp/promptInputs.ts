/** What VS Code asks for when a prompt file is used: `${input:name}` or `${input:name:hint}`. */
const INPUT = /\$\{input:([^}:\n]{1,100})(?::([^}\n]{0,500}))?\}/g;

export interface PromptInput {
  name: string;
  hint: string | undefined;
}

/** Returns the inputs of a prompt's text, each once, in their order. */
export function inputsOf(text: string): PromptInput[] {
  const found = new Map<string, PromptInput>();
  for (const [, name = "", hint] of text.matchAll(INPUT)) {
    const known = found.get(name);
    found.set(name, { name, hint: known?.hint ?? hint });
  }
  return [...found.values()];
}

/** Puts values in place of the inputs. What is put in is not read again. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(INPUT, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? "") : whole));
}
