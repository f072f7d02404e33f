// Addresses as people paste them: with commas, semicolons, spaces or lines between, with names before them, from a mail program or a
// table.

/** As the server takes them. */
const address = /^[^\s,;<>"()[\]\\@]+@[^\s,;<>"()[\]\\@]+$/;
const longest = 255;

interface ReadAddresses {
  /** Each once. */
  readonly good: readonly string[];
  /** What looks like none. */
  readonly wrong: readonly string[];
}

export function readAddresses(typed: string): ReadAddresses {
  const good = new Map<string, string>();
  const wrong: string[] = [];
  // A name in quotes may hold a comma.
  for (const part of typed.replaceAll(/"[^"\n]*"/g, ' ').split(/[,;\n\r]+/)) {
    const words = part
      .split(/[\s<>()[\]]+/)
      .map((word) => word.replace(/^mailto:/i, '').replace(/(?<![.:])[.:]+$/, ''));
    const found = words.filter((word) => address.test(word) && word.length <= longest);
    for (const one of found) if (!good.has(one.toLowerCase())) good.set(one.toLowerCase(), one);
    const broken = words.filter((word) => word.includes('@') && !found.includes(word));
    // Words beside an address are a name.
    if (broken.length > 0) wrong.push(...broken);
    else if (found.length === 0 && part.trim() !== '') wrong.push(part.trim());
  }
  return { good: [...good.values()], wrong };
}
