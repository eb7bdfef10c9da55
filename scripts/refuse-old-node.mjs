/**
 * The beginning of dist/cli.js, in a JavaScript that every Node reads. Without the SQLite of Node 22.13 there would be
 * no undo, so that the command line would run, but change nothing.
 */
export const refuseOldNode = `(function () {
  var node = process.versions.node, parts = node.split(".").map(Number);
  if (parts[0] > 22 || (parts[0] === 22 && parts[1] >= 13)) return;
  process.stderr.write("toolhost needs Node 22.13 or later, and this is Node " + node + ". Install a newer one from https://nodejs.org, then run the command again.\\n");
  process.exit(2);
})();`;
