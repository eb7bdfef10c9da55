/** Members of objects: which may be named, and which only show something. */

/** Properties that are no methods of anything that comes out of the cmdlets of the table. */
const PLAIN =
  /^(?:Name|FullName|BaseName|Extension|Length|DirectoryName|Directory|LastWriteTime|CreationTime|Count|Line|LineNumber|Filename|Path|Id|ProcessName|CPU|Status|DisplayName|Key|Value|Hash|Mode|Matches|Version|Source)$/i;

/**
 * Properties through which an object leads to code, which several places would then run as a block
 * (`(Get-Command .\\a.ps1).ScriptBlock`), or to the environment: in Windows PowerShell, `StartInfo` of any process has
 * all variables of this one.
 */
const CODE =
  /^(?:ScriptBlock|GetterScript|SetterScript|OnRemove|PSObject|PSBase|PSExtended|PSAdapted|PSImagined|Runspace|SessionState|StartInfo|Environment|EnvironmentVariables)$/i;

/** Whether a member can only be a property. */
export function isPlainMember(name: string): boolean {
  return PLAIN.test(name);
}

/** Whether a property may hold code or variables of the environment. */
export function mayHoldCode(name: string): boolean {
  return CODE.test(name);
}
