export const nodeOptions: readonly string[]
