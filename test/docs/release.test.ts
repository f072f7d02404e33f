// The release workflow, run here step by step as far as a machine without registries can: every `run` of its jobs as written, in a copy of what is
// packed. Programs that publish, pull or start containers are replaced by ones that note what they were asked for.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { scratch } from '../helpers/kanbase.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

const workflow = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
  permissions: Readonly<Record<string, string>>;
  jobs: Readonly<Record<string, Job>>;
};
const { jobs } = workflow;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const tag = `v${version}`;
const image = 'registry.example.test/kanbase';
const digest = `sha256:${'0'.repeat(64)}`;

const place = scratch('release');
const [stage, shims, notes] = ['stage', 'shims', 'notes'].map((name) => join(place.path, name)) as [
  string,
  string,
  string,
];
afterAll(() => place.remove());

/** Notes its words; `passes` goes on to the program itself, `answers` is printed. */
function replace(name: string, { passes = '', answers = '' }: { passes?: string; answers?: string } = {}): void {
  const own = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  const script = [
    '#!/bin/sh',
    ...(passes === '' ? [] : [`case "$1 $2" in ${passes}) exec '${own}' "$@";; esac`]),
    `echo "${name} $*" >> '${notes}'`,
    answers,
  ].join('\n');
  writeFileSync(join(shims, name), `${script}\n`);
  chmodSync(join(shims, name), 0o755);
}

beforeAll(() => {
  for (const directory of [stage, shims]) mkdirSync(directory);
  for (const name of ['README.md', 'LICENSE', 'compose.yaml', 'package-lock.json', 'sql', 'dist', 'scripts', 'web'])
    if (existsSync(name)) cpSync(name, join(stage, name), { recursive: true });
  const pinned = spawnSync(process.execPath, ['scripts/pin-package.mjs', '--print'], { encoding: 'utf8' });
  writeFileSync(join(stage, 'package.json'), pinned.stdout);
  // The build is made and versions are pinned: packing runs no script here.
  writeFileSync(join(stage, '.npmrc'), 'ignore-scripts=true\nupdate-notifier=false\n');
  replace('npm', {
    passes: '"pack "*|"pkg "*|"sbom "*|"config "*|"init "*',
    answers: `[ "$1" != view ] || echo ${version}`,
  });
  replace('node', { passes: '"-p "*|"scripts/sbom.mjs "*|*"npm-cli.js"*|*"/npm "*' });
  replace('docker', { answers: `case "$*" in *--version) echo ${version};; inspect*) echo 0;; esac` });
  for (const name of ['gh', 'cosign', 'curl']) replace(name);
});

function run(name: string): string {
  writeFileSync(notes, '');
  for (const { run: script } of jobs[name]?.steps ?? []) {
    if (script === undefined) continue;
    const done = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd: stage,
      encoding: 'utf8',
      env: {
        PATH: `${shims}${delimiter}${process.env.PATH}`,
        HOME: place.path,
        GITHUB_OUTPUT: join(place.path, 'output'),
        GITHUB_REF_NAME: tag,
        GITHUB_REPOSITORY: 'someone/kanbase',
        GITHUB_SERVER_URL: 'https://git.example.test',
        IMAGE: image,
        DIGEST: digest,
      },
    });
    expect(done.status, `${script}\n${done.stdout}${done.stderr}`).toBe(0);
  }
  return readFileSync(notes, 'utf8');
}

test('the package is packed with its lists of parts, published beside the others, and comes with a Compose file that builds nothing', () => {
  const asked = run('package');
  expect(asked).toContain(`npm publish --provenance --access public --tag next ./kanbase-${version}.tgz`);
  expect(asked).toMatch(new RegExp(`gh release create ${tag} --verify-tag --generate-notes --prerelease .*\\.tgz`));
  for (const name of ['kanbase.cdx.json', 'kanbase.spdx.json'])
    expect(JSON.parse(readFileSync(join(stage, name), 'utf8'))).toBeTypeOf('object');
  const packed = spawnSync('tar', ['-xzOf', join(stage, `kanbase-${version}.tgz`), 'package/package.json'], {
    encoding: 'utf8',
  });
  expect(JSON.parse(packed.stdout)).toMatchObject({
    version,
    repository: { url: 'git+https://git.example.test/someone/kanbase.git' },
  });
  expect(packed.stdout).not.toContain('"private"');
  const compose = parse(readFileSync(join(stage, 'kanbase.compose.yaml'), 'utf8')) as {
    services: { kanbase: { image: string; build?: string } };
  };
  expect(compose.services.kanbase.build).toBeUndefined();
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in.
  expect(compose.services.kanbase.image).toBe('${KANBASE_IMAGE:-IMAGE}'.replace('IMAGE}', `${image}:${tag}}`));
});

test('the image is built for both architectures and signed by its digest', () => {
  const build = jobs.image?.steps?.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
  expect(build?.with).toMatchObject({ platforms: 'linux/amd64,linux/arm64', push: true, sbom: true });
  expect(run('image')).toBe(`cosign sign --yes ${image}@${digest}\n`);
});

test('both are fetched and started before they become the latest', () => {
  expect(run('try-package')).toContain(`node scripts/try-package.mjs kanbase@${version}`);
  const tried = run('try-image');
  for (const words of [`gh attestation verify oci://${image}@${digest}`, `--read-only`, '/ready', 'docker stop'])
    expect(tried).toContain(words);
  expect(run('latest')).toBe(
    [
      `docker buildx imagetools create --tag ${image}:latest ${image}@${digest}`,
      `npm dist-tag add kanbase@${version} latest`,
      `gh release edit ${tag} --repo someone/kanbase --prerelease=false --latest\n`,
    ].join('\n'),
  );
  expect(jobs.latest?.if).toContain("!contains(github.ref_name, '-')");
});

test('nothing is published that has not passed the tests, and nothing is the latest that has not been tried', () => {
  const before = (name: string): string[] =>
    [jobs[name]?.needs ?? []].flat().flatMap((needed) => [needed, ...before(needed)]);
  for (const name of Object.keys(jobs)) if (name !== 'tests') expect(before(name)).toContain('tests');
  expect(before('latest')).toEqual(expect.arrayContaining(['try-package', 'try-image']));
});

test('each job has the rights it needs, and no step puts words of a tag into a script', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  const writers = Object.entries(jobs).filter(([, { permissions = {} }]) =>
    Object.values(permissions).includes('write'),
  );
  expect(writers.map(([name]) => name)).toEqual(['package', 'image', 'latest']);
  const scripts = Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run: script }) => script ?? ''));
  expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
});
