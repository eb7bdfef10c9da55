import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import {
  editableText,
  fieldProblem,
  fieldValue,
  formFields,
  formProblems,
  given,
  shownValue,
  toggled,
  type FormField,
} from "./form.js";

/** What a form is called, if not by its tool. */
export interface FormWords {
  title?: string;
  /** What the row that runs the tool is called. */
  run?: string;
}

interface Row extends vscode.QuickPickItem {
  /** Undefined for the row that runs the tool. */
  field?: FormField;
}

/**
 * Lets the user fill in a tool's input: one row per field, required ones first, and a row that runs the tool.
 *
 * @param initial prefilled values
 * @returns the input, or undefined if the user left
 */
export async function fillIn(
  tool: Tool,
  initial: Readonly<Record<string, unknown>>,
  { title = tool.title, run = "Run" }: FormWords = {},
): Promise<Record<string, unknown> | undefined> {
  const fields = formFields(tool);
  const values: Record<string, unknown> = { ...initial };
  let next: string | undefined = fields.find(({ name, required }) => required && values[name] === undefined)?.name;
  for (;;) {
    const row = await pickRow(tool, fields, values, next, { title, run });
    if (row === undefined) {
      return undefined;
    }
    if (row.field === undefined) {
      if (formProblems(tool, values).length === 0) {
        return given(values);
      }
      continue;
    }
    const { field } = row;
    values[field.name] = await editField(tool, field, values);
    next = nextField(fields, values, field);
  }
}

/** Returns the row to select next: after a required field the next empty one or Run, after an optional one the same. */
function nextField(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  edited: FormField,
): string | undefined {
  return edited.required
    ? fields.find(({ name, required }) => required && values[name] === undefined)?.name
    : edited.name;
}

function pickRow(
  tool: Tool,
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  active: string | undefined,
  { title, run: verb }: Required<FormWords>,
): Promise<Row | undefined> {
  const problems = formProblems(tool, values);
  // Nothing is wrong with a form that is not filled in yet.
  const missing = fields.filter(({ name, required }) => required && values[name] === undefined);
  const run: Row =
    problems.length === 0
      ? { label: `$(play) ${verb}`, alwaysShow: true }
      : {
          label: `$(circle-slash) ${verb}`,
          description:
            missing.length > 0 ? `fill in ${missing.map(({ label }) => label).join(", ")} first` : problems.join("; "),
          alwaysShow: true,
        };
  const rows: Row[] = [run, ...fields.map((field): Row => fieldRow(tool, field, values))];
  const picker = vscode.window.createQuickPick<Row>();
  picker.title = `Toolhost: ${title}`;
  // Before the work of filling in, not after it.
  picker.placeholder =
    vscode.workspace.isTrusted || tool.annotations.readOnly
      ? `Choose a field to fill in, or ${verb}`
      : "In Restricted Mode, only what just reads can run";
  picker.items = rows;
  picker.matchOnDescription = true;
  picker.ignoreFocusOut = true;
  // In a long form, the row that runs it may be out of sight.
  picker.buttons = problems.length === 0 ? [{ iconPath: new vscode.ThemeIcon("play"), tooltip: verb }] : [];
  picker.activeItems = rows.filter(({ field }) => field?.name === active).slice(0, 1);
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      resolve(picker.selectedItems[0] ?? picker.activeItems[0]);
      picker.dispose();
    });
    picker.onDidTriggerButton(() => {
      resolve(run);
      picker.dispose();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

function fieldRow(tool: Tool, field: FormField, values: Readonly<Record<string, unknown>>): Row {
  const value = values[field.name];
  const problem = value === undefined ? undefined : fieldProblem(tool, values, field.name);
  // Each row has an icon, so that all labels begin at the same place.
  const icon = problem !== undefined ? "error" : field.kind === "toggle" && value === true ? "check" : "blank";
  const isNew = field.description.replace(/\.$/u, "").toLowerCase() !== field.label.toLowerCase();
  return {
    label: `$(${icon}) ${field.label}`,
    description: problem ?? shownValue(field, value),
    ...(isNew && { detail: field.description }),
    field,
  };
}

/** Returns the field's new value; the old one if the user left. */
async function editField(tool: Tool, field: FormField, values: Readonly<Record<string, unknown>>): Promise<unknown> {
  const value = values[field.name];
  switch (field.kind) {
    case "toggle":
      return toggled(value);
    case "choice":
      return chooseValue(field, value);
    case "text":
    case "json":
      return typeValue(tool, field, values);
  }
}

async function chooseValue(field: FormField, value: unknown): Promise<unknown> {
  const none = { label: "Use the tool's default", choice: undefined };
  const items = field.choices.map((choice) => ({
    label: choice,
    ...(choice === value ? { description: "current" } : {}),
    choice,
  }));
  const picked = await vscode.window.showQuickPick(field.required ? items : [...items, none], {
    title: field.label,
    placeHolder: field.description,
    ignoreFocusOut: true,
  });
  return picked === undefined ? value : picked.choice;
}

async function typeValue(tool: Tool, field: FormField, values: Readonly<Record<string, unknown>>): Promise<unknown> {
  const value = values[field.name];
  const typed = await vscode.window.showInputBox({
    title: field.label,
    prompt: field.kind === "json" ? `${field.description} Enter JSON.` : field.description,
    value: editableText(value),
    ignoreFocusOut: true,
    validateInput: (text) => fieldProblem(tool, { ...values, [field.name]: fieldValue(field, text) }, field.name),
  });
  return typed === undefined ? value : fieldValue(field, typed);
}
