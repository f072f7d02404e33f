// Starts an app with two people who share a project, for tests that need no more.

import { startApp, type TestApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { addMember, makeProject } from './board.ts';

interface Together {
  readonly app: TestApp;
  readonly owner: TestUser;
  readonly editor: TestUser;
  /** A new project of theirs. */
  shared(name: string): ReturnType<typeof makeProject>;
}

export function startTogether(settings: Readonly<Record<string, string>> = {}): Together {
  const app = forSuite(() => startApp({ settings: { DB_POOL_SIZE: '12', ...settings } }));
  const [owner, editor] = [person(app, 'Olga Owner'), person(app, 'Edda Editor')];
  return {
    ...{ app, owner, editor },
    async shared(name) {
      const made = await makeProject(app, owner, name);
      await addMember(app, made.project, editor, 'editor');
      return made;
    },
  };
}
