// How many of something, as people say it: "1 task", "2,000 tasks".

export function count(n: number, one: string, many = `${one}s`): string {
  return n === 1 ? `1 ${one}` : `${n.toLocaleString()} ${many}`;
}
