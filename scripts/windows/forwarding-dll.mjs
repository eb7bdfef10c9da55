// A Windows library without code, whose one function is another library's.

const [RVA, ALIGNMENT] = [0x1000, 0x200];
const DIRECTORY_BYTES = 40;
const HEADERS_BYTES = 0x200;

/**
 * @param {string} name of the library, such as `a.dll`
 * @param {string} exported the function that it has
 * @param {string} target where the function is, such as `ntdll.RtlExitUserThread`
 * @returns {Buffer} a PE file for 64-bit Windows: https://learn.microsoft.com/windows/win32/debug/pe-format
 */
export function forwardingDll(name, exported, target) {
  const section = exportSection(name, exported, target);
  const raw = Buffer.alloc(Math.ceil(section.length / ALIGNMENT) * ALIGNMENT);
  section.copy(raw);
  return Buffer.concat([headers(section.length, raw.length), raw]);
}

/** @param {string} name @param {string} exported @param {string} target */
function exportSection(name, exported, target) {
  // The addresses of the function and of its name, and the name's ordinal, then the texts.
  const [functions, names, ordinals, texts] = [DIRECTORY_BYTES, DIRECTORY_BYTES + 4, DIRECTORY_BYTES + 8, 52];
  const strings = [name, exported, target].map((text) => Buffer.from(`${text}\0`, "latin1"));
  const [nameAt, exportedAt, targetAt] = strings.map(
    (_, index) => RVA + texts + Buffer.concat(strings.slice(0, index)).length,
  );
  const fixed = Buffer.alloc(texts);
  fixed.writeUInt32LE(Number(nameAt), 12);
  fixed.writeUInt32LE(1, 16);
  fixed.writeUInt32LE(1, 20);
  fixed.writeUInt32LE(1, 24);
  fixed.writeUInt32LE(RVA + functions, 28);
  fixed.writeUInt32LE(RVA + names, 32);
  fixed.writeUInt32LE(RVA + ordinals, 36);
  // An address within the directory is not code: it is the text that says where the function is.
  fixed.writeUInt32LE(Number(targetAt), functions);
  fixed.writeUInt32LE(Number(exportedAt), names);
  return Buffer.concat([fixed, ...strings]);
}

/** @param {number} size @param {number} rawSize of the section, in memory and in the file */
function headers(size, rawSize) {
  const bytes = Buffer.alloc(HEADERS_BYTES);
  const [pe, coff, optional, section] = [0x40, 0x44, 0x58, 0x58 + 240];
  bytes.write("MZ", 0);
  bytes.writeUInt32LE(pe, 0x3c);
  bytes.write("PE\0\0", pe);
  bytes.writeUInt16LE(0x86_64, coff);
  bytes.writeUInt16LE(1, coff + 2);
  bytes.writeUInt16LE(240, coff + 16);
  // A library that may lie above 2 GB.
  bytes.writeUInt16LE(0x20_22, coff + 18);
  bytes.writeUInt16LE(0x2_0b, optional);
  bytes.writeBigUInt64LE(0x1_8000_0000n, optional + 24);
  bytes.writeUInt32LE(RVA, optional + 32);
  bytes.writeUInt32LE(ALIGNMENT, optional + 36);
  // For Windows 6.0 and later.
  bytes.writeUInt16LE(6, optional + 40);
  bytes.writeUInt16LE(6, optional + 48);
  bytes.writeUInt32LE(2 * RVA, optional + 56);
  bytes.writeUInt32LE(HEADERS_BYTES, optional + 60);
  bytes.writeUInt16LE(3, optional + 68);
  // May lie anywhere; holds no code that could be run by accident.
  bytes.writeUInt16LE(0x01_60, optional + 70);
  bytes.writeUInt32LE(16, optional + 108);
  bytes.writeUInt32LE(RVA, optional + 112);
  bytes.writeUInt32LE(size, optional + 116);
  bytes.write(".rdata", section);
  bytes.writeUInt32LE(size, section + 8);
  bytes.writeUInt32LE(RVA, section + 12);
  bytes.writeUInt32LE(rawSize, section + 16);
  bytes.writeUInt32LE(HEADERS_BYTES, section + 20);
  bytes.writeUInt32LE(0x4000_0040, section + 36);
  return bytes;
}
