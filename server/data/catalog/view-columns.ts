// Finds the origin of a view's columns in its stored rewrite rule (`pg_rewrite.ev_action`), where Postgres notes the table and column of
// every output column. Reads the outermost target list only.

export interface Origin {
  /** Number of the view's column. */
  readonly column: number;
  readonly originTable: number;
  readonly originColumn: number;
}

/** A backslash escapes the next character in stored node trees, so brackets in names cannot mislead the depth. */
const TOKENS = /\\[\s\S]|[{}()]|:(targetList|resno|resorigtbl|resorigcol) (\d+)?/g;

export function readOrigins(ruleText: string): Origin[] {
  const origins: Origin[] = [];
  let depth = 0;
  let listDepth = -1;
  let column = 0;
  let table = 0;
  TOKENS.lastIndex = 0;
  for (let match = TOKENS.exec(ruleText); match !== null; match = TOKENS.exec(ruleText)) {
    const token = match[0];
    if (token === '{' || token === '(') depth++;
    else if (token === '}' || token === ')') {
      depth--;
      if (listDepth >= 0 && depth < listDepth) return origins;
    } else if (match[1] === 'targetList' && depth === 2 && listDepth < 0) listDepth = 3;
    else if (listDepth >= 0 && depth === 4) {
      const number = Number(match[2] ?? 0);
      if (match[1] === 'resno') column = number;
      else if (match[1] === 'resorigtbl') table = number;
      else if (match[1] === 'resorigcol' && table > 0 && number > 0)
        origins.push({ column, originTable: table, originColumn: number });
    }
  }
  return origins;
}
