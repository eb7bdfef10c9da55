// Loaded before the command line: its clock goes ahead of the machine's by as many milliseconds as TEST_CLOCK_AHEAD
// says.
const ahead = Number(process.env["TEST_CLOCK_AHEAD"] ?? 0);
const RealDate = Date;
const realNow = Date.now;
RealDate.now = () => realNow() + ahead;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values: unknown[], made) =>
    Reflect.construct(target, values.length === 0 ? [RealDate.now()] : values, made) as Date,
});
