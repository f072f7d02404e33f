// Relations of a task to another one of its project.

const relations = ['blocked_by', 'blocks', 'parent'] as const;
export type Relation = (typeof relations)[number];
export const isRelation = (what: string): what is Relation => (relations as readonly string[]).includes(what);
