// Single sign-on and provisioning for pictures of the admin pages: an OpenID Connect provider that is a stand-in, people whose groups it named, and a
// SCIM provider on trial that has sent changes.

import { OAuth2Server } from 'oauth2-mock-server';

/** People of both, with their groups at the OpenID Connect provider. */
const signedIn = [
  ['Amara Osei', ['design', 'all-staff']],
  ['Jonas Lindqvist', ['design', 'platform']],
  ['Priya Raman', ['platform', 'all-staff']],
  ['Lukas Weber', ['platform']],
];
const provisioned = ['Hana Sato', 'Milan Novak', 'Chloe Martin', 'Diego Alvarez'];

const addressOf = (name) => `${name.toLowerCase().replace(' ', '.')}@example.com`;

export async function startSignIn() {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  return {
    settings: {
      AUTH_OIDC_NAME: 'entra',
      AUTH_OIDC_ISSUER: server.issuer.url,
      AUTH_OIDC_CLIENT_ID: 'kanbase',
      AUTH_OIDC_GROUPS_CLAIM: 'groups',
    },
    tokenFor: (name, groups) =>
      server.issuer.buildToken({
        scopesOrTransform: (_header, payload) => {
          Object.assign(payload, {
            aud: 'kanbase',
            sub: name,
            email: addressOf(name),
            email_verified: true,
            name,
            groups,
          });
        },
      }),
    close: () => server.stop(),
  };
}

/** `door` makes a client without a session; `service` has the rights of the server. */
export async function provision({ base, door, operator, service, signIn, kept }) {
  const admin = await askerAs((await operator.auth.getSession()).data.session.access_token, `${base}/api/admin`);
  await admin('PUT', '/group-mapping', { groups: [{ value: 'design', name: 'Design' }] });
  for (const [name, groups] of signedIn) {
    const token = await signIn.tokenFor(name, groups);
    kept(await door().auth.signInWithIdToken({ provider: 'entra', token }));
  }
  const projectOf = async (key) => kept(await service.from('projects').select('id').eq('key', key))[0].id;
  const groupOf = async (name) => kept(await service.from('groups').select('id').eq('name', name))[0].id;
  const join = async (key, group_id, role) =>
    kept(await service.from('project_members').insert({ project_id: await projectOf(key), group_id, role }));
  await join('WEB', await groupOf('Design'), 'editor');

  const { id, token } = await admin('POST', '/providers', { name: 'Entra ID' });
  const scim = await askerAs(token, `${base}/scim/v2`);
  const [hana, milan, chloe, diego] = provisioned.map((name) => ({ userName: addressOf(name), displayName: name }));
  const before = [await scim('POST', '/Users', hana), await scim('POST', '/Users', milan)];
  const group = await scim('POST', '/Groups', {
    displayName: 'Marketing',
    members: before.map(({ id: value }) => ({ value })),
  });
  await join('WEB', group.id, 'editor');
  await join('MOVE', group.id, 'viewer');
  await admin('POST', `/providers/${id}/trial`, {});
  const since = [await scim('POST', '/Users', chloe), await scim('POST', '/Users', diego)];
  await scim('PATCH', `/Groups/${group.id}`, {
    Operations: [{ op: 'add', path: 'members', value: since.map(({ id: value }) => ({ value })) }],
  });
  await scim('PATCH', `/Users/${before[1].id}`, { Operations: [{ op: 'replace', path: 'active', value: false }] });
}

async function askerAs(token, address) {
  return async (method, path, body) => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}
