// Names of files inside a zip: their paths in the folder, without the ids that only keep them apart in storage, each of them once.

/** What some file system does not take in a name; a zip takes none that begins like a drive. */
const refused = /[\p{Cc}\\:*?"<>|]/gu;
const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function nameEntries(paths: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const parts = path.split('/');
    const clean = parts
      .filter((part, at) => at === parts.length - 1 || !id.test(part))
      .join('/')
      .replace(refused, '_');
    const dot = clean.lastIndexOf('.');
    const [stem, extension] = dot > clean.lastIndexOf('/') + 1 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, ''];
    let name = clean;
    // Some file systems take a.txt and A.txt for the same.
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${stem} (${n})${extension}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
