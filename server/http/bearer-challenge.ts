// WWW-Authenticate of a 401 (RFC 6750): leads programs to the metadata of the resource, and from there to where tokens come from (RFC 9728), with the
// scope that such a request takes.

/** `path`: of the door, as server/identity/oauth/resources.ts has it. */
export function bearerChallenge(apiUrl: string, path: string): (method: string, challenge?: string) => string {
  const metadata = `resource_metadata="${apiUrl}/.well-known/oauth-protected-resource${path}"`;
  return (method, challenge = 'Bearer') => {
    const scope = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
    return `${challenge}${challenge === 'Bearer' ? ' ' : ', '}${metadata}, scope="${scope}"`;
  };
}
