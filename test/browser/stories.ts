// Setup of browser tests that share only a site: each test has people of its own, and any error in their pages fails it.

import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Site, startSite, type Visitor } from './pages.ts';

/** `begin` is what comes before each of them, and who is there; `open` starts the site another way; `isMeant`: troubles of a page that a story makes. */
export function eachStory(
  begin: (site: Site) => Promise<readonly Visitor[]>,
  open: () => Promise<Site> = startSite,
  isMeant: (trouble: string) => boolean = () => false,
): void {
  let site: Site;
  let visitors: readonly Visitor[] = [];
  beforeAll(async () => {
    site = await open();
  }, 120_000);
  beforeEach(async () => {
    visitors = [];
    visitors = await begin(site);
  });
  afterEach(async () => {
    await Promise.all(visitors.map((visitor) => visitor.close()));
    expect(visitors.flatMap(({ troubles }) => troubles).filter((trouble) => !isMeant(trouble))).toEqual([]);
  });
  afterAll(() => site?.close());
}
