/**
 * The cmdlets of PowerShell 5.1 and 7 that only read, with each parameter that is allowed: names and aliases as in their
 * pages of 5.1 and 7.6 (MicrosoftDocs/PowerShell-Docs). A parameter that is not here asks: `-OutVariable`, `-ComputerName`, `-Credential`, `-Stream`.
 */

/** What the value of a parameter is. */
export type ParameterKind =
  /** There is none. */
  | "switch"
  /** Anything: it only chooses what is shown. */
  | "value"
  /** Files. */
  | "path"
  /** A pattern of names, without a folder. */
  | "name"
  /** Properties of what comes in, by name, block or table. */
  | "property"
  /** A member of what comes in, which is called if it is a method. */
  | "member"
  /** What happens after an error. */
  | "action";

/** What comes out of a cmdlet, for the next one in a pipe. */
export type Output = "files" | "text" | "same" | "other";

export interface Cmdlet {
  name: string;
  /** By their names and aliases, in lower case. */
  parameters: ReadonlyMap<string, { name: string; kind: ParameterKind }>;
  /** Parameters that words without a name are values of; the last one takes all further ones if it `takesRest`. */
  positional: readonly string[];
  takesRest: boolean;
  output: Output;
  /** Whether it reads the contents of files; otherwise at most their names. */
  readsContents: boolean;
  /** Whether it takes paths from a pipe, too. */
  takesPaths: boolean;
  /** Whether it works on the current folder if no path is given. */
  worksHere: boolean;
}

const COMMON = "ErrorAction|ea:action WarningAction|wa:action Verbose|vb";

function cmdlet(
  name: string,
  positional: string,
  parameters: string,
  { output = "other", ...more }: Partial<Pick<Cmdlet, "output" | "readsContents" | "takesPaths" | "worksHere">> = {},
): [string, Cmdlet] {
  const listed = `${parameters} ${COMMON}`.split(" ").filter((each) => each !== "");
  return [
    name.toLowerCase(),
    {
      name,
      parameters: new Map(
        listed.flatMap((each) => {
          const [names = "", kind = "switch"] = each.split(":");
          const [first = ""] = names.split("|");
          return names
            .split("|")
            .map((one) => [one.toLowerCase(), { name: first, kind: kind as ParameterKind }] as const);
        }),
      ),
      positional: positional
        .replace("…", "")
        .split(" ")
        .filter((each) => each !== ""),
      takesRest: positional.endsWith("…"),
      output,
      readsContents: false,
      takesPaths: false,
      worksHere: false,
      ...more,
    },
  ];
}

const PATHS = "Path:path LiteralPath|PSPath|lp:path";
const CHOSEN = "Filter:name Include:name Exclude:name Force";
const FORMAT = "Property:property GroupBy:property Force";
const COMPARISONS =
  "EQ IEQ CEQ NE INE CNE GT IGT GE IGE LT ILT LE ILE Like ILike CLike NotLike INotLike Match IMatch CMatch NotMatch INotMatch Contains In NotIn NotContains Not"
    .split(" ")
    .join(" ");

