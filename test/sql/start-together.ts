// An app with two people who work together: where a test needs no more than that.

import { startApp, type TestApp, type TestUser } from '../helpers/app.ts';
import { addMember, makeProject } from './board.ts';

/** An app with an owner and an editor, and a way to make projects that are theirs. */
export async function startTogether(): Promise<{
  app: TestApp;
  owner: TestUser;
  editor: TestUser;
  shared(name: string): ReturnType<typeof makeProject>;
}> {
  const app = await startApp({ settings: { DB_POOL_SIZE: '12' } });
  const owner = await app.createUser({ name: 'Olga Owner' });
  const editor = await app.createUser({ name: 'Edda Editor' });
  return {
    app,
    owner,
    editor,
    async shared(name) {
      const made = await makeProject(app, owner, name);
      await addMember(app, made.project, editor, 'editor');
      return made;
    },
  };
}
