// Docs: every relative link points to a file; every path, command and setting they name exists.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { clientNames } from '../server/commands/client/names.ts';
import { commands } from '../server/commands/list.ts';
import { allSettings } from '../server/commands/parse-arguments.ts';

const pages = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const read = (page: string): string => readFileSync(page, 'utf8');
/** Without what stands in code: it only looks like a link. */
const prose = (page: string): string => read(page).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');

test('every link to a file of ours finds it', () => {
  const broken = pages.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)\s]+)\)/g), ...prose(page).matchAll(/(?:src|srcset|href)="([^"]+)"/g)]
      .map((match) => match[1] ?? '')
      .filter((link) => !/^([a-z]+:|#)/.test(link))
      .filter((link) => !existsSync(join(dirname(page), link.split('#', 1)[0] ?? '')))
      .map((link) => `${page} → ${link}`),
  );
  expect(broken).toEqual([]);
});

/** Anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string): readonly string[] =>
  [
    ...read(page)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, title = '']) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link to a part of a page finds it', () => {
  const lost = pages.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)]
      .map(([, file = '', anchor = '']) => ({ target: file === '' ? page : join(dirname(page), file), anchor }))
      .filter(
        ({ target, anchor }) => target.endsWith('.md') && existsSync(target) && !anchorsOf(target).includes(anchor),
      )
      .map(({ target, anchor }) => `${page} → ${target}#${anchor}`),
  );
  expect(lost).toEqual([]);
});

test('the glossary explains each word once', () => {
  const words = [...read(join('docs', 'glossary.md')).matchAll(/^\| ([^|]+?) \|/gm)].map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(10);
  const again = words.filter((word, at) => words.findIndex((one) => one.toLowerCase() === word.toLowerCase()) < at);
  expect(again.map((word) => `docs/glossary.md explains “${word}” twice`)).toEqual([]);
});

const folders = ['server', 'web', 'sql', 'contract', 'test', 'bench', 'scripts', 'docs', '.ci', '.githooks'];
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).split(sep).join('/'));

test.each(['server', 'web'])('the list of folders in ARCHITECTURE.md is that of %s', (top) => {
  const text = read('ARCHITECTURE.md');
  const from = text.search(new RegExp(`^${top}/$`, 'm'));
  const listed = [...text.slice(from, text.indexOf('```', from)).matchAll(/^ {2}([\w-]+)\/ /gm)].map(
    ([, name]) => name,
  );
  const found = new Set(filesBelow(top).flatMap((file) => file.split('/').slice(1, -1).slice(0, 1)));
  expect(listed.sort()).toEqual([...found].sort());
});

/** What the text calls a file or a folder: with a slash or an ending, and no address of the service. `…`, `*`, `<…>` and `00NN` stand for anything. */
function pathsIn(text: string): string[] {
  const named = text.matchAll(
    /(?<![\w/.:#@{-])(?:[\w.<>…*-]+\/)+[\w.<>…*-]*|(?<![\w/.:#@{-])[\w<>…*-]+\.(?:tsx?|m?js|sql|json|md|css)\b/g,
  );
  return [...new Set([...named].map(([path]) => path.replace(/[.…]+$/, '')))];
}

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'sql/README.md'])('every path that %s names is there', (page) => {
  const lines = [...folders.flatMap(filesBelow), ...readdirSync('.')].map((file) => `/${file}`).join('\n');
  const isThere = (path: string): boolean => {
    const pattern = path.replaceAll(/[.+?()[\]\\]/g, '\\$&').replaceAll(/…|\*|<[^>]*>|00NN/g, '[^\\n/]*');
    return new RegExp(`/${pattern}${path.endsWith('/') ? '' : '(?:/|$)'}`, 'm').test(lines);
  };
  const made = ['dist/server', ...(page.startsWith('sql') ? ['rules/tasks/links.sql'] : [])];
  expect(pathsIn(read(page)).filter((path) => !made.includes(path) && !isThere(path))).toEqual([]);
});