/** By their names in lower case. */
export const CMDLETS: ReadonlyMap<string, Cmdlet> = new Map([
  cmdlet(
    "Get-Content",
    "Path",
    `${PATHS} ${CHOSEN} TotalCount|First|Head:value Tail|Last:value ReadCount:value Raw Delimiter:value Encoding:value AsByteStream`,
    {
      ...{ output: "text", readsContents: true, takesPaths: true },
    },
  ),
  cmdlet(
    "Get-ChildItem",
    "Path Filter",
    `${PATHS} ${CHOSEN} Recurse|s|r Depth:value Name File|af Directory|ad Hidden|ah|h ReadOnly|ar System|as Attributes:value`,
    {
      ...{ output: "files", takesPaths: true, worksHere: true },
    },
  ),
  cmdlet("Get-Item", "Path", `${PATHS} ${CHOSEN}`, { output: "files", takesPaths: true }),
  cmdlet("Get-ItemProperty", "Path Name", `${PATHS} Name:value`, { takesPaths: true }),
  cmdlet("Get-FileHash", "Path", `${PATHS} Algorithm:value`, { readsContents: true, takesPaths: true }),
  cmdlet(
    "Test-Path",
    "Path",
    `${PATHS} Filter:name Include:name Exclude:name PathType|Type:value IsValid OlderThan:value NewerThan:value`,
    {
      takesPaths: true,
    },
  ),
  cmdlet("Resolve-Path", "Path", `${PATHS} Relative`, { output: "files", takesPaths: true }),
  cmdlet("Convert-Path", "Path", PATHS, { takesPaths: true }),
  cmdlet(
    "Split-Path",
    "Path",
    "Path:value LiteralPath:value Leaf Parent LeafBase Extension Qualifier NoQualifier IsAbsolute",
    { output: "text" },
  ),
  cmdlet("Join-Path", "Path ChildPath", "Path:value ChildPath:value", { output: "text" }),
  cmdlet(
    "Select-String",
    "Pattern Path",
    `Pattern:value ${PATHS} Include:name Exclude:name SimpleMatch CaseSensitive Quiet List NotMatch AllMatches Context:value Raw NoEmphasis Encoding:value Culture:value`,
    { readsContents: true, takesPaths: true },
  ),
  cmdlet("Import-Csv", "Path Delimiter", `${PATHS} Delimiter:value Header:value Encoding:value UseCulture`, {
    readsContents: true,
    takesPaths: true,
  }),
  cmdlet("Where-Object", "Property Value", `FilterScript:property Property:property Value:value ${COMPARISONS}`, {
    output: "same",
  }),
  cmdlet("ForEach-Object", "MemberName", "Process:member MemberName:member Begin:member End:member"),
  cmdlet(
    "Select-Object",
    "Property",
    "Property:property ExcludeProperty:value ExpandProperty:property First:value Last:value Skip:value SkipLast:value Index:value Unique",
  ),
  cmdlet(
    "Sort-Object",
    "Property",
    "Property:property Descending Unique CaseSensitive Stable Top:value Bottom:value Culture:value",
    { output: "same" },
  ),
  cmdlet("Group-Object", "Property", "Property:property NoElement CaseSensitive AsHashTable AsString"),
  cmdlet(
    "Measure-Object",
    "Property",
    "Property:property Sum Average Maximum Minimum AllStats StandardDeviation Line Word Character IgnoreWhiteSpace",
  ),
  cmdlet(
    "Compare-Object",
    "ReferenceObject DifferenceObject",
    "ReferenceObject:value DifferenceObject:value Property:property IncludeEqual ExcludeDifferent PassThru CaseSensitive SyncWindow:value",
  ),
  cmdlet("Get-Unique", "", "AsString OnType CaseInsensitive"),
  cmdlet("Get-Member", "Name", "Name:value MemberType|Type:value Static Force"),
  cmdlet("Format-Table", "Property", `${FORMAT} AutoSize Wrap HideTableHeaders`),
  cmdlet("Format-List", "Property", FORMAT),
  cmdlet("Format-Wide", "Property", `${FORMAT} AutoSize Column:value`),
  cmdlet("Out-String", "", "Stream Width:value NoNewline", { output: "text" }),
  cmdlet("Out-Null", "", ""),
  cmdlet("Out-Host", "", ""),
  cmdlet("Out-Default", "", ""),
  cmdlet("ConvertTo-Json", "", "Depth:value Compress AsArray EnumsAsStrings", { output: "text" }),
  cmdlet("ConvertFrom-Json", "", "AsHashtable Depth:value NoEnumerate"),
  cmdlet("ConvertTo-Csv", "Delimiter", "Delimiter:value NoTypeInformation|nti UseCulture", { output: "text" }),
  cmdlet("ConvertFrom-Csv", "", "Delimiter:value Header:value"),
  cmdlet("Write-Output", "InputObject…", "InputObject:value NoEnumerate"),
  cmdlet("Write-Host", "Object…", "Object:value NoNewline Separator:value ForegroundColor:value BackgroundColor:value"),
  cmdlet(
    "Get-Date",
    "Date",
    "Date:value Format:value UFormat:value Year:value Month:value Day:value Hour:value Minute:value Second:value DisplayHint:value AsUTC UnixTimeSeconds:value",
  ),
  cmdlet("New-TimeSpan", "Start End", "Start:value End:value Days:value Hours:value Minutes:value Seconds:value"),
  cmdlet("Get-TimeZone", "Name", "Name:value Id:value ListAvailable"),
  cmdlet("Get-Location", "", ""),
  cmdlet("Get-Process", "Name", "Name|ProcessName:value Id|PID:value"),
  cmdlet("Get-Service", "Name", "Name|ServiceName:value DisplayName:value"),
  cmdlet("Get-Command", "Name", "Name:name CommandType|Type:value All Syntax"),
  cmdlet("Get-Alias", "Name", "Name:value Definition:value"),
  cmdlet("Get-Culture", "", ""),
  cmdlet("Get-UICulture", "", ""),
  cmdlet("Get-Host", "", ""),
  cmdlet("Get-Verb", "Verb", "Verb:value"),
  cmdlet("Get-Random", "Maximum", "Maximum:value Minimum:value Count:value"),
  cmdlet("New-Guid", "", ""),
  cmdlet("Start-Sleep", "Seconds", "Seconds:value Milliseconds|ms:value"),
]);

/** Changes what later names mean: nothing in the line is then what it seems. */
export const CHANGES_NAMES: ReadonlySet<string> = new Set(
  (
    "set-alias new-alias import-alias remove-alias import-module remove-module new-module set-variable new-variable set-psdebug add-type " +
    "update-typedata update-formatdata invoke-expression set-strictmode import-pssession enter-pssession new-psdrive invoke-history"
  ).split(" "),
);

/** The same, where they are given something else than files: `Set-Item function:gc`. */
export const CHANGES_ITEMS = /^(?:set|new|rename|copy|move|clear|remove)-(?:item|content|itemproperty)$/;

/** Cmdlets that destroy, end or publish something; `rm` and `Remove-Item` need the same care. */
export const DESTROYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "it deletes":
      "Remove-Item Clear-Content Clear-Item Remove-ItemProperty Clear-ItemProperty Clear-RecycleBin Remove-Module Remove-Variable Remove-PSDrive Remove-Service Format-Volume Clear-Disk",
    "it ends programs or the machine":
      "Stop-Process Stop-Service Restart-Service Suspend-Service Stop-Computer Restart-Computer Stop-Job Remove-Job Wait-Process",
    "it reaches other machines":
      "Invoke-WebRequest Invoke-RestMethod Send-MailMessage Invoke-Command New-PSSession Enter-PSSession Start-BitsTransfer Publish-Module Publish-Script",
    "it runs text as a program": "Invoke-Expression",
    "it starts a program": "Start-Process Start-Job Start-ThreadJob Invoke-Item",
  }).flatMap(([why, names]) => names.split(" ").map((name) => [name.toLowerCase(), why] as const)),
);
