// A person for the tests of a file: `const ada = person(app, 'Ada')`. Signed up once the app is open.

import type { TestApp, TestUser } from './app.ts';
import { forSuite } from './for-suite.ts';

export const person = (app: Pick<TestApp, 'createUser'>, name: string): TestUser =>
  forSuite(
    () => app.createUser({ name }),
    () => undefined,
  );
