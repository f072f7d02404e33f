// Markdown lexer with bounds on depth, paragraph length, table size, addresses and time. What passes a bound stays literal text; a
// text that takes too long as a whole throws MarkdownOverrun, and its caller shows the source.

import { Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens, type TokensList } from 'marked';

/** Levels of quotes and lists, and of emphasis and links, within each other. */
const maxDepth = 20;
/** Characters of one paragraph that are read for emphasis and links: some patterns are quadratic in it. */
const maxRun = 10_000;
const maxColumns = 100;
const maxCells = 10_000;
/** A definition gives a short name to an address, and the name may be repeated as often as the text has room. */
const maxDefinition = 2_000;
const maxAddresses = 500_000;
/** Milliseconds of one text. */
const maxTime = 1_000;

export class MarkdownOverrun extends Error {
  override readonly name = 'MarkdownOverrun';
}

/** Tokens of a text, by the options of a Marked. Throws MarkdownOverrun. */
export function lexBounded(text: string, options: MarkedOptions, time = maxTime): TokensList {
  const tokenizer = new BoundedTokenizer(options);
  tokenizer.end = performance.now() + Math.min(time, maxTime);
  return new BoundedLexer({ ...options, tokenizer }).lex(text);
}

class BoundedLexer extends Lexer {
  private depth = 0;

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] | TokensList = [], clipped = false): Token[] {
    return this.within(
      () => super.blockTokens(src, tokens as Token[], clipped),
      () => {
        if (src.trim() !== '') tokens.push({ type: 'paragraph', raw: src, text: src, tokens: literal(src) });
        return tokens;
      },
    );
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    const asText = (): Token[] => {
      tokens.push(...literal(src));
      return tokens;
    };
    return src.length > maxRun ? asText() : this.within(() => super.inlineTokens(src, tokens), asText);
  }

  private within<T>(read: () => T, tooDeep: () => T): T {
    if (this.depth >= maxDepth) return tooDeep();
    this.depth++;
    try {
      return read();
    } finally {
      this.depth--;
    }
  }
}

class BoundedTokenizer extends Tokenizer {
  end = Number.POSITIVE_INFINITY;
  private addresses = 0;

  // The lexer asks these two first, at every block and at every piece of a paragraph.
  override space(src: string): Tokens.Space | undefined {
    this.checkTime();
    return super.space(src);
  }

  override escape(src: string): Tokens.Escape | undefined {
    this.checkTime();
    return super.escape(src);
  }

  override table(src: string): Tokens.Table | undefined {
    const columns = src.slice(0, src.indexOf('\n')).split('|').length;
    // The parser fills short rows up to the width of the first.
    const end = src.indexOf('\n\n');
    const rows = columns > 2 ? src.slice(0, end < 0 ? src.length : end).split('\n').length : 0;
    return columns > maxColumns || columns * rows > maxCells ? undefined : super.table(src);
  }

  override def(src: string): Tokens.Def | undefined {
    const token = super.def(src);
    return token !== undefined && token.href.length > maxDefinition ? undefined : token;
  }

  override reflink(
    src: string,
    links: Parameters<Tokenizer['reflink']>[1],
  ): Tokens.Link | Tokens.Image | Tokens.Text | undefined {
    const token = super.reflink(src, links);
    if (token !== undefined && 'href' in token) this.addresses += token.href.length + (token.title?.length ?? 0);
    if (this.addresses > maxAddresses) throw new MarkdownOverrun('repeats long addresses');
    return token;
  }

  private checkTime(): void {
    if (performance.now() > this.end) throw new MarkdownOverrun('takes too long');
  }
}

/** Text as it stands, line by line. */
function literal(src: string): Token[] {
  return src.split('\n').flatMap((line, at): Token[] => {
    const text: Token = { type: 'text', raw: line, text: line, escaped: false };
    return at === 0 ? [text] : [{ type: 'br', raw: '\n' }, text];
  });
}
