export function buildTypeScript(file: string): Promise<string>;
