// Steps that many of the pictured screens take, and parts of them that are cut out.

export const app = (path) => `/app${path}`;
export const button = (name) => (page) => page.getByRole('button', { name, exact: true }).waitFor();
export const cards = (count) => (page) => page.locator('[data-task-id]').nth(count).waitFor();
export const region = (name) => (page) => page.getByRole('region', { name, exact: true });
export const dialog = (page) => page.getByRole('dialog');

/** A region of a long page, with so many lines in it. */
export const inRegion =
  (name, lines, block = 'center') =>
  async (page) => {
    const part = region(name)(page);
    await part
      .getByRole('listitem')
      .nth(lines - 1)
      .waitFor();
    await part.evaluate((one, block) => one.scrollIntoView({ block }), block);
  };

export function taskMenu(item) {
  return async (page) => {
    const panel = page.getByRole('complementary', { name: /^Task/ });
    await panel.locator('[data-properties]').waitFor();
    await panel.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  };
}
