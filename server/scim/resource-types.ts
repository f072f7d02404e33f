// Resource types of SCIM (RFC 7643): attributes that are kept here, those that are accepted and not kept, and the documents that say so.

export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'dateTime' | 'reference';
  readonly words: string;
  readonly multi?: boolean;
  readonly sub?: readonly Attribute[];
  readonly readOnly?: boolean;
  readonly caseExact?: boolean;
  readonly required?: boolean;
  readonly always?: boolean;
}

export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: string;
  readonly words: string;
  readonly attributes: readonly Attribute[];
  /** Of the standard, accepted and not kept: no more of a person than is used. In lower case. */
  readonly ignored: ReadonlySet<string>;
}

const text = (name: string, words: string, more: Partial<Attribute> = {}): Attribute => ({
  ...{ name, type: 'string', words },
  ...more,
});

const common: readonly Attribute[] = [
  text('id', 'Id of the resource here', { readOnly: true, caseExact: true, always: true }),
  text('externalId', 'Id of the resource at the provider', { caseExact: true }),
  {
    name: 'meta',
    type: 'complex',
    words: 'Type, times, address and version',
    readOnly: true,
    sub: [
      text('resourceType', 'User or Group', { readOnly: true, caseExact: true }),
      text('created', 'Time of creation', { type: 'dateTime', readOnly: true }),
      text('lastModified', 'Time of the last change', { type: 'dateTime', readOnly: true }),
      text('location', 'Address', { type: 'reference', readOnly: true, caseExact: true }),
      text('version', 'Weak entity tag', { readOnly: true, caseExact: true }),
    ],
  },
];

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  words: 'An account',
  attributes: [
    ...common,
    text('userName', 'Name at the provider, often an email address', { required: true }),
    text('displayName', 'Name that others see'),
    {
      name: 'name',
      type: 'complex',
      words: 'Parts of the name',
      sub: [text('formatted', 'Full name'), text('familyName', 'Family name'), text('givenName', 'Given name')],
    },
    {
      name: 'emails',
      type: 'complex',
      multi: true,
      words: 'Email addresses; the account has the primary one, else the one of work, else the first',
      sub: [
        text('value', 'Address'),
        text('display', 'As it is shown'),
        text('type', 'work, home or other'),
        { name: 'primary', type: 'boolean', words: 'Whether it is the one of the account' },
      ],
    },
    { name: 'active', type: 'boolean', words: 'Whether the person may sign in' },
    {
      name: 'groups',
      type: 'complex',
      multi: true,
      words: 'Groups of the provider that the person is in',
      readOnly: true,
      sub: [
        text('value', 'Id of the group', { readOnly: true, caseExact: true }),
        text('display', 'Name of the group', { readOnly: true }),
        text('$ref', 'Address of the group', { type: 'reference', readOnly: true, caseExact: true }),
        text('type', 'direct', { readOnly: true }),
      ],
    },
  ],
  ignored: new Set(
    [
      ...['nickName', 'profileUrl', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone', 'password'],
      ...['phoneNumbers', 'ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509Certificates', 'schemas'],
      ...['name.middleName', 'name.honorificPrefix', 'name.honorificSuffix', 'emails.$ref'],
    ].map((name) => name.toLowerCase()),
  ),
};

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  words: 'A group of people',
  attributes: [
    ...common,
    text('displayName', 'Name of the group', { required: true }),
    {
      name: 'members',
      type: 'complex',
      multi: true,
      words: 'People in the group',
      sub: [
        text('value', 'Id of the person', { caseExact: true }),
        text('display', 'Name of the person', { readOnly: true }),
        text('$ref', 'Address of the person', { type: 'reference', readOnly: true, caseExact: true }),
        text('type', 'User', { readOnly: true }),
      ],
    },
  ],
  ignored: new Set(['schemas']),
};

export interface Found {
  readonly attribute: Attribute;
  readonly sub: Attribute | null;
}

/** The attribute that a path names, letter case aside; 'ignored': one that is not kept; null: there is none. */
export function findAttribute(type: ResourceType, path: string): Found | 'ignored' | null {
  const at = path.toLowerCase().startsWith('urn:') ? path.lastIndexOf(':') : -1;
  if (at >= 0) {
    const [inside = ''] = [path.slice(0, at).toLowerCase()];
    if (inside !== type.schema.toLowerCase()) return 'ignored';
  }
  const [name = '', subName, ...rest] = path
    .slice(at + 1)
    .toLowerCase()
    .split('.');
  if (rest.length > 0) return null;
  const attribute = type.attributes.find((one) => one.name.toLowerCase() === name);
  if (attribute === undefined) return type.ignored.has(name) ? 'ignored' : null;
  if (subName === undefined) return { attribute, sub: null };
  const sub = attribute.sub?.find((one) => one.name.toLowerCase() === subName);
  if (sub !== undefined) return { attribute, sub };
  return type.ignored.has(`${name}.${subName}`) ? 'ignored' : null;
}

const describeAttribute = ({ name, type, words, ...more }: Attribute): Record<string, unknown> => ({
  name,
  type,
  multiValued: more.multi ?? false,
  description: words,
  required: more.required ?? false,
  ...(more.sub === undefined ? {} : { subAttributes: more.sub.map(describeAttribute) }),
  ...(type === 'string' ? { caseExact: more.caseExact ?? false } : {}),
  ...(type === 'reference' ? { referenceTypes: ['uri'], caseExact: true } : {}),
  mutability: more.readOnly ? 'readOnly' : 'readWrite',
  returned: more.always ? 'always' : 'default',
  uniqueness: name === 'userName' || name === 'id' ? 'server' : 'none',
});

export const describeSchema = (base: string, { schema, name, words, attributes }: ResourceType) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id: schema,
  name,
  description: words,
  // Those of every resource belong to no schema.
  attributes: attributes.filter((one) => !common.includes(one)).map(describeAttribute),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema}` },
});

export const describeType = (base: string, { name, endpoint, words, schema }: ResourceType) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint,
  description: words,
  schema,
  schemaExtensions: [],
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

export const mostResults = 200;

export const describeProvider = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of the admin pages, in the Authorization header',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});
