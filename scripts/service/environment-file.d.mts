export function readEnvironmentFile(file: string): Record<string, string>
