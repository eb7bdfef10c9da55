import { readCron } from "./cron.js";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const WEEKDAYS = "1,2,3,4,5";
const WEEKEND = "0,6";

/**
 * Returns when a cron expression is due, in words (`weekdays at 09:00`); undefined for one that has no short words, and
 * for one that is invalid.
 */
export function cronWords(expression: string): string | undefined {
  const read = readCron(expression);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = expression.trim().split(/[ \t]+/);
  if (typeof read === "string" || month !== "*") {
    return undefined;
  }
  const often = hour === "*" && day === "*" && weekday === "*" ? oftenWords(minute) : undefined;
  const [minutes = [], hours = [], , , weekdays = []] = read.values;
  if (often !== undefined || minutes.length !== 1 || hours.length !== 1) {
    return often;
  }
  const days = day === "*" ? dayWords(weekday, weekdays) : weekday === "*" ? dateWords(day) : undefined;
  return days && `${days} at ${two(hours[0])}:${two(minutes[0])}`;
}

/** Returns the words for what is due every hour or more often. */
function oftenWords(minute: string): string | undefined {
  const [, step] = /^\*\/(\d+)$/.exec(minute) ?? [];
  if (minute === "*" || step === "1") {
    return "every minute";
  }
  // Other steps begin anew with each hour: their last pause is shorter.
  if (step !== undefined && 60 % Number(step) === 0) {
    return Number(step) === 60 ? "every hour" : `every ${step} minutes`;
  }
  return /^\d+$/.test(minute)
    ? Number(minute) === 0
      ? "every hour"
      : `every hour, at minute ${Number(minute)}`
    : undefined;
}

function dayWords(text: string, values: readonly number[]): string | undefined {
  const days = [...new Set(values.map((value) => value % DAYS.length))].sort((a, b) => a - b);
  if (text === "*" || days.length === DAYS.length) {
    return "every day";
  }
  const key = days.join(",");
  return key === WEEKDAYS
    ? "weekdays"
    : key === WEEKEND
      ? "weekends"
      : days.map((value) => `${DAYS[value] ?? ""}s`).join(", ");
}

function dateWords(day: string): string | undefined {
  return /^\d+$/.test(day) ? `day ${Number(day)} of each month` : undefined;
}

function two(number = 0): string {
  return String(number).padStart(2, "0");
}
