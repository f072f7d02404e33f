// Fills an operator's own template. Values are named as in the guide, {{token_hash}}, or as templates of Supabase name them,
// {{ .TokenHash }}; of what people say about themselves, {{data.name}} or {{ .Data.name }}. Nothing else is understood: no
// conditions, no loops.

import { asHtml } from './as-html.ts';

export interface TemplateValues {
  readonly text: (name: string) => string;
  /** From the account's own metadata. */
  readonly about: (name: string) => string;
}

/** GoTrue's names for ours. */
const goNames: Readonly<Record<string, string>> = {
  ConfirmationURL: 'url',
  Token: 'code',
  TokenHash: 'token_hash',
  SiteURL: 'site_url',
  RedirectTo: 'redirect_to',
  Email: 'email',
  SendingTo: 'email',
  NewEmail: 'new_email',
  OldEmail: 'old_email',
  Provider: 'provider',
};

const placeholder = /\{\{-?\s*(\.)?(\w+)(?:\.(\w+))?\s*-?\}\}/g;

export function fillText(template: string | null, values: TemplateValues): string | null {
  return template?.replaceAll(placeholder, (...match) => valueFor(match, values)) ?? null;
}

/** Escaped as HTML, and as part of a query where it stands in one: an address in an address must not end it. */
export function fillHtml(template: string | null, values: TemplateValues): string | null {
  if (template === null) return null;
  return template.replaceAll(placeholder, (...match) => {
    const value = valueFor(match, values);
    const before = template.slice(0, Number(match[4]));
    return asHtml(/=\s*["'][^"'<>]*\?[^"'<>]*$/.test(before) ? encodeURIComponent(value) : value);
  });
}

function valueFor(match: readonly unknown[], values: TemplateValues): string {
  const [, dot, name, field] = match as readonly (string | undefined)[];
  if (name === undefined) return '';
  if (field !== undefined) return name.toLowerCase() === 'data' ? values.about(field) : '';
  return values.text(dot === undefined ? name : (goNames[name] ?? ''));
}