test('every page that code names is there, with the part it names', () => {
  const rooms = ['server', 'web', 'sql', 'contract', 'scripts', 'test', 'bench', 'deploy'];
  const sources = rooms.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mjs|js|sql|css|yaml|json)$/.test(name))
      .map((name) => join(room, name)),
  );
  const lost = sources.flatMap((source) =>
    [...read(source).matchAll(/\bdocs\/[\w/-]+\.md(?:#([\w-]+))?/g)]
      .filter(([named, anchor]) => {
        const page = named.split('#', 1)[0] ?? '';
        return !existsSync(page) || (anchor !== undefined && !anchorsOf(page).includes(anchor));
      })
      .map(([named]) => `${source}: ${named}`),
  );
  expect(lost).toEqual([]);
});

test('every bench finds its part of the page it writes', () => {
  const lost = readdirSync('bench', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      [...read(join('bench', name)).matchAll(/writeFigures\(\s*'([a-z]+)'/g)].map(([, part]) => part ?? ''),
    )
    .filter((part) => !new RegExp(`<!-- ${part}: begin -->[^]+<!-- ${part}: end -->`).test(read('docs/figures.md')));
  expect(lost).toEqual([]);
});

test('every picture in docs/screenshots is shown by a page or a document', () => {
  const shown = [...pages, 'web/index.html'].map(read).join('\n');
  expect(readdirSync('docs/screenshots').filter((name) => !shown.includes(`screenshots/${name}`))).toEqual([]);
});

test('every page and picture of docs/ is linked from another one', () => {
  const linked = new Set(
    pages.flatMap((page) =>
      [...prose(page).matchAll(/\]\(([^)#\s]+)/g), ...prose(page).matchAll(/(?:src|srcset|href)="([^"#]+)"/g)]
        .map((match) => join(dirname(page), match[1] ?? ''))
        .filter((target) => target !== page),
    ),
  );
  // A folder that is linked shows what is in it.
  const isLinked = (file: string): boolean => linked.has(file) || linked.has(`${dirname(file)}/`);
  const files = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|svg|png|webp)$/.test(name) && !name.startsWith('screenshots'))
    .map((name) => join('docs', name));
  expect(files.filter((file) => !isLinked(file))).toEqual([]);
});

test('every command that is named exists', () => {
  const names = [...commands.map(({ name }) => name), ...clientNames];
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`(?:npm run )?kanbase (?:-- )?([a-z]+)/g)].map((match) => `${page}: ${match[1]}`),
  );
  expect(named.filter((one) => !names.includes(one.split(': ')[1] ?? ''))).toEqual([]);
});

test('every npm script that is named exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const named = pages.flatMap((page) => [...read(page).matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1] ?? ''));
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});

test('every setting that a guide sets is one', () => {
  const settings = allSettings().map(({ env }) => env);
  const guides = pages.filter((page) => /^docs\/(use|run|build)\//.test(page) || page === 'README.md');
  const set = guides.flatMap((page) =>
    [...read(page).matchAll(/^(?:Environment=)?([A-Z][A-Z0-9_]{3,})=/gm)].map((match) => `${page}: ${match[1]}`),
  );
  expect(set.filter((one) => !settings.includes(one.split(': ')[1] ?? ''))).toEqual([]);
});

test('every page of reasons has a title and says something under each heading', () => {
  const formless = pages
    .filter((page) => page.startsWith('docs/why/'))
    .flatMap((page) => {
      const [head = '', ...parts] = read(page).split(/^## /m);
      const titles = parts.map((part) => part.split('\n', 1)[0] ?? '');
      const empty = titles.filter((title, at) => (parts[at] ?? '').trim() === title || titles.indexOf(title) !== at);
      return [...(/^# Why: [a-z]/.test(head) && titles.length > 0 ? [] : ['(title)']), ...empty].map(
        (part) => `${page}: ${part}`,
      );
    });
  expect(formless).toEqual([]);
});

test('every dependency of the server has a reason', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Readonly<Record<string, string>> };
  const reasons = read('docs/why/libraries.md');
  expect(Object.keys(dependencies).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
});

test('the changelog is grouped by release, each with a kind of change once, and the version at work is its newest or on the way to the next', () => {
  const text = read('CHANGELOG.md');
  const releases = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '');
  expect(releases[0]).toBe('Unreleased');
  expect(releases.slice(1).every((name) => /^\d+\.\d+\.\d+$/.test(name))).toBe(true);
  const known = ['Added', 'Changed', 'Fixed', 'Security'];
  for (const release of text.split(/^## /m).slice(1)) {
    const groups = [...release.matchAll(/^### (.+)$/gm)].map((match) => match[1] ?? '');
    expect(groups, release.split('\n', 1)[0]).toEqual(known.filter((name) => groups.includes(name)));
  }
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(version.endsWith('-dev') || version === releases[1]).toBe(true);
});
