// Beginning of a Markdown text as plain words, for quotes in emails; the text may have been cut anywhere.

/** A mention is the name, an attachment is what it is called. */
export function withoutMarkup(markdown: string): string {
  return markdown
    .replaceAll(/@\[([^\]\n]{0,500})\]\([^)\n]{0,500}\)/g, '@$1')
    .replaceAll(/!?\[((?:\\.|[^\]\\]){0,500})\]\(attachment:[\w-]*\)?/g, (_all, name: string) =>
      name.replaceAll(/\\(.)/g, '$1'),
    )
    .replaceAll(/[*_`#>~]+/g, '');
}
