/** The variables of PowerShell that a line may show or set (about_Automatic_Variables, about_Preference_Variables). */

/** Variables of PowerShell itself without secrets, and of the environment. */
const SHOWN =
  /^(?:_|\?|true|false|null|pwd|home|host|pid|lastexitcode|psversiontable|pshome|psculture|psuiculture|psedition|is(?:windows|linux|macos|coreclr)|matches|env:(?:path|pathext|os|computername|username|userprofile|homedrive|homepath|processor_architecture|number_of_processors|temp|tmp|systemroot|windir|programfiles|lang|ci|node_env))$/i;

/** Names that PowerShell, or a part of it, reads when somebody sets them. */
const READ =
  /^(?:ps.*|.*preference|.*encoding|.*version.*|maximum.*|log.*|is(?:windows|linux|macos|coreclr)|ofs|home|host|pid|pwd|input|args|this|error|event.*|profile|shellid|stacktrace|matches|foreach|switch|sender|sourceargs|sourceeventargs|lastexitcode|myinvocation|executioncontext|nestedpromptlevel|formatenumerationlimit|consolefilename|enabledexperimentalfeatures|true|false|null|using|env|global|script|local|private|function|alias|variable|transcript|whatif|confirm|debug|verbose)$/i;

/** Whether a line may set a variable without an effect on what it runs. */
export function mayBeAssigned(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9]{0,40}$/.test(name) && !READ.test(name);
}

/** Whether a line may show a variable: one without secrets, or one of its own. */
export function isKnownVariable(name: string): boolean {
  return SHOWN.test(name) || mayBeAssigned(name);
}
