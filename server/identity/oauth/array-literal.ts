// A list as one bound value, for `::text[]` and `::uuid[]`.

export function arrayLiteral(values: readonly string[] | null): string | null {
  return values === null ? null : `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
